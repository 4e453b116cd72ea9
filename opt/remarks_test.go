package opt_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

// TestRemarksArePinned fails for a wording that no case makes a pass say, and for what a pass says in some case while no case has it in a section
// remarks: each pass with what it did and with what it left alone, and each wording.
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
		case w.in == "" && !w.text.MatchString(tooManyAccesses):
			t.Errorf("%s: no case makes a pass say %q", w.place, w.text)
		case w.in == "":
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

// tooManyAccesses is a remark for which a case would take thousands of lines.
const tooManyAccesses = "left 1001 accesses alone"

// What access-enforcement-opts knows at a block may list all accesses: beyond a thousand it leaves a function alone, and says so.
func TestManyAccesses(t *testing.T) {
	for _, n := range []int{1000, 1001} {
		const access = "  %a = begin_access [read] [dynamic] %0 : $*Int\n  end_access %a : $*Int\n"
		var text strings.Builder
		text.WriteString("sil_stage canonical\nimport Builtin\nimport Swift\nsil @f : $@convention(thin) (@inout_aliasable Int) -> () {\nbb0(%0 : $*Int):\n")
		for k := range n {
			text.WriteString(strings.ReplaceAll(access, "%a", "%a"+strconv.Itoa(k)))
		}
		text.WriteString("  %r = tuple ()\n  return %r : $()\n}\n")
		mod, diags := loader.Load("many.sil", []byte(text.String()), loader.Options{})
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		before := printed(t, mod)
		var said []string
		opts := pass.Options{Verify: true, Remark: func(r pass.Remark) {
			if r.Missed {
				said = append(said, r.Text)
			}
		}}
		if err := pass.Run(mod, []*pass.Pass{opt.Lookup("access-enforcement-opts")}, opts); err != nil {
			t.Fatal(err)
		}
		if alone, want := printed(t, mod) == before, n > 1000; alone != want || slices.Contains(said, tooManyAccesses) != want {
			t.Errorf("%d accesses: left alone: %v, said %q", n, alone, said)
		}
	}
}
