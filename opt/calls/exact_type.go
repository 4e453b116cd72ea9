package calls

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// edges returns the edges into a block of the function.
func (d *devirtualization) edges(b *ir.Block) []cfg.InEdge {
	if d.preds == nil {
		d.preds = cfg.NewPredecessors(d.f)
	}
	return d.preds.Edges(b)
}

// passedAlone returns what the only branch to the block of an argument passes for it, nil when there are several edges, or the block is
// entered otherwise.
func (d *devirtualization) passedAlone(v *ir.Value) *ir.Value {
	if b := v.Block(); v.IsArg() && b != d.f.Entry() {
		if in := d.edges(b); len(in) == 1 {
			return in[0].Arg(v.Index())
		}
	}
	return nil
}

// stripUpcasts looks through upcasts, and through arguments of blocks with one predecessor.
func (d *devirtualization) stripUpcasts(v *ir.Value) *ir.Value {
	return d.strip(v, func(i *ir.Inst) bool { return i.Op == op.Upcast })
}

// stripCasts looks through what results in the same object, or the same metatype, under another type or with another ownership.
func (d *devirtualization) stripCasts(v *ir.Value) *ir.Value {
	return d.strip(v, func(i *ir.Inst) bool {
		switch i.Op {
		case op.Upcast, op.UncheckedRefCast, op.BeginBorrow, op.CopyValue, op.MoveValue, op.EndInitLetRef, op.EndCowMutation, op.MarkDependence:
			return true
		}
		return false
	})
}

// strip looks through instructions with one operand that passes says yes to, and through arguments of blocks with one predecessor. Blocks that
// nothing reaches may pass their arguments to one another for ever.
func (d *devirtualization) strip(v *ir.Value, passes func(i *ir.Inst) bool) *ir.Value {
	for jumps := 0; jumps <= len(d.f.Blocks); {
		if i := v.Inst(); i != nil {
			if !passes(i) {
				return v
			}
			v = i.Arg(0)
			continue
		}
		from := d.passedAlone(v)
		if from == nil {
			return v
		}
		v = from
		jumps++
	}
	return v
}

// exactType returns the type with the class that v has an object of, or is the metatype of, when it is known: the object was made here, or a
// cast has tested it. Where several paths lead to v, all must come with the type that v says. It is nil when the type is not known.
func (d *devirtualization) exactType(v *ir.Value) *ir.Type {
	var found *ir.Type
	joins := false
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{v}
	for x := range worklist.Drain(&work) {
		x = d.stripCasts(x)
		if seen[x] {
			continue
		}
		seen[x] = true
		t := d.exactHere(x)
		if t == nil {
			b := x.Block()
			if !x.IsArg() || b == d.f.Entry() {
				return nil
			}
			joins = true
			for _, e := range d.edges(b) {
				from := e.Arg(x.Index())
				if from == nil {
					return nil
				}
				work = append(work, from)
			}
			continue
		}
		if found != nil && found != t {
			return nil
		}
		found = t
	}
	if joins && found != v.Type {
		return nil
	}
	return found
}

// exactHere returns the type that v has exactly, when what defines v tells it.
func (d *devirtualization) exactHere(v *ir.Value) *ir.Type {
	if i := v.Inst(); i != nil {
		switch {
		case i.Op == op.AllocRef:
			return v.Type
		case i.Op == op.Metatype && v.Type.Elem.Kind != ir.KindDynamicSelf && d.mod.IsClassType(v.Type.Elem):
			return v.Type
		}
		return nil
	}
	b := v.Block()
	if b == nil || b == d.f.Entry() {
		return nil
	}
	in := d.edges(b)
	if len(in) == 1 && in[0].Term.Op == op.CheckedCastBr && in[0].N == 0 && in[0].Term.Has(op.QualExact) {
		return v.Type
	}
	return nil
}
