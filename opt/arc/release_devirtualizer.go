package arc

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ReleaseDevirtualizer calls the deinit of an object on the stack directly where its last release is known:
//
//	strong_release %0            %1 = begin_dealloc_ref %0 of %0
//	dealloc_stack_ref %0         %2 = function_ref @deinit
//	                             apply %2(%1)
//	                             dealloc_stack_ref %0
//
// Objects on the heap may have weak references, which the runtime takes care of, so those are left alone.
var ReleaseDevirtualizer = &pass.Pass{
	Name:  "release-devirtualizer",
	Doc:   "Calls the deinit of stack objects directly at their last release",
	Needs: [][]op.Op{{op.DeallocStackRef}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := c.Program(f)
		changed := false
		for _, b := range f.Blocks {
			var last *ir.Inst // a release with nothing after it that may release
			for i := range b.Insts() {
				switch {
				case i.Op == op.DeallocStackRef && last != nil:
					changed = devirtualizeRelease(c, f, last, i) || changed
					last = nil
				case facts.IsRelease(i):
					last = i
				case i.Op == op.DeallocRef, i.Op == op.BeginDeallocRef, p.MayRelease(i):
					last = nil
				}
			}
		}
		return changed
	},
}

// devirtualizeRelease puts the call in the place of a release after which the object's memory goes, if the release is of that object.
func devirtualizeRelease(c *pass.Context, f *ir.Function, release, dealloc *ir.Inst) bool {
	p := c.Program(f)
	alloc := dealloc.Arg(0)
	if def := alloc.Inst(); def == nil || def.Op != op.AllocRef && !(def.Op == op.AllocRefDynamic && p.IsFinalClass(alloc.Type)) {
		return false // an alloc_ref_dynamic may make an object of a subclass, which has another deinit
	}
	if t := release.Arg(0).Type; !c.Module.IsCopyable(t) {
		c.Missed(f, release, "kept %s: a $%s may have a deinit of its own", release.Op, t)
		return false
	}
	own, held := true, 0 // a release of several references is none of one object
	p.Roots(release.Arg(0), effects.PathAnything, nil, func(root *ir.Value, _ effects.Path) {
		if p.HasPointer(root.Type) {
			own, held = own && root == alloc, held+1
		}
	})
	deinit := p.Destructor(alloc.Type)
	if !own || held != 1 || deinit == nil || deinit.Type == nil {
		c.Missed(f, release, "kept %s: its object or the deinit is not known", release.Op)
		return false
	}
	var subs []*ir.Type
	if deinit.Type.Func.Generic != nil {
		subs = facts.Selfless(alloc.Type).AllArgs()
		if len(subs) != len(deinit.Type.Func.Generic.Params) {
			return false
		}
	}
	b := ir.At(c.Module, release)
	self := b.Emit(&ir.Inst{Op: op.BeginDeallocRef}, alloc, alloc).Result()
	ref := b.Emit(&ir.Inst{Op: op.FunctionRef, Aux: &ir.SymbolAux{Name: deinit.Name, Func: deinit}, Types: []*ir.Type{deinit.Type}})
	if ref.Result().Type == nil {
		ref.Result().Type = deinit.Type
	}
	b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: deinit.Type, Subs: subs}}, ref.Result(), self)
	c.Passed(f, release, "called the deinit of $%s directly", alloc.Type)
	release.Remove()
	return true
}
