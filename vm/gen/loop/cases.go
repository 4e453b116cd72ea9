// Package loop reads loop.go of package vm and composes the dispatch loop that has a case for each run of operations.
//
// The case of a run is the cases of its operations one behind the other, as they stand in loop.go, so that a run does what its
// operations do. Read cases.go, then compose.go.
package loop

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Source is loop.go, taken apart.
type Source struct {
	text   []byte
	fset   *token.FileSet
	fn     *ast.FuncDecl
	cases  map[string]*part // by operation: "Add"
	tails  map[string]*part // by label: what the loads and stores of all forms share, up to its continue
	last   *ast.CaseClause  // the default case
	parsed *ast.File
}

// part is a piece of the loop.
type part struct {
	from, to token.Pos
	ins      []token.Pos       // where it says in
	gotos    []*ast.BranchStmt // its jumps
	always   bool              // the first statement is a goto
	sets     map[string]bool   // variables that it assigns
	leaves   bool              // it may go on elsewhere than behind the instruction without going through a label
}

// Read takes the text of loop.go apart.
func Read(text []byte) (*Source, error) {
	s := &Source{text: text, fset: token.NewFileSet(), cases: map[string]*part{}, tails: map[string]*part{}}
	var err error
	if s.parsed, err = parser.ParseFile(s.fset, "loop.go", text, parser.ParseComments); err != nil {
		return nil, err
	}
	for _, d := range s.parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "loop" {
			s.fn = f
		}
	}
	if s.fn == nil {
		return nil, fmt.Errorf("no function loop")
	}
	ast.Inspect(s.fn, func(n ast.Node) bool {
		f, ok := n.(*ast.ForStmt)
		if !ok || !dispatches(f) {
			return true
		}
		err = s.body(f)
		return false
	})
	if err == nil && s.last == nil {
		err = fmt.Errorf("no switch with a default")
	}
	return s, err
}

// dispatches reports whether the loop holds the switch over operations.
func dispatches(f *ast.ForStmt) bool {
	for _, st := range f.Body.List {
		if _, ok := st.(*ast.SwitchStmt); ok {
			return true
		}
	}
	return false
}

// body reads the cases of the switch and the labels behind it.
func (s *Source) body(f *ast.ForStmt) error {
	for n, st := range f.Body.List {
		switch st := st.(type) {
		case *ast.SwitchStmt:
			for _, c := range st.Body.List {
				if err := s.clause(c.(*ast.CaseClause)); err != nil {
					return err
				}
			}
		case *ast.LabeledStmt:
			end := n
			for end < len(f.Body.List) {
				if b, ok := f.Body.List[end].(*ast.BranchStmt); ok && b.Tok == token.CONTINUE {
					s.tails[st.Label.Name] = newPart(append([]ast.Stmt{st.Stmt}, f.Body.List[n+1:end]...))
					break
				}
				if _, ok := f.Body.List[end].(*ast.LabeledStmt); ok && end > n {
					break
				}
				end++
			}
		}
	}
	return nil
}

func (s *Source) clause(c *ast.CaseClause) error {
	if c.List == nil {
		s.last = c
		return nil
	}
	for _, e := range c.List {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return fmt.Errorf("%s: a case that is no operation", s.fset.Position(e.Pos()))
		}
		s.cases[sel.Sel.Name] = newPart(c.Body)
	}
	return nil
}

func newPart(list []ast.Stmt) *part {
	p := &part{sets: map[string]bool{}}
	if len(list) == 0 {
		return p
	}
	p.from, p.to = list[0].Pos(), list[len(list)-1].End()
	if b, ok := list[0].(*ast.BranchStmt); ok && b.Tok == token.GOTO {
		p.always = true
	}
	for _, st := range list {
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if n.Name == "in" {
					p.ins = append(p.ins, n.Pos())
				}
			case *ast.BranchStmt:
				if n.Tok == token.GOTO {
					p.gotos = append(p.gotos, n)
				} else {
					p.leaves = true
				}
			case *ast.ReturnStmt:
				p.leaves = true
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN {
					for _, x := range n.Lhs {
						if id, ok := x.(*ast.Ident); ok {
							p.sets[id.Name] = true
						}
					}
				}
			}
			return true
		})
	}
	return p
}

// final reports whether the operation always goes on elsewhere than behind itself.
func (p *part) final(name string) bool {
	return p.leaves || p.always || p.sets["entry"] || p.sets["pc"] && !p.branches(name)
}

// branches reports whether the operation is a branch with two targets, one of which may stand behind it.
func (p *part) branches(name string) bool {
	return p.sets["pc"] && strings.HasPrefix(name, "Jump") && name != "Jump"
}
