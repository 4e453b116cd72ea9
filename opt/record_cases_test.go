package opt_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"silvm/loader"
)

var record = flag.Bool("record", false, "write into the cases what the compiler's sil-opt prints; $SWIFT_ORACLE names the folder of the script in-root (programs/README.md)")

// TestRecordCases writes the section out.sil of the cases anew, as the compiler's sil-opt prints the functions. A case with a line
// "differs: WHY" in its comment is left alone: there silvm differs on purpose, or sil-opt ends in an assertion. One with a line "errors: yes" is of
// errors in the program, after which sil-opt's status is 1.
//
//	SWIFT_ORACLE=/path/to/oracle go test ./opt -run TestRecordCases/cse -record
func TestRecordCases(t *testing.T) {
	oracle := os.Getenv("SWIFT_ORACLE")
	if !*record || oracle == "" {
		t.Skip("needs -record and $SWIFT_ORACLE")
	}
	for _, name := range caseFiles(t) {
		t.Run(caseName(name), func(t *testing.T) { recordCase(t, oracle, name) })
	}
}

func recordCase(t *testing.T, oracle, name string) {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, out := section(ar, "in.sil"), section(ar, "out.sil")
	if strings.Contains(string(ar.Comment), "differs:") {
		t.Skip("differs on purpose")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.sil"), in.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	// One that doesn't end is no record; what ends it has to run in the same root, where its children are.
	args := []string{"timeout", "60", "swift-frontend", "-sil-opt", "-module-name", "main", "in.sil", "-o", "out.sil"}
	for _, p := range caseLine(name, string(ar.Comment)) {
		args = append(args, "-"+p)
	}
	if bytes.Contains(out.Data, []byte(", loc \"")) {
		args = append(args, "-sil-print-debuginfo")
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(oracle, "in-root"), args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil && !strings.Contains(string(ar.Comment), "errors: yes\n") {
		t.Fatalf("sil-opt: %v\n%.2000s", err, stderr.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.sil"))
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load("out.sil", text, loader.Options{})
	if diags.Errors() > 0 {
		t.Fatalf("what sil-opt prints does not load: %v", diags.Err())
	}
	before, _ := loader.Load("in.sil", in.Data, loader.Options{})
	for name, old := range before.Funcs {
		if f := mod.Funcs[name]; f != nil {
			f.Comment = old.Comment // sil-opt writes each name above its function
		}
	}
	recorded := string(txtar.Format(ar))
	out.Data = []byte(openedInOrder(stdout.String()+printed(t, mod), string(in.Data)))
	if toErr := section(ar, "err"); toErr != nil {
		toErr.Data = stderr.Bytes()
	}
	if string(txtar.Format(ar)) == recorded {
		return
	}
	if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s changed", name)
}

var openedID = regexp.MustCompile(`@opened\("([0-9A-F-]{36})"`)

// openedInOrder numbers the opened types of each function that sil-opt made, which it draws numbers for, in their order, as silvm does.
func openedInOrder(text, in string) string {
	var b strings.Builder
	known := map[string]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "sil ") {
			clear(known)
		}
		b.WriteString(openedID.ReplaceAllStringFunc(line, func(m string) string {
			id := openedID.FindStringSubmatch(m)[1]
			if strings.Contains(in, id) {
				return m
			}
			if known[id] == "" {
				known[id] = fmt.Sprintf("00000000-0000-0000-0000-%012d", len(known))
			}
			return `@opened("` + known[id] + `"`
		}))
	}
	return b.String()
}
