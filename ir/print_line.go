package ir

import (
	"slices"
	"strconv"
	"strings"
)

// Lines writes instructions and values of a function one at a time, as the compiler's dumps do: with the comments on their users. It holds
// as long as the function is not changed.
type Lines struct {
	f      *Function
	places *places // nil unless the lines tell where instructions come from
	opened *openedTypes
}

// NewLines numbers the function.
func NewLines(f *Function) *Lines {
	f.number()
	return &Lines{f: f}
}

// NewLines numbers a function of the module. When the module has its places settled the lines tell them, in a scope without a number.
func (m *Module) NewLines(f *Function) *Lines {
	l := NewLines(f)
	if m.settled {
		l.places = &places{mod: m, own: map[*Function]*Scope{}, numbers: map[*Scope]int{}}
		l.places.enter(f)
	}
	return l
}

// Inst returns the line of an instruction with its comment and newline, the line that names a function before it included.
func (l *Lines) Inst(i *Inst) string {
	return l.write(func(p *printer) {
		p.refComment(i)
		p.str("  ")
		p.inst(i)
		p.usersComment(i)
		p.str("\n")
	})
}

// Function returns the whole function with the comments of its lines.
func (l *Lines) Function() string {
	return l.write(func(p *printer) { p.function(l.f) })
}

// Block returns a block with the comments of its lines.
func (l *Lines) Block(b *Block) string {
	return l.write(func(p *printer) {
		p.findPreds(l.f.Blocks)
		p.block(b)
	})
}

// Value returns the line of the instruction that defines the value, or "%0 = argument of bb0 : $T" with its comment.
func (l *Lines) Value(v *Value) string {
	if v.inst != nil && len(v.inst.Results) == 1 {
		return l.Inst(v.inst)
	}
	return l.write(func(p *printer) {
		if v.inst != nil {
			p.oneResult(v)
			return
		}
		if v.IsUndef() {
			p.str("undef<$", v.Type.String(), ">\n")
			return
		}
		p.value(v)
		p.str(" = argument of ")
		p.blockName(v.block)
		p.str(" : $", v.Type.String())
		if v.HasUses() {
			p.pad()
			p.str("// ")
			p.users(v)
		}
		p.str("\n")
	})
}

// oneResult writes an instruction with the one of its results emphasized that is meant.
func (p *printer) oneResult(v *Value) {
	p.str("(")
	for n, r := range v.inst.Results {
		if n > 0 {
			p.str(", ")
		}
		if r == v {
			p.str("**", "%", strconv.Itoa(r.num), "**")
		} else {
			p.str("%", strconv.Itoa(r.num))
		}
	}
	p.str(") = ")
	p.instText(v.inst)
	if v.HasUses() {
		p.pad()
		p.str("// ")
		p.users(v)
	}
	p.str("\n")
}

// GlobalLines returns the lines of a global variable, with an empty line after an initializer.
func GlobalLines(g *Global) string {
	return (&Lines{}).write(func(p *printer) {
		p.global(g)
		if g.Init != nil {
			p.str("\n")
		}
	})
}

func (l *Lines) write(f func(p *printer)) string {
	var b strings.Builder
	p := newPrinter(&b)
	p.comments, p.lone, p.places = true, true, l.places
	if l.f != nil {
		if l.opened == nil {
			l.opened = findOpened(l.f)
		}
		p.opened = l.opened
	}
	f(p)
	_ = p.out.Flush()
	return b.String()
}

// openedTypes says which instructions name types that others open: they use these, too.
type openedTypes struct {
	defs map[*Inst][]*Value
	uses map[*Value][]*Inst
}

func findOpened(f *Function) *openedTypes {
	o := &openedTypes{map[*Inst][]*Value{}, map[*Value][]*Inst{}}
	by := map[string]*Value{}
	for i := range f.Insts() {
		if i.Op.OpensType() && len(i.Results) == 1 {
			each(f.Module, i.Results[0].Type, func(name string) { by[name] = i.Results[0] })
		}
	}
	if len(by) == 0 {
		return o
	}
	for i := range f.Insts() {
		if i.Op.OpensType() {
			continue
		}
		named := i.Types
		switch aux := i.Aux.(type) {
		case *ApplyAux:
			named = slices.Concat(named, aux.Subs)
		case *BuiltinAux:
			named = slices.Concat(named, aux.Subs)
		}
		for _, t := range named {
			each(f.Module, t, func(name string) {
				if v := by[name]; v != nil && !slices.Contains(o.defs[i], v) {
					o.defs[i] = append(o.defs[i], v)
					o.uses[v] = append(o.uses[v], i)
				}
			})
		}
	}
	return o
}

// each calls note with the names of the opened types in a type.
func each(m *Module, t *Type, note func(name string)) {
	if t != nil && t.HasLocal() {
		m.Types.Subst(t, func(x *Type) *Type {
			if x.Kind == KindOpened {
				note(x.Name)
			}
			return nil
		})
	}
}
