package debugger_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/ir"
)

// A search by name looks at symbols before it demangles them: that must not leave out a function that the name means.
func TestSymbolsHaveTheWordsOfTheirNames(t *testing.T) {
	symbols := regexp.MustCompile(`@(\$[sS][\w$]+)`)
	seen := map[string]bool{}
	for _, pattern := range []string{"../loader/testdata/library/*", "../programs/ordinary/*/*.gz", "../programs/swift-6.2/*/*.gz", "../cmd/silvm/testdata/debug/*.gz"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			for _, m := range symbols.FindAllStringSubmatch(textOf(t, name), -1) {
				seen[m[1]] = true
			}
		}
	}
	if len(seen) < 1000 {
		t.Fatalf("only %d symbols were found", len(seen))
	}
	for symbol := range seen {
		full := ir.DisplayName(symbol, "")
		if full == symbol {
			continue
		}
		for _, word := range debugger.Spelled(debugger.Bare(full)) {
			if !strings.Contains(symbol, word) {
				t.Errorf("%s (%s) has no %q", symbol, full, word)
			}
		}
	}
}

// textOf reads a file, which may be packed.
func textOf(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
