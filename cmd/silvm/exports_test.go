package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"silvm/ir/source"
)

// wellKnown are methods that the standard library or a library of ours calls through an interface.
var wellKnown = []string{"String", "Error", "Unwrap", "Is", "As", "Read", "Write", "Close", "Len", "Less", "Swap", "Push", "Pop", "MarshalJSON",
	"UnmarshalJSON", "MarshalText", "Format", "Set", "Type", "Reallocate", "Free", "ReadObject"}

// exportsOf is what one package exports, and what keeps an export although no other package names it.
type exportsOf struct {
	names map[string]token.Pos // package-level names, and methods as Type.Method
	kept  map[string]bool      // types in signatures, enumerations
}

// TestEveryExportIsUsedElsewhere reads all files and looks for exported names that only their own package uses. A type counts as used
// when an exported declaration of its package mentions it in its type, a constant of an exported type when it belongs to an enumeration. Methods are
// looked for by their names alone, fields are not looked for.
func TestEveryExportIsUsedElsewhere(t *testing.T) {
	fset := token.NewFileSet()
	packages := map[string]*exportsOf{}
	used, called := map[string]bool{}, map[string]map[string]bool{} // "dir.Name"; method names by the packages that call them
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		if packages[dir] == nil {
			packages[dir] = &exportsOf{map[string]token.Pos{}, map[string]bool{}}
		}
		if !strings.HasSuffix(path, "_test.go") && file.Name.Name != "main" {
			packages[dir].collect(file)
		}
		collectUses(file, dir, used, called)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, p := range packages {
		for name, pos := range p.names {
			if typ, method, ok := strings.Cut(name, "."); ok {
				users := called[method]
				if slices.Contains(wellKnown, method) || len(users) > 1 || len(users) == 1 && !users[dir] {
					continue
				}
				t.Errorf("%s: nobody calls the method %s of %s.%s but its package; make it private", fset.Position(pos), method, dir, typ)
			} else if !used[dir+"."+name] && !p.kept[name] {
				t.Errorf("%s: nobody uses %s.%s but its package; make it private", fset.Position(pos), dir, name)
			}
		}
	}
}

// collect enters what a file exports.
func (p *exportsOf) collect(file *ast.File) {
	enter := func(name *ast.Ident) bool {
		if name.IsExported() {
			p.names[name.Name] = name.Pos()
		}
		return name.IsExported()
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				if enter(d.Name) {
					p.keep(d.Type)
				}
				continue
			}
			if d.Name.IsExported() {
				p.names[receiver(d)+"."+d.Name.Name] = d.Name.Pos()
				p.keep(d.Type)
			}
		case *ast.GenDecl:
			var last ast.Expr // the type of the constants above
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					enter(s.Name)
					p.keep(s.Type)
				case *ast.ValueSpec:
					if s.Type != nil || len(s.Values) > 0 {
						last = s.Type
					}
					if call, ok := firstValue(s).(*ast.CallExpr); ok && s.Type == nil {
						last = call.Fun // a conversion
					}
					typ, _ := last.(*ast.Ident)
					for _, name := range s.Names {
						if !enter(name) {
							continue
						}
						p.kept[name.Name] = d.Tok == token.CONST && typ != nil && typ.IsExported()
						if s.Type != nil {
							p.keep(s.Type)
						}
						for _, v := range s.Values {
							if lit, ok := v.(*ast.CompositeLit); ok && lit.Type != nil {
								p.keep(lit.Type)
							}
						}
					}
				}
			}
		}
	}
}

func firstValue(s *ast.ValueSpec) ast.Expr {
	if len(s.Values) == 0 {
		return nil
	}
	return s.Values[0]
}

// keep notes the names in a type that a declaration has.
func (p *exportsOf) keep(typ ast.Node) {
	ast.Inspect(typ, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			p.kept[name.Name] = true
		}
		return true
	})
}

// receiver returns the name of the type that a method is of.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// collectUses enters what a file names of other packages, what it calls on values, and the methods of its interfaces.
func collectUses(file *ast.File, user string, used map[string]bool, called map[string]map[string]bool) {
	imported := map[string]string{}
	for _, imp := range file.Imports {
		path, ours := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), "silvm/")
		if !ours {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		imported[name] = path
	}
	call := func(method, by string) {
		if called[method] == nil {
			called[method] = map[string]bool{}
		}
		called[method][by] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && imported[x.Name] != "" && imported[x.Name] != user {
				used[imported[x.Name]+"."+n.Sel.Name] = true
			}
			call(n.Sel.Name, user)
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, name := range m.Names {
					call(name.Name, "an interface")
				}
			}
		}
		return true
	})
}

// TestEveryCodeIsEmitted looks for each code that silvm explains, by its number or its name, in the code that reports it: one that nothing
// reports promises a check that there is not.
func TestEveryCodeIsEmitted(t *testing.T) {
	var text strings.Builder
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "codes.go" {
			return err
		}
		b, err := os.ReadFile(path)
		text.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all := text.String()
	for _, c := range source.Codes() {
		if !strings.Contains(all, `"`+c.Number+`"`) && !strings.Contains(all, `"`+c.Name+`"`) {
			t.Errorf("nothing reports %s (%s)", c.Number, c.Name)
		}
	}
}

// TestExportsAreDocumented asks for a comment on each exported name. A constant or variable has its own, or that of its block; methods that
// libraries call through an interface need none.
func TestExportsAreDocumented(t *testing.T) {
	fset := token.NewFileSet()
	root := filepath.Join("..", "..")
	names := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" {
			return err
		}
		for _, decl := range file.Decls {
			names++
			for _, name := range undocumented(decl) {
				t.Errorf("%s: no comment says what %s is", fset.Position(name.Pos()), name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if names < 1000 {
		t.Errorf("only %d declarations were found", names)
	}
}

// undocumented returns the exported names of a declaration that have no comment.
func undocumented(decl ast.Decl) (names []*ast.Ident) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Doc == nil && decl.Name.IsExported() && !isInternalMethod(decl) {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if decl.Doc == nil && spec.Doc == nil && spec.Comment == nil && spec.Name.IsExported() {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				if decl.Doc == nil && spec.Doc == nil && spec.Comment == nil && spec.Names[0].IsExported() {
					names = append(names, spec.Names[0])
				}
			}
		}
	}
	return names
}

// isInternalMethod reports whether a function is a method that no other package calls by itself: its type is not exported, or its name is
// one that interfaces of libraries have.
func isInternalMethod(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && !name.IsExported() || slices.Contains(wellKnown, f.Name.Name)
}
