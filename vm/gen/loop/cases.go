// Package loop reads loop.go of package vm and composes the dispatch loop that has a case for each run of operations.
//
// The case of a run is the cases of its operations one after the other, as they stand in loop.go, so that a run does what its
// operations do. What loop.go says once is expanded: the functions after the loop where they are called, and the labels that end in
// continue where a case jumps to them.
//
// Read cases.go, then expand.go and compose.go.
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
	text    []byte
	fset    *token.FileSet
	parsed  *ast.File
	fn      *ast.FuncDecl
	clauses []*ast.CaseClause
	slow    *ast.LabeledStmt
	cases   map[string]*part         // by operation: "Add"
	tails   map[string]*part         // by label: what several cases share, up to its continue
	helpers map[string]*ast.FuncDecl // by name: what is expanded where it is called

	operands map[ast.Node]bool // of operators
}

// part is a piece of the loop.
type part struct {
	list     []ast.Stmt
	end      token.Pos       // of a tail: after its continue
	in       bool            // it reads in
	declares bool            // it declares variables outside any block
	sets     map[string]bool // variables that it assigns, in tails too
	readsPC  bool
	leaves   bool            // it may go on elsewhere than after the instruction without going through a label
	exits    map[string]bool // labels, other than tails, that it jumps to, in tails too
	always   bool            // it ends there or in a return
}

// Read takes the text of loop.go apart.
func Read(text []byte) (*Source, error) {
	s := &Source{text: text, fset: token.NewFileSet(), cases: map[string]*part{}, tails: map[string]*part{}, helpers: map[string]*ast.FuncDecl{},
		operands: map[ast.Node]bool{}}
	var err error
	if s.parsed, err = parser.ParseFile(s.fset, "loop.go", text, parser.ParseComments); err != nil {
		return nil, err
	}
	for _, d := range s.parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
		case f.Name.Name == "loop":
			s.fn = f
		case f.Recv == nil && (strings.HasPrefix(f.Name.Name, "get") || strings.HasPrefix(f.Name.Name, "put") || f.Name.Name == "live"):
			s.helpers[f.Name.Name] = f
		}
	}
	if s.fn == nil {
		return nil, fmt.Errorf("no function loop")
	}
	ast.Inspect(s.parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			s.operands[n.X], s.operands[n.Y] = true, true
		case *ast.UnaryExpr:
			s.operands[n.X] = true
		}
		return true
	})
	ast.Inspect(s.fn, func(n ast.Node) bool {
		f, ok := n.(*ast.ForStmt)
		if !ok || !dispatches(f) {
			return true
		}
		err = s.body(f)
		return false
	})
	if err == nil && (len(s.clauses) == 0 || s.slow == nil) {
		err = fmt.Errorf("no switch over operations, or no label slow")
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

// body reads the labels after the switch, then its cases, which jump there.
func (s *Source) body(f *ast.ForStmt) error {
	for n, st := range f.Body.List {
		l, ok := st.(*ast.LabeledStmt)
		if !ok {
			continue
		}
		if l.Label.Name == "slow" {
			s.slow = l
		}
		list := append([]ast.Stmt{l.Stmt}, f.Body.List[n+1:]...)
		for end, st := range list {
			if b, ok := st.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil {
				t := s.newPart(list[:end])
				t.end = b.End()
				s.tails[l.Label.Name] = t
				break
			}
			if _, ok := st.(*ast.LabeledStmt); ok {
				break
			}
		}
	}
	for _, st := range f.Body.List {
		sw, ok := st.(*ast.SwitchStmt)
		if !ok {
			continue
		}
		for _, c := range sw.Body.List {
			if err := s.clause(c.(*ast.CaseClause)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Source) clause(c *ast.CaseClause) error {
	s.clauses = append(s.clauses, c)
	for _, e := range c.List {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return fmt.Errorf("%s: a case that is no operation", s.fset.Position(e.Pos()))
		}
		s.cases[sel.Sel.Name] = s.newPart(c.Body)
	}
	return nil
}

func (s *Source) newPart(list []ast.Stmt) *part {
	p := &part{list: list, sets: map[string]bool{}, exits: map[string]bool{}}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.DeclStmt:
			p.declares = true
		case *ast.AssignStmt:
			p.declares = p.declares || st.Tok == token.DEFINE
		}
		s.look(p, st)
	}
	if len(list) > 0 {
		switch st := list[len(list)-1].(type) {
		case *ast.BranchStmt:
			p.always = st.Tok == token.GOTO && s.tails[st.Label.Name] == nil
		case *ast.ReturnStmt:
			p.always = true
		}
	}
	return p
}

// look notes what a statement does.
func (s *Source) look(p *part, st ast.Stmt) {
	written := map[*ast.Ident]bool{}
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && s.helpers[id.Name] != nil {
				p.declares = p.declares || len(s.helpers[id.Name].Body.List) > 1
			}
		case *ast.Ident:
			p.in = p.in || n.Name == "in"
			p.readsPC = p.readsPC || n.Name == "pc" && !written[n]
		case *ast.BranchStmt:
			switch {
			case n.Tok != token.GOTO:
				p.leaves = true
			case s.tails[n.Label.Name] != nil:
				p.include(s.tails[n.Label.Name])
			default:
				p.exits[n.Label.Name] = true
			}
		case *ast.ReturnStmt:
			p.leaves = true
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.ASSIGN {
					p.sets[id.Name] = true
					written[id] = true
				}
			}
		}
		return true
	})
}

// include notes that what a tail does is done too.
func (p *part) include(tail *part) {
	p.in, p.readsPC, p.leaves = p.in || tail.in, p.readsPC || tail.readsPC, p.leaves || tail.leaves
	p.declares = p.declares || tail.declares
	for name := range tail.sets {
		p.sets[name] = true
	}
	for name := range tail.exits {
		p.exits[name] = true
	}
}

// final reports whether the operation always goes on elsewhere than after itself.
func (p *part) final(name string) bool {
	return p.leaves || p.always || p.sets["pc"] && !p.branches(name)
}

// branches reports whether the operation is a branch with two targets, one of which may stand after it.
func (p *part) branches(name string) bool {
	return p.sets["pc"] && strings.HasPrefix(name, "Jump") && name != "Jump"
}
