package loop

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// expansion is how the names in a piece of text are written where it goes.
type expansion struct {
	names map[string]string // variables, in among them
	slow  string            // label for slow
	no    string            // in a helper that is a test: the statement for return false
	whole bool              // tails are expanded
}

// edit replaces a piece of the source.
type edit struct {
	from, to token.Pos
	text     string
}

// statements returns the text of statements with all that is to be expanded.
func (s *Source) statements(list []ast.Stmt, x expansion) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	return s.expanded(list[0].Pos(), list[len(list)-1].End(), &ast.BlockStmt{List: list}, x)
}

// expression returns the text of an expression.
func (s *Source) expression(e ast.Expr, x expansion) (string, error) {
	return s.expanded(e.Pos(), e.End(), &ast.ParenExpr{X: e}, x)
}

// expanded returns a piece of the source, which is all of a tree of syntax or lies in it, with all that is to be expanded, and
// without comments.
func (s *Source) expanded(from, to token.Pos, tree ast.Node, x expansion) (string, error) {
	var edits []edit
	for _, c := range s.parsed.Comments {
		if c.Pos() >= from && c.End() <= to {
			edits = append(edits, s.comment(c))
		}
	}
	var err error
	ast.Inspect(tree, func(n ast.Node) bool {
		if n == nil || n == tree || n.Pos() < from || n.End() > to {
			return true
		}
		if l, ok := n.(*ast.LabeledStmt); ok && x.whole && s.tails[l.Label.Name] != nil {
			t := s.tails[l.Label.Name]
			edits = append(edits, edit{l.Pos(), t.end, ""})
			return true
		}
		text, ok, e := s.replaced(n, x)
		if e != nil && err == nil {
			err = e
		}
		if ok {
			edits = append(edits, edit{n.Pos(), n.End(), text})
		}
		return !ok
	})
	return s.edited(from, to, edits), err
}

// comment takes a comment out, with its line if it has one of its own.
func (s *Source) comment(c *ast.CommentGroup) edit {
	from := c.Pos()
	for s.text[s.offset(from)-1] == '\t' {
		from--
	}
	if s.text[s.offset(from)-1] == '\n' {
		return edit{from, c.End() + 1, ""}
	}
	return edit{c.Pos(), c.End(), ""}
}

func (s *Source) edited(from, to token.Pos, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return int(a.from - b.from) })
	var b strings.Builder
	for _, e := range edits {
		if e.from < from { // inside of what another edit took away
			continue
		}
		b.Write(s.text[s.offset(from):s.offset(e.from)])
		b.WriteString(e.text)
		from = e.to
	}
	b.Write(s.text[s.offset(from):s.offset(to)])
	return b.String()
}

func (s *Source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// replaced returns what stands for a node of the syntax tree, if anything does.
func (s *Source) replaced(n ast.Node, x expansion) (text string, ok bool, err error) {
	switch n := n.(type) {
	case *ast.Ident:
		text, ok = x.names[n.Name]
	case *ast.BranchStmt:
		if n.Tok != token.GOTO {
			break
		}
		if t := s.tails[n.Label.Name]; t != nil && x.whole {
			text, err = s.statements(t.list, x)
			return text, true, err
		}
		if n.Label.Name == "slow" && x.slow != "" {
			return "goto " + x.slow, true, nil
		}
		return "goto " + n.Label.Name, true, nil
	case *ast.SelectorExpr:
		text, err = s.expression(n.X, x)
		return text + "." + n.Sel.Name, true, err
	case *ast.IfStmt:
		return s.test(n, x)
	case *ast.ReturnStmt:
		return s.answer(n, x)
	case *ast.CallExpr:
		return s.call(n, x)
	}
	return text, ok, err
}

// call returns the body of a helper in place of its call: an expression or a statement.
func (s *Source) call(n *ast.CallExpr, x expansion) (string, bool, error) {
	f, inner, err := s.helper(n, x)
	if f == nil || err != nil {
		return "", false, err
	}
	if len(f.Body.List) != 1 {
		return "", false, fmt.Errorf("%s: %s is no single statement", s.fset.Position(n.Pos()), f.Name.Name)
	}
	if r, ok := f.Body.List[0].(*ast.ReturnStmt); ok {
		text, err := s.expression(r.Results[0], inner)
		if s.operands[n] {
			text = "(" + text + ")"
		}
		return text, true, err
	}
	text, err := s.statements(f.Body.List, inner)
	return text, true, err
}

// helper returns the helper that is called, if one is, and how its parameters are written.
func (s *Source) helper(n *ast.CallExpr, x expansion) (*ast.FuncDecl, expansion, error) {
	id, ok := n.Fun.(*ast.Ident)
	if !ok || s.helpers[id.Name] == nil {
		return nil, x, nil
	}
	f := s.helpers[id.Name]
	inner := expansion{names: map[string]string{}}
	k := 0
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			arg, ok := n.Args[k].(*ast.Ident)
			if !ok {
				return nil, x, fmt.Errorf("%s: an argument of %s that is no variable", s.fset.Position(n.Pos()), id.Name)
			}
			inner.names[name.Name] = arg.Name
			if to, ok := x.names[arg.Name]; ok {
				inner.names[name.Name] = to
			}
			k++
		}
	}
	return f, inner, nil
}

// test expands "if !helper(…) { goto label }".
func (s *Source) test(n *ast.IfStmt, x expansion) (string, bool, error) {
	not, ok := n.Cond.(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT {
		return "", false, nil
	}
	call, ok := not.X.(*ast.CallExpr)
	if !ok {
		return "", false, nil
	}
	f, inner, err := s.helper(call, x)
	if f == nil || err != nil {
		return "", false, err
	}
	if inner.no, err = s.statements(n.Body.List, x); err != nil {
		return "", false, err
	}
	text, err := s.statements(f.Body.List, inner)
	return text, true, err
}

// answer expands a return of a helper that is a test.
func (s *Source) answer(n *ast.ReturnStmt, x expansion) (string, bool, error) {
	if x.no == "" {
		return "", false, nil
	}
	if id, ok := n.Results[0].(*ast.Ident); ok && id.Name == "false" {
		return x.no, true, nil
	}
	text, err := s.expression(n.Results[0], x)
	return "if !(" + text + ") {\n" + x.no + "\n}", true, err
}
