package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LowerTupleAddrConstructor makes a tuple in memory element by element: what is an address is taken from there, what is a value is stored.
//
//	tuple_addr_constructor [init] %0 : $*(C, D) with (%1 : $*C, %2 : $D)    ⇒    %3 = tuple_element_addr %0, 0
//	                                                                             copy_addr [take] %1 to [init] %3
//	                                                                             %4 = tuple_element_addr %0, 1
//	                                                                             store %2 to [init] %4
//
// A tuple in the tuple is one part where a type parameter stood for it, else it is made of as many as it has elements. With an element that is an expansion it is left alone: how many
// there are is not known.
// Source: lib/SILOptimizer/Mandatory/LowerTupleAddrConstructor.cpp.
var LowerTupleAddrConstructor = &pass.Pass{Name: "lower-tuple-addr-constructor", Doc: "Makes tuples in memory element by element",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		e := rewrite.NewEditor(c, f)
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op != op.TupleAddrConstructor {
					continue
				}
				t := i.Arg(0).Type.Object()
				rest, ok := matchParts(c.Module, t, i.Operands[1:])
				if !ok || len(rest) > 0 {
					c.Missed(f, i, "the tuple has an expansion, of which the length is not known")
					continue
				}
				c.Passed(f, i, "made the tuple element by element")
				l := &tupleInMemory{Editor: e, i: i, b: e.Before(i), next: 1}
				l.fill(i.Arg(0))
				i.Remove()
				changed = true
			}
		}
		return changed
	}}

// matchParts goes through the elements of a tuple, those of tuples in it in their stead, and returns the parts that are for none of them; ok is
// false when it is not known which are.
func matchParts(mod *ir.Module, t *ir.Type, parts []ir.Operand) (rest []ir.Operand, ok bool) {
	for _, a := range t.Args {
		switch {
		case a.Kind == ir.KindPackExpansion:
			return nil, false
		case a.Kind == ir.KindTuple && !isWhole(mod, a, parts):
			if parts, ok = matchParts(mod, a, parts); !ok {
				return nil, false
			}
		case len(parts) == 0:
			return nil, false
		default:
			parts = parts[1:]
		}
	}
	return parts, true
}

// isWhole reports whether the next part is for a tuple in the tuple as a whole: what a type parameter stands for.
func isWhole(mod *ir.Module, t *ir.Type, parts []ir.Operand) bool {
	return len(parts) > 0 && mod.Canonical(parts[0].Value().Type.Object()) == mod.Canonical(t)
}

// tupleInMemory is a tuple that is being made.
type tupleInMemory struct {
	*rewrite.Editor
	i    *ir.Inst
	b    *ir.Builder
	next int // the operand that is the next part
}

// fill puts the next parts to the address of a tuple.
func (l *tupleInMemory) fill(to *ir.Value) {
	t := to.Type.Object()
	for n := range t.Args {
		at := l.b.Emit(&ir.Inst{Op: op.TupleElementAddr, Aux: rewrite.IntAux(n)}, to).Result()
		if t.Args[n].Kind == ir.KindTuple && !isWhole(l.Context.Module, t.Args[n], l.i.Operands[l.next:]) {
			l.fill(at)
			continue
		}
		part := l.i.Arg(l.next)
		l.next++
		init := l.i.Has(op.QualInit)
		switch {
		case part.Type.IsAddress() && init:
			l.b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, part, at)
		case part.Type.IsAddress():
			rewrite.EmitQ(l.b, op.CopyAddr, op.QualTake, part, at)
		case init:
			l.Store(l.b, part, at, op.QualInit)
		default:
			l.Store(l.b, part, at, op.QualAssign)
		}
	}
}
