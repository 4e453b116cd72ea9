package ir

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"silvm/ir/op"
)

// commentColumn is where the compiler puts the comment of a line that is not longer.
const commentColumn = 50

// advance moves the column over s.
func (p *printer) advance(s string) {
	if n := strings.LastIndexByte(s, '\n'); n >= 0 {
		p.col = 0
		s = s[n+1:]
	}
	p.col += utf8.RuneCountInString(s)
}

// pad writes spaces up to the column of comments, at least one.
func (p *printer) pad() {
	p.str(strings.Repeat(" ", max(commentColumn-p.col, 1)))
}

// isMangled reports whether the name is one that the compiler makes of a Swift declaration.
func isMangled(name string) bool {
	return strings.HasPrefix(name, "$s") || strings.HasPrefix(name, "$e") || strings.HasPrefix(name, "$S") || strings.HasPrefix(name, "_T0")
}

// nameComment returns the comment above a function or a global: its demangled name.
func (p *printer) nameComment(name, read string) string {
	if !p.comments || isMangled(name) && read != "" {
		return read
	}
	return DisplayName(name, "")
}

// withImplicitImports returns the imports that the compiler has of each module.
func withImplicitImports(imports []string) []string {
	all := slices.Clone(imports)
	for _, text := range []string{"import Builtin", "import Swift", "import SwiftShims"} {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// inCompilersOrder returns the items in the order in which the compiler prints a module, each kind in its own order, without
// the scopes that only places in the source refer to.
func inCompilersOrder(items []Item) []Item {
	kind := func(i Item) int {
		switch i.(type) {
		case *Global:
			return 1
		case *Function:
			return 2
		case *VTable:
			return 3
		case *WitnessTable:
			return 4
		}
		return 0
	}
	sorted := slices.DeleteFunc(slices.Clone(items), func(i Item) bool {
		raw, ok := i.(*Raw)
		return ok && strings.HasPrefix(raw.Text, "sil_scope ")
	})
	slices.SortStableFunc(sorted, func(a, b Item) int { return kind(a) - kind(b) })
	return sorted
}

func (p *printer) findPreds(blocks []*Block) {
	p.preds = map[*Block][]int{}
	for n := len(blocks) - 1; n >= 0; n-- {
		if t := blocks[n].Terminator(); t != nil {
			for k := len(t.Succs) - 1; k >= 0; k-- {
				to := t.Succs[k].To
				p.preds[to] = append(p.preds[to], n)
			}
		}
	}
	if p.sorted {
		for _, list := range p.preds {
			slices.Sort(list)
		}
	}
}

func (p *printer) predsComment(b *Block) {
	preds := p.preds[b]
	if len(preds) == 0 {
		return
	}
	p.pad()
	p.str("// Preds:")
	for _, n := range preds {
		p.str(" bb", strconv.Itoa(n))
	}
}

// argComments writes the lines before a block that name the users of its arguments.
func (p *printer) argComments(b *Block) {
	for _, a := range b.Args {
		if a.HasUses() {
			p.str("// %", strconv.Itoa(a.num))
			p.pad()
			p.str("// ")
			p.users(a)
			p.str("\n")
		}
	}
}

// refComment writes the line before an instruction that names a function.
func (p *printer) refComment(i *Inst) {
	word := ""
	switch i.Op {
	case op.FunctionRef:
		word = "function_ref"
	case op.DynamicFunctionRef:
		word = "dynamic_function_ref"
	case op.PrevDynamicFunctionRef:
		word = "prev_dynamic_function_ref"
	default:
		return
	}
	if aux, ok := i.Aux.(*SymbolAux); ok {
		read := ""
		if aux.Func != nil {
			read = aux.Func.Comment
		}
		p.str("  // ", word, " ", oneLine(p.nameComment(aux.Name, read)), "\n")
	}
}

// usersComment ends the line of an instruction with the numbers of its users or, when it has no result, its own.
func (p *printer) usersComment(i *Inst) {
	if len(i.Results) == 0 {
		p.pad()
		p.str("// id: %")
		p.int(i.id())
		return
	}
	used := false
	for _, r := range i.Results {
		used = used || r.HasUses()
	}
	if used {
		p.pad()
		p.str("// ")
		p.users(i.Results...)
	}
}

// users writes who uses the values, the users of each value from the last to the first.
func (p *printer) users(values ...*Value) {
	var ids []int
	for _, v := range values {
		from := len(ids)
		for o := range v.Uses() {
			ids = append(ids, o.User().id())
		}
		slices.Sort(ids[from:])
		if !p.sorted {
			slices.Reverse(ids[from:])
		}
	}
	word := "users: "
	if len(ids) == 1 {
		word = "user: "
	}
	for n, id := range ids {
		if n > 0 {
			word = ", "
		}
		p.str(word, "%", strconv.Itoa(id))
	}
}

// id is the number that stands for the instruction: that of its first result or the one it takes up without a result.
func (i *Inst) id() int {
	if len(i.Results) > 0 {
		return i.Results[0].num
	}
	return i.num
}
