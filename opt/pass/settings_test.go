package pass

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestNoSettingStandsTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range settings {
		if s.Name == "" || s.Doc == "" || seen[s.Name] {
			t.Errorf("the setting %q has no name, no doc, or stands twice", s.Name)
		}
		seen[s.Name] = true
	}
}

// TestSettingsAreKnown fails for a pass that asks for a setting that is not in the table, or for one of another kind than the table says.
func TestSettingsAreKnown(t *testing.T) {
	files := token.NewFileSet()
	asked := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			fn, _ := call.Fun.(*ast.SelectorExpr)
			lit, _ := call.Args[0].(*ast.BasicLit)
			if fn == nil || lit == nil || lit.Kind != token.STRING {
				return true
			}
			name, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			s := LookupSetting(name)
			known := s != nil
			switch fn.Sel.Name {
			case "IsSet":
				known = known && s.Value == ""
			case "IsOff":
				known = known && s.Value == off
			case "ValueOf", "ValuesOf":
				known = known && s.TakesValue()
			default:
				return true
			}
			asked++
			if !known {
				t.Errorf("%s: %s(%q) asks for no such setting", files.Position(call.Pos()), fn.Sel.Name, name)
			}
			return true
		})
		return nil
	})
	if err != nil || asked < 15 {
		t.Fatalf("%d questions found: %v", asked, err)
	}
}
