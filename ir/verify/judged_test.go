package verify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/ir/verify"
	"silvm/loader"
)

// TestJudged checks short texts that sil-opt of Swift 6.0.3 judged (-enable-sil-verify-all, and the flags in the first line of the file), or
// that of 6.2.3 where the text has what 6.0.3 does not know, such as the type of end_apply.
// Each file has a part that all its texts begin with, and the texts after lines "// ---- NAME: VERDICT": accepted, rejected, or missed for
// those that sil-opt rejects and silvm is known to accept.
func TestJudged(t *testing.T) {
	files, err := filepath.Glob("testdata/judged/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	count := map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "\n// ---- ")
		for _, part := range parts[1:] {
			head, body, _ := strings.Cut(part, "\n")
			title, want, ok := strings.Cut(head, ": ")
			if !ok {
				t.Fatalf("%s: %s has no verdict", name, head)
			}
			mod, diags := loader.Load(name, []byte(parts[0]+"\n"+body), loader.Options{})
			if diags.Errors() == 0 {
				verify.Module(mod, diags)
			}
			count[want]++
			switch got := diags.Errors() > 0; want {
			case "accepted", "missed":
				if got {
					t.Errorf("%s: %s is %s, not rejected: %v", name, title, want, diags.Err())
				}
			case "rejected":
				if !got {
					t.Errorf("%s: %s should be rejected", name, title)
				}
			default:
				t.Errorf("%s: unknown verdict %q", name, want)
			}
		}
	}
	t.Log(count)
}
