package rewrite

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// Cloner copies instructions and blocks within one module, with other values, blocks and types in place of those in the maps. What
// is in no map stays.
type Cloner struct {
	mod    *ir.Module
	Values map[*ir.Value]*ir.Value
	Blocks map[*ir.Block]*ir.Block
	// replace answers what stands for a generic parameter or an opened archetype, nil for what stays; nil as a whole when all types
	// stay.
	Replace func(*ir.Type) *ir.Type
	// lowering, when it is not nil, lowers the types of values.
	Lowering *TypeLowering
	// leaveOut, when it is not nil, says which instructions are not copied; nothing may use their results.
	LeaveOut func(*ir.Inst) bool
	// openings are the new names of opened archetypes, by the old ones.
	openings map[string]string
}

// NewCloner returns a cloner into a module that stands nothing for another yet.
func NewCloner(mod *ir.Module) *Cloner {
	return &Cloner{mod: mod, Values: map[*ir.Value]*ir.Value{}, Blocks: map[*ir.Block]*ir.Block{}}
}

// Typ returns the type that stands for t.
func (c *Cloner) Typ(t *ir.Type) *ir.Type {
	if c.Replace == nil || t == nil {
		return t
	}
	if c.Lowering != nil {
		return c.Lowering.Value(t)
	}
	return c.mod.Types.Subst(t, c.Replace)
}

// Value returns the value that stands for v.
func (c *Cloner) Value(v *ir.Value) *ir.Value {
	if r, ok := c.Values[v]; ok {
		return r
	}
	if v.IsUndef() {
		return ir.NewUndef(c.Typ(v.Type))
	}
	return v
}

// LeavesOut reports whether the clone has no such instruction.
func (c *Cloner) LeavesOut(i *ir.Inst) bool { return c.LeaveOut != nil && c.LeaveOut(i) }

// Inst returns a copy of i that is in no block. Its operands must have been copied before it.
func (c *Cloner) Inst(i *ir.Inst) *ir.Inst {
	n := c.shell(i)
	c.fill(n, i)
	return n
}

// CopyTo puts a copy of i at the end of a block and returns its only result.
func (c *Cloner) CopyTo(b *ir.Block, i *ir.Inst) *ir.Value {
	n := c.Inst(i)
	b.Append(n)
	return n.Result()
}

// Bare returns what i says beside its operands and results, for a builder.
func (c *Cloner) Bare(i *ir.Inst) *ir.Inst {
	return &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux, Forwarding: i.Forwarding, Pos: i.Pos, Loc: i.Loc, Scope: i.Scope}
}

// shell copies i without operands.
func (c *Cloner) shell(i *ir.Inst) *ir.Inst {
	n := &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux, Forwarding: i.Forwarding, Pos: i.Pos, Loc: i.Loc, Scope: i.Scope}
	if c.Replace != nil {
		SubstInst(c.mod.Types, n, c.Replace)
	}
	if c.Lowering != nil && !namesFormalTypes[i.Op] {
		n.Types = c.Lowering.each(i.Types, c.Lowering.Value)
	}
	switch aux := n.Aux.(type) {
	case *ir.ApplyAux:
		if aux.Sugar != "" {
			plain := *aux
			plain.Sugar = "" // a copy does not keep how the source wrote types
			n.Aux = &plain
		}
	case *ir.OpenPackAux:
		if id := c.openings[aux.ID]; id != "" {
			renamed := *aux
			renamed.ID = id
			n.Aux = &renamed
		}
	}
	for _, e := range i.Succs {
		if to, ok := c.Blocks[e.To]; ok {
			e.To = to
		}
		n.Succs = append(n.Succs, e)
	}
	for _, r := range i.Results {
		v := n.AddResult(c.Typ(r.Type))
		v.Ownership, v.Flags = r.Ownership, r.Flags
		c.Values[r] = v
	}
	return n
}

// fill gives n, the shell of i, its operands.
func (c *Cloner) fill(n, i *ir.Inst) {
	operands := make([]*ir.Value, len(i.Operands))
	for k := range i.Operands {
		operands[k] = c.Value(i.Arg(k))
	}
	n.SetOperands(operands)
}

// Body copies the blocks of from into the function to, at its end, with new arguments for all blocks but those that have a block in
// c.blocks already, to which their instructions are appended.
func (c *Cloner) Body(from, to *ir.Function) []*ir.Block {
	var made []*ir.Block
	order := cloningOrder(from, nil)
	for _, b := range order {
		if c.Blocks[b] == nil {
			c.Blocks[b] = to.AddBlock("")
			c.args(b)
			made = append(made, c.Blocks[b])
		}
	}
	c.fillBlocks(order)
	return made
}

// args gives the block that stands for b the arguments that it has.
func (c *Cloner) args(b *ir.Block) {
	for _, a := range b.Args {
		v := c.Blocks[b].AddArg(c.Typ(a.Type))
		v.Ownership, v.Flags, v.Name = a.Ownership, a.Flags, a.Name
		c.Values[a] = v
	}
}

// fillBlocks copies the instructions of blocks to the ends of those that stand for them.
func (c *Cloner) fillBlocks(order []*ir.Block) {
	type pair struct{ made, of *ir.Inst }
	var pairs []pair
	for _, b := range order {
		for i := range b.Insts() {
			if c.LeavesOut(i) {
				continue
			}
			n := c.shell(i)
			c.Blocks[b].Append(n)
			pairs = append(pairs, pair{n, i})
		}
	}
	for _, p := range pairs {
		c.fill(p.made, p.of)
	}
}

// SplitRevisitedEdges puts blocks on critical edges of a function that is about to be copied, as the compiler does: on those to blocks that it
// has met already when it lays out the copy. In ownership form there are no critical edges.
func SplitRevisitedEdges(c *pass.Context, f *ir.Function) {
	if f.IsOSSA() {
		return
	}
	edges := map[*ir.Block]int{}
	for _, b := range f.Blocks {
		if t := b.Terminator(); t != nil {
			for _, e := range t.Succs {
				edges[e.To]++
			}
		}
	}
	split := false
	cloningOrder(f, func(t *ir.Inst, n int) {
		if len(t.Succs) > 1 && edges[t.Succs[n].To] > 1 {
			ir.SplitEdge(t, n)
			split = true
		}
	})
	if split {
		f.Renumber()
		c.Changed(f)
	}
}

// cloningOrder lists the reachable blocks as the compiler lays out a copy: depth first, the successors of a block next to one another. It
// calls again, when that is not nil, for each edge to a block that was listed before.
func cloningOrder(f *ir.Function, again func(t *ir.Inst, n int)) []*ir.Block {
	if len(f.Blocks) == 0 {
		return nil
	}
	order := []*ir.Block{f.Entry()}
	seen := map[*ir.Block]bool{f.Entry(): true}
	for stack := []*ir.Block{f.Entry()}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := len(stack)
		if t := b.Terminator(); t != nil {
			for n, e := range t.Succs {
				if !seen[e.To] {
					seen[e.To] = true
					order = append(order, e.To)
					stack = append(stack, e.To)
				} else if again != nil {
					again(t, n)
				}
			}
		}
		slices.Reverse(stack[at:]) // the first successor is taken first
	}
	return order
}

// Function returns a copy of f under another name, which is in no module yet.
func (c *Cloner) Function(f *ir.Function, name string) *ir.Function {
	n := &ir.Function{Name: name, Linkage: f.Linkage, Attrs: slices.Clone(f.Attrs), Type: f.Type, Effects: f.Effects,
		Pos: f.Pos, Loc: f.Loc, Scope: f.Scope, Module: f.Module, Comment: SpecializedComment(f)}
	c.Body(f, n)
	n.Renumber()
	return n
}

// SpecializedComment returns the line above a specialization: the name of the original for people, as the compiler derives it from
// the symbol. What a person wrote above the original does not come along.
func SpecializedComment(f *ir.Function) string {
	name := ir.DisplayName(f.Name, f.Comment)
	if strings.HasPrefix(name, "specialized ") {
		return name
	}
	return "specialized " + name
}

// FreshOpenings renames opened archetypes, as each opening has its own. taken are the names in use; the new ones are entered.
func (c *Cloner) FreshOpenings(names iter.Seq[string], taken map[string]bool) {
	fresh := map[string]string{}
	for name := range names {
		if !taken[name] {
			taken[name] = true
			continue
		}
		for n := 1; fresh[name] == ""; n++ {
			if try := fmt.Sprintf("%08X%s", n, name[min(8, len(name)):]); !taken[try] {
				fresh[name], taken[try] = try, true
			}
		}
	}
	if len(fresh) == 0 {
		return
	}
	c.openings = fresh
	outer := c.Replace
	c.Replace = func(t *ir.Type) *ir.Type {
		if name := fresh[t.Name]; name != "" && (t.Kind == ir.KindOpened || t.Kind == ir.KindPackElement) {
			o := *t
			o.Name = name
			return c.mod.Types.Intern(&o)
		}
		if outer != nil {
			return outer(t)
		}
		return nil
	}
}

// Openings yields the names of the archetypes that instructions open, in the order of the text.
func Openings(types *ir.Types, insts iter.Seq[*ir.Inst]) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		more := true
		note := func(t *ir.Type) *ir.Type {
			if (t.Kind == ir.KindOpened || t.Kind == ir.KindPackElement) && !seen[t.Name] && more {
				seen[t.Name] = true
				more = yield(t.Name)
			}
			return nil
		}
		for i := range insts {
			if aux, ok := i.Aux.(*ir.OpenPackAux); ok && !seen[aux.ID] && more { // its result does not name what it opens
				seen[aux.ID] = true
				more = yield(aux.ID)
			}
			for _, r := range i.Results {
				if r.Type != nil && r.Type.HasLocal() {
					types.Subst(r.Type, note)
				}
			}
		}
	}
}

// SubstInst replaces types in what an instruction says besides its operands and results.
func SubstInst(ts *ir.Types, i *ir.Inst, replace func(*ir.Type) *ir.Type) {
	list := func(types []*ir.Type) []*ir.Type {
		var out []*ir.Type
		for n, t := range types {
			if s := ts.Subst(t, replace); s != t {
				if out == nil {
					out = append(out, types...)
				}
				out[n] = s
			}
		}
		if out == nil {
			return types
		}
		return out
	}
	if aux, ok := i.Aux.(*ir.IntAux); ok && (i.Op == op.ScalarPackIndex || i.Op == op.PackPackIndex) && i.Types[0].Kind == ir.KindPack && aux.Value.IsInt64() {
		i.Aux = IntAux(ts.PackStart(i.Types[0], int(aux.Int64()), replace))
	}
	i.Types = list(i.Types)
	switch aux := i.Aux.(type) {
	case *ir.ApplyAux:
		n := *aux
		if n.Subs = list(aux.Subs); len(n.Subs) > 0 && &n.Subs[0] != &aux.Subs[0] {
			n.Sugar = ""
		}
		n.Fn = ts.Subst(aux.Fn, replace)
		i.Aux = &n
	case *ir.BuiltinAux:
		n := *aux
		n.Subs = list(aux.Subs)
		i.Aux = &n
	case *ir.MethodAux:
		n := *aux
		n.Type = ts.Subst(aux.Type, replace)
		i.Aux = &n
	case *ir.KeyPathAux:
		n := *aux
		n.Subs = list(aux.Subs)
		i.Aux = &n
	}
}
