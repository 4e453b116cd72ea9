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
	lead := "// "
	if p.opened != nil {
		for _, v := range p.opened.defs[i] {
			if lead == "// " {
				p.pad()
				lead = "// type-defs: "
			}
			p.str(lead, "%")
			p.int(v.num)
			lead = ", "
		}
	}
	if lead == ", " {
		lead = "; "
	} else if len(i.Results) == 0 {
		p.pad()
	}
	if len(i.Results) == 0 {
		p.str(lead, "id: %")
		p.int(i.id())
		return
	}
	used := false
	for _, r := range i.Results {
		used = used || r.HasUses()
	}
	if used {
		if lead == "// " {
			p.pad()
		}
		p.str(lead)
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
		if p.opened != nil {
			for _, i := range p.opened.uses[v] {
				ids = append(ids, i.id())
			}
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

// Comments are the comments that people wrote into a text, by what they stand at: an Item, a *Block, an *Inst, a Part or a Place.
type Comments map[any]*Comment

// Comment is what stands at one thing.
type Comment struct {
	Above []string // the lines above it, "" for an empty one
	End   []string // after it on its line
}

// At returns what stands at a thing, for more to be added.
func (c Comments) At(thing any) *Comment {
	if c[thing] == nil {
		c[thing] = &Comment{}
	}
	return c[thing]
}

// Part is an entry of a table by its index, or the brace that closes an item.
type Part struct {
	Of Item
	N  int
}

// Closing is the N of a closing brace.
const Closing = -1

// Place is a line of a file that is no item: its stage, an import, its end.
type Place string

const (
	StagePlace Place = "sil_stage" // the line that tells the stage
	EndPlace   Place = ""          // after everything
)

// ImportPlace is the place of an import, which is given by its text.
func ImportPlace(text string) Place { return Place(text) }

// above writes the comments above a thing.
func (p *printer) above(thing any, indent string) {
	if p.kept == nil {
		return
	}
	if c := p.kept[thing]; c != nil {
		for _, line := range c.Above {
			if line == "" {
				p.own("")
				continue
			}
			p.own(indent, line)
		}
	}
	switch x := thing.(type) { // the line that sil-opt writes another in the place of
	case *Function:
		p.replaced(x.Name, x.Comment)
	case *Global:
		p.replaced(x.Name, x.Comment)
	}
}

// replaced writes the comment that was read above a function or global, where another one takes its place.
func (p *printer) replaced(name, read string) {
	if read != "" && p.nameComment(name, read) != read {
		p.own("// ", oneLine(read))
	}
}

// own writes a line of somebody's own as it is.
func (p *printer) own(parts ...string) {
	for _, s := range parts {
		_, _ = p.out.WriteString(s)
	}
	_, _ = p.out.WriteString("\n")
	p.col = 0
}

// endLine ends the line of a thing with the comments that stand there.
func (p *printer) endLine(thing any) {
	if c := p.kept[thing]; c != nil && len(c.End) > 0 {
		p.pad()
		list := slices.Clone(c.End) // one of several lines would end after one that takes the rest of its line
		slices.SortStableFunc(list, func(a, b string) int { return strings.Compare(a[:2], b[:2]) })
		p.own(strings.Join(list, " "))
		return
	}
	p.str("\n")
}
