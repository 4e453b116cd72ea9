package verify

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
)

// Promises warns of functions that do, whenever control reaches an instruction, what their attributes or their effect lists say they don't:
// a write to a global, to an argument or to a property of one, and a release of what was only lent to a function without retains. What
// others do on their behalf shows when they run, under full checking.
func Promises(mod *ir.Module, diags *source.List) {
	p := facts.NewProgram(mod)
	for _, f := range mod.Functions() {
		if len(f.Blocks) == 0 || f.Attrs.Has(ir.AttrGlobalInitOnceFn) {
			continue
		}
		x := &promises{p: p.In(f), f: f, attr: facts.EffectAttr(f), fx: p.Effects(f), diags: diags}
		if x.attr != ir.AttrUnknown || x.fx.HasSide {
			x.function()
		}
		if x.keeps() {
			x.escapes()
		}
	}
	cowStorages(p, diags)
}

type promises struct {
	p       *facts.Program
	f       *ir.Function
	attr    ir.AttrKind
	fx      *effects.List
	diags   *source.List
	retains bool // the function retains something, so that its releases may be of that
}

func (x *promises) function() {
	for _, b := range x.f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			switch i.Op {
			case op.StrongRetain, op.RetainValue, op.CopyValue, op.Load, op.Apply, op.TryApply, op.BeginApply, op.CopyAddr:
				x.retains = x.retains || i.Op != op.Load || i.Has(op.QualCopy)
			}
		}
	}
	for _, b := range x.f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			switch i.Op {
			case op.Store, op.CopyAddr, op.StoreWeak, op.StoreUnowned:
				x.write(i, i.Arg(1))
				if i.Op == op.CopyAddr {
					x.read(i)
				}
			case op.Load, op.LoadBorrow, op.LoadWeak, op.LoadUnowned:
				x.read(i)
			case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
				x.release(i)
			}
		}
	}
}

func (x *promises) warn(i *ir.Inst, what string) {
	by := "its effect list"
	if x.attr != ir.AttrUnknown {
		by = "[" + x.attr.String() + "]"
	}
	x.warnOf(i, what, by)
}

func (x *promises) warnOf(i *ir.Inst, what, by string) {
	d := x.diags.Warnf(i.Pos, "broken-promise", "promise broken in %s: it %s", x.f.DisplayName(), what)
	d.Notes = append(d.Notes, source.Note{Help: true, Pos: x.f.Pos, Msg: x.f.DisplayName() + " promises that by " + by})
}

// write looks at an instruction that writes to the memory at an address.
func (x *promises) write(i *ir.Inst, to *ir.Value) {
	if x.attr == ir.AttrReleasenone {
		return
	}
	a := x.p.AccessPath(to, 0)
	switch a.Kind {
	case facts.BaseGlobal:
		if x.attr != ir.AttrUnknown || !x.fx.Global.Write {
			x.warn(i, "writes a global")
		}
	case facts.BaseArgument:
		switch facts.EntryConv(x.f, a.Base.Index()) {
		case facts.ConvInout, facts.ConvInoutAliasable:
			if !x.mayWrite(a.Base.Index()) {
				x.warn(i, "writes an argument")
			}
		}
	case facts.BaseClass, facts.BaseBox:
		if v := facts.ReferenceRoot(a.Base.Inst().Arg(0)); v.IsArg() && v.Block() == x.f.Entry() && !x.mayWrite(v.Index()) {
			x.warn(i, "writes a property of an argument")
		}
	}
}

// read looks at an instruction of a function that promises to read nothing: a variable, be it global or in an object, is not for it.
func (x *promises) read(i *ir.Inst) {
	if x.attr != ir.AttrReadnone {
		return
	}
	a := x.p.AccessPath(i.Arg(0), 0)
	if a.Kind == facts.BaseGlobal && !x.p.IsLet(a) {
		x.warn(i, "reads a global that may change")
	}
	if a.Kind != facts.BaseClass && a.Kind != facts.BaseBox || x.p.IsLet(a) || a.Base.Inst().Has(op.QualImmutable) {
		return
	}
	if v := facts.ReferenceRoot(a.Base.Inst().Arg(0)); v.IsArg() && v.Block() == x.f.Entry() {
		x.warn(i, "reads a property of an argument that may change")
	}
}

func (x *promises) mayWrite(arg int) bool {
	if x.attr != ir.AttrUnknown {
		return false
	}
	return x.fx.Global.Write || arg < len(x.fx.Args) && x.fx.Args[arg].Write.Has
}

// release looks at a release: one of an argument that is only lent.
func (x *promises) release(i *ir.Inst) {
	v := facts.ReferenceRoot(i.Arg(0))
	if x.retains || !v.IsArg() || v.Block() != x.f.Entry() || x.f.Type == nil || x.f.Type.Func == nil {
		return
	}
	fn := x.f.Type.Func
	n := v.Index() - (len(x.f.Entry().Args) - len(fn.Params))
	if n < 0 || fn.Params[n].Conv != ir.ParamDirectGuaranteed {
		return
	}
	if x.attr != ir.AttrUnknown || !x.fx.Global.Destroy && (v.Index() >= len(x.fx.Args) || !x.fx.Args[v.Index()].Destroy.Has) {
		x.warn(i, "releases an argument that it is lent")
	}
}

// keeps reports whether the function says of an argument that it gets nowhere: in its effect list, or by the type of a closure.
func (x *promises) keeps() bool {
	for n := range x.fx.Escapes {
		if x.fx.Escapes[n].Kind == effects.NoEscape {
			return true
		}
	}
	for _, a := range x.f.Entry().Args {
		if facts.IsNoescape(a.Type) {
			return true
		}
	}
	return false
}

// escapes looks for arguments that get nowhere, as is said, and are stored where others find them, or returned.
func (x *promises) escapes() {
	for _, b := range x.f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			switch {
			case i.Op == op.Store && x.outlivesCall(i.Arg(1)):
				x.escape(i, i.Arg(0), "stores")
			case i.Op == op.Return:
				x.escape(i, i.Arg(0), "returns")
			}
		}
	}
}

// escape looks at a value that an instruction brings out of the function, and at what it is made of.
func (x *promises) escape(i *ir.Inst, v *ir.Value, verb string) {
	for v != nil && facts.DefinedBy(v, op.Enum) != nil && len(v.Inst().Operands) > 0 {
		v = v.Inst().Arg(0)
	}
	if v != nil && (facts.DefinedBy(v, op.Struct) != nil || facts.DefinedBy(v, op.Tuple) != nil) {
		for n := range v.Inst().Operands {
			x.escape(i, v.Inst().Arg(n), verb)
		}
		return
	}
	if v == nil || v.Type == nil || !x.p.HasPointer(v.Type) && !facts.IsNoescape(v.Type) {
		return
	}
	arg, part := x.p.RootArgument(v, 0)
	switch {
	case arg < 0:
	case facts.IsNoescape(x.f.Entry().Args[arg].Type):
		x.warnOf(i, verb+" an argument that it says does not escape", "@noescape in the type of its parameter")
	case !x.fx.CanEscape(arg, part):
		x.warnOf(i, verb+" an argument that it says does not escape", "its effect list")
	}
}

// outlivesCall reports whether memory is there for others when the function has returned, as far as its text shows: a global, an argument's
// memory, or a property of one.
func (x *promises) outlivesCall(to *ir.Value) bool {
	a := x.p.AccessPath(to, 0)
	switch a.Kind {
	case facts.BaseGlobal:
		return true
	case facts.BaseArgument:
		switch facts.EntryConv(x.f, a.Base.Index()) {
		case facts.ConvInout, facts.ConvInoutAliasable, facts.ConvOut:
			return true
		}
	case facts.BaseClass, facts.BaseBox:
		v := facts.ReferenceRoot(a.Base.Inst().Arg(0))
		return v.IsArg() && v.Block() == x.f.Entry()
	}
	return false
}
