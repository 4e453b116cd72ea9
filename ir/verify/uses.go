package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// owner knows the ownership of every value of a function and what every use does with it.
type owner struct {
	c    *checker
	mod  *ir.Module
	own  *ownership.Ownership
	dead []bool // by Block.Index: no path leads to the end of the function
	ids  map[*ir.Value]int32
	vals []valueInfo
	uses []use
	life lifetimes
	phis map[*ir.Value][]*ir.Value // see partPhis
}

// valueInfo is what is known of a value; first and last are its uses, -1 for none.
type valueInfo struct {
	value       *ir.Value
	kind        ownership.Kind
	clear       bool // nothing is known to be wrong or unknown about its uses
	first, last int32
}

// use is one operand with the ownership rule that holds for it; 0 when it is not known.
type use struct {
	inst *ir.Inst
	n    int // of the operand
	own  op.Ownership
	next int32
}

// newOwner numbers the values of the function and finds kinds and uses. Blocks that are not reached come last.
func newOwner(c *checker) *owner {
	o := &owner{c: c, mod: c.mod, dead: c.deadEnds(), ids: map[*ir.Value]int32{}, own: ownership.New(c.f, c.types)}
	o.own.Preds = func(b *ir.Block) []*ir.Block { return c.dom.Preds[b.Index] }
	o.own.Lookup = func(v *ir.Value) (ownership.Kind, bool) { return o.kindOf(v), true }
	blocks := append([]*ir.Block(nil), c.dom.Order...)
	for _, b := range c.f.Blocks {
		if !c.dom.IsReachable(b) {
			blocks = append(blocks, b)
		}
	}
	for _, b := range blocks {
		for _, a := range b.Args {
			o.add(a, o.own.ArgKind(a))
		}
		for i := range b.Insts() {
			if i.Op == op.Borrowed {
				if id, ok := o.ids[i.Arg(0)]; ok { // another name of a block argument, with its uses
					o.ids[i.Result()] = id
					continue
				}
			}
			for _, r := range i.Results {
				o.add(r, o.own.ResultKind(r))
			}
		}
	}
	for i := range c.f.Insts() {
		if i.Op == op.Borrowed {
			continue // no use: it says what is known
		}
		for n := range i.Operands {
			o.addUse(i, n)
		}
	}
	o.life.init(o)
	return o
}

func (o *owner) add(v *ir.Value, k ownership.Kind) {
	o.ids[v] = int32(len(o.vals))
	o.vals = append(o.vals, valueInfo{value: v, kind: k, clear: true, first: -1, last: -1})
}

func (o *owner) addUse(i *ir.Inst, n int) {
	v := i.Operands[n].Value()
	id, ok := o.ids[v]
	if !ok {
		return // undef
	}
	info := &o.vals[id]
	at := int32(len(o.uses))
	o.uses = append(o.uses, use{inst: i, n: n, own: o.own.Use(i, n), next: -1})
	if info.last >= 0 {
		o.uses[info.last].next = at
	} else {
		info.first = at
	}
	info.last = at
}

// kindOf returns the ownership of a value; undef has none.
func (o *owner) kindOf(v *ir.Value) ownership.Kind {
	if v == nil || v.IsUndef() {
		return ownership.KindNone
	}
	if id, ok := o.ids[v]; ok {
		return o.vals[id].kind
	}
	return ownership.KindUnknown
}

// each calls yield for the uses of a value in the order of the text.
func (o *owner) each(v *ir.Value, yield func(u *use)) {
	id, ok := o.ids[v]
	if !ok {
		return
	}
	for n := o.vals[id].first; n >= 0; n = o.uses[n].next {
		yield(&o.uses[n])
	}
}
