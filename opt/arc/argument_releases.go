package arc

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ArgumentReleases finds, in the one block that ends a function by return or by throw, the releases that end the lives of owned parameters.
type ArgumentReleases struct {
	p     *facts.Program
	rc    *facts.RCIdentity
	Block *ir.Block                // nil when the function has no such end
	Found map[*ir.Value][]*ir.Inst // by parameter, last first
	All   map[*ir.Value]bool       // the releases leave no part of the parameter alive
}

// NewArgumentReleases looks at the first block that ends in a terminator of kind exit. Addresses of parameters taken are looked at when in.
func NewArgumentReleases(p *facts.Program, rc *facts.RCIdentity, f *ir.Function, exit op.Op, in bool) *ArgumentReleases {
	r := &ArgumentReleases{p: p, rc: rc, Block: ExitBlock(f, exit), Found: map[*ir.Value][]*ir.Inst{}, All: map[*ir.Value]bool{}}
	if r.Block == nil {
		return r
	}
	r.scan(f, in)
	if in {
		other := op.Throw
		if exit == op.Throw {
			other = op.Return
		}
		r.destroys(f, ExitBlock(f, other))
	}
	for arg, list := range r.Found {
		r.All[arg] = len(list) == 1 && rc.Root(list[0].Arg(0)) == arg || r.covers(arg, list)
	}
	return r
}

// ExitBlock returns the first block that ends in an instruction of that op, nil when the function has none.
func ExitBlock(f *ir.Function, exit op.Op) *ir.Block {
	for _, b := range f.Blocks {
		if t := b.Terminator(); t != nil && t.Op == exit {
			return b
		}
	}
	return nil
}

// scan goes backward over the end of the block.
func (r *ArgumentReleases) scan(f *ir.Function, in bool) {
	for i := range r.Block.Backward() {
		if in && i.Op == op.DestroyAddr {
			continue
		}
		if !facts.IsRelease(i) {
			if i.Op == op.DeallocRef || facts.IsFullApply(i) || r.p.MayRelease(i) {
				return
			}
			continue
		}
		arg := stripProjections(r.rc.Root(i.Arg(0)))
		if arg.Block() != f.Entry() || !arg.IsArg() || !isConsumedParam(f, arg, in) {
			return
		}
		if list := r.Found[arg]; len(list) > 0 && r.overlaps(list, arg, i.Arg(0)) {
			return
		}
		r.Found[arg] = append(r.Found[arg], i)
	}
}

// isConsumedParam reports whether an argument of the entry is a parameter that the function consumes.
func isConsumedParam(f *ir.Function, arg *ir.Value, in bool) bool {
	n := arg.Index() - facts.IndirectResults(f.Type.Func)
	if n < 0 || n >= len(f.Type.Func.Params) {
		return false
	}
	conv := f.Type.Func.Params[n].Conv
	return conv == ir.ParamDirectOwned || in && conv == ir.ParamIn
}

// destroys enters the destroy_addr of parameters taken. Those whose memory is destroyed before the ends do not count.
func (r *ArgumentReleases) destroys(f *ir.Function, other *ir.Block) {
	for _, arg := range f.Entry().Args {
		if !isConsumedParam(f, arg, true) || !arg.Type.IsAddress() {
			continue
		}
		var list []*ir.Inst
		elsewhere := false
		for _, x := range arg.UseList() {
			if i := x.User(); i.Op == op.DestroyAddr && (other == nil || i.Block() != other) {
				elsewhere = elsewhere || i.Block() != r.Block
				list = append(list, i)
			}
		}
		if len(list) > 0 && !elsewhere {
			r.Found[arg] = append(r.Found[arg], list...)
		} else if elsewhere {
			delete(r.Found, arg)
		}
	}
}

// path returns the path from the value base to its part v; ok is false when there is none.
func (r *ArgumentReleases) path(base, v *ir.Value) (p effects.Path, ok bool) {
	for v != base {
		i := v.Inst()
		if i == nil {
			return 0, false
		}
		switch i.Op {
		case op.StructExtract:
			p = p.Push(effects.FieldStruct, facts.FieldNumber(r.p.Mod, i))
		case op.TupleExtract:
			p = p.Push(effects.FieldTuple, facts.FieldNumber(r.p.Mod, i))
		case op.UncheckedEnumData:
			p = p.Push(effects.FieldEnum, r.p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux)))
		case op.Upcast, op.UncheckedRefCast:
		default:
			return 0, false
		}
		v = i.Arg(0)
	}
	return p, true
}

// overlaps reports whether a part of base may be released by one of the releases already.
func (r *ArgumentReleases) overlaps(list []*ir.Inst, base, part *ir.Value) bool {
	p, ok := r.path(base, part)
	if !ok {
		return true
	}
	for _, i := range list {
		q, ok := r.path(base, i.Arg(0))
		if !ok || p.MayOverlap(q) {
			return true
		}
	}
	return false
}

// covers reports whether the releases are of all parts of the argument that are not trivial.
func (r *ArgumentReleases) covers(arg *ir.Value, list []*ir.Inst) bool {
	var paths []effects.Path
	for _, i := range list {
		p, ok := r.path(arg, i.Arg(0))
		if !ok {
			return false
		}
		paths = append(paths, p)
	}
	return r.covered(arg.Type.Object(), 0, paths, 0)
}

// covered reports whether all references in the part of type t at a path lie in one of the paths.
func (r *ArgumentReleases) covered(t *ir.Type, at effects.Path, paths []effects.Path, depth int) bool {
	ts := r.p.Types
	if slices.Contains(paths, at) || ts.IsTrivial(t) {
		return true
	}
	if depth > pass.MaxTypeNesting {
		return false
	}
	if fields, ok := ts.FieldTypes(t); ok {
		kind := effects.FieldStruct
		if t.Kind == ir.KindTuple {
			kind = effects.FieldTuple
		}
		for n, f := range fields {
			if !r.covered(f, at.Concat(effects.Path(0).Push(kind, n)), paths, depth+1) {
				return false
			}
		}
		return true
	}
	d := r.p.Mod.DeclOf(t)
	if d == nil || d.Kind != ir.Enum {
		return false
	}
	for n := range d.Cases {
		if d.Cases[n].Payload == nil {
			continue
		}
		payload := r.p.Mod.PayloadType(t, d.Cases[n].Name)
		if payload == nil || !r.covered(payload.Object(), at.Concat(effects.Path(0).Push(effects.FieldEnum, n)), paths, depth+1) {
			return false
		}
	}
	return true
}
