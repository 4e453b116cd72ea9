package opt_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestRemarksArePinned fails for what a pass says in some case while no case has it in a section remarks: each pass with what it did and with
// what it left alone, and each wording.
func TestRemarksArePinned(t *testing.T) {
	type kind struct {
		pass   string
		missed bool
	}
	said, pinned := map[kind]string{}, map[kind]bool{} // said holds a case
	type wording struct {
		remark
		in     string // a case in which it is said
		pinned bool
	}
	var wordings []wording
	for _, r := range remarksOfPasses(t) {
		wordings = append(wordings, wording{remark: r})
	}
	for _, name := range caseFiles(t) {
		c := readCase(t, name)
		pins := section(c.Archive, "remarks") != nil
		for _, r := range c.remarks {
			k := kind{r.Pass, r.Missed}
			said[k] = caseName(name)
			pinned[k] = pinned[k] || pins
			for n := range wordings {
				if w := &wordings[n]; w.missed == r.Missed && w.text.MatchString(r.Text) {
					w.in = caseName(name)
					w.pinned = w.pinned || pins
				}
			}
		}
	}
	for k, in := range said {
		if !pinned[k] {
			t.Errorf("%s speaks (missed: %v) in %s; no case pins any such remark", k.pass, k.missed, in)
		}
	}
	for _, w := range wordings {
		switch {
		case w.in == "":
			t.Logf("%s: no case makes a pass say %q", w.place, w.text)
		case !w.pinned:
			t.Errorf("%s: %q is said in %s; no case pins it", w.place, w.text, w.in)
		}
	}
}

// A remark is one that the source of a pass can make.
type remark struct {
	place  token.Position
	missed bool
	text   *regexp.Regexp
}

var verb = regexp.MustCompile(`%[a-z]`)

// remarksOfPasses finds the calls of Context.Passed and Context.Missed in the rooms of the passes.
func remarksOfPasses(t *testing.T) []remark {
	t.Helper()
	files := token.NewFileSet()
	var list []remark
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 3 {
				return true
			}
			fn, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || fn.Sel.Name != "Passed" && fn.Sel.Name != "Missed" {
				return true
			}
			if lit, ok := call.Args[2].(*ast.BasicLit); ok {
				format, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if format != "%s" {
					text := verb.ReplaceAllString(regexp.QuoteMeta(format), ".+")
					list = append(list, remark{files.Position(call.Pos()), fn.Sel.Name == "Missed", regexp.MustCompile("^" + text + "$")})
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(list) == 0 {
		t.Fatalf("no remarks found: %v", err)
	}
	return list
}
