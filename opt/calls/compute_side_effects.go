package calls

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ComputeSideEffects enters into the effect list of a function what it does to its arguments and to anything else:
//
//	sil @f : $@convention(thin) (@inout S) -> () {
//	[%0: read s0.v**]
//	[global: ]
//
// Functions of other modules and those whose source says what they do are left alone.
var ComputeSideEffects = &pass.Pass{
	Name: "compute-side-effects",
	Doc:  "Enters into the effect list of each function what it does to memory and references",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if isExternal(f) || facts.EffectAttr(f) != ir.AttrUnknown {
			return false
		}
		s := &sideEffects{p: c.Program(f), f: f, walked: map[effects.Global]facts.Walked{}}
		return s.run()
	},
}

// isExternal reports whether another module defines the function.
func isExternal(f *ir.Function) bool {
	switch f.Linkage {
	case ir.LinkagePublicExternal, ir.LinkagePackageExternal, ir.LinkageHiddenExternal:
		return true
	}
	return false
}

type sideEffects struct {
	p  *facts.Program
	f  *ir.Function
	fx effects.List

	walked map[effects.Global]facts.Walked // the block arguments whose roots have these effects already
}

// The effects that instructions have one at a time.
var (
	reads    = effects.Global{Read: true}
	writes   = effects.Global{Write: true}
	copies   = effects.Global{Copy: true}
	destroys = effects.Global{Destroy: true}
)

func (s *sideEffects) run() bool {
	old := s.p.Effects(s.f)
	args := s.f.Blocks[0].Args
	s.fx = effects.List{Escapes: old.Escapes, Args: make([]effects.Arg, len(args)), HasSide: true}
	for i := range s.f.Insts() {
		s.inst(i)
	}
	for _, arg := range args {
		s.escaping(arg)
	}
	return s.p.SetEffects(s.f, s.fx)
}

// defaultPath is all that an effect on a value reaches without a load.
func (s *sideEffects) defaultPath(v *ir.Value) effects.Path {
	switch {
	case v.Type.IsAddress():
		return effects.PathValues
	case s.p.IsClass(v.Type):
		return effects.PathFields
	}
	return effects.PathHeldFields
}

// inst adds what one instruction does to the effects of the function.
func (s *sideEffects) inst(i *ir.Inst) {
	barrier := true
	switch i.Op {
	case op.CopyValue, op.RetainValue, op.StrongRetain:
		s.add(copies, i.Arg(0), effects.PathValues)
	case op.DestroyValue, op.ReleaseValue, op.StrongRelease:
		s.destroyValue(i.Arg(0))
	case op.DestroyAddr:
		s.destroyAddress(i.Arg(0))
	case op.CopyAddr:
		s.addAll(reads, i.Arg(0))
		s.addAll(writes, i.Arg(1))
		if !i.Has(op.QualTake) {
			s.addAll(copies, i.Arg(0))
		}
		if !i.Has(op.QualInit) {
			s.destroyAddress(i.Arg(1))
		}
	case op.Store:
		s.addAll(writes, i.Arg(1))
		if i.Has(op.QualAssign) {
			s.destroyAddress(i.Arg(1))
		}
	case op.StoreWeak, op.StoreUnowned:
		s.addAll(writes, i.Arg(1))
	case op.Load, op.LoadWeak, op.LoadUnowned, op.LoadBorrow, op.FixLifetime:
		s.addAll(reads, i.Arg(0))
	case op.Apply, op.TryApply, op.BeginApply:
		if fn := facts.Callee(i); fn != nil && fn.Callee == ir.CalleeOwned && !fn.Noescape {
			s.addAll(destroys, i.Arg(0))
			s.fx.Global = effects.Worst
		}
		s.call(i)
		barrier = false
	case op.PartialApply:
		if s.mayBeCalled(i) {
			s.call(i)
			barrier = false
		}
		if !i.Has(op.QualOnStack) {
			for n := 1; n < len(i.Operands); n++ {
				if i.Arg(n).Type.IsAddress() {
					s.addAll(reads, i.Arg(n))
				}
			}
		}
	case op.DeallocStack, op.DeallocStackRef, op.BeginAccess, op.EndAccess, op.BeginBorrow, op.EndBorrow, op.DebugValue, op.Keypath,
		op.EndApply, op.AbortApply, op.EndCowMutation, op.UnconditionalCheckedCast, op.CondFail:
		// what they are said to do only keeps them in their place inside the function
	case op.BeginCowMutation, op.IsUnique, op.IsEscapingClosure:
		s.add(destroys, i.Arg(0), effects.PathValues) // a look at the count of references
	default:
		s.other(i)
	}
	if barrier && s.p.IsBarrier(i) {
		s.fx.Global.Barrier = true
	}
}

func (s *sideEffects) other(i *ir.Inst) {
	g := &s.fx.Global
	mem := s.p.Memory(i)
	if s.p.MayRelease(i) {
		*g = effects.Worst
	}
	g.Read = g.Read || mem.MayRead()
	g.Write = g.Write || mem.MayWrite()
	g.Copy = g.Copy || mem.MayWrite()
	switch i.Op {
	case op.AllocBox, op.AllocRef, op.AllocRefDynamic, op.AllocExistentialBox, op.AllocPack, op.AllocPackMetadata, op.AllocVector:
		x := &facts.Escape{Program: s.p}
		if x.Escapes(i.Result(), 0) {
			g.Allocates = true
		}
	}
}

// mayBeCalled reports whether a closure can get to a call in this function.
func (s *sideEffects) mayBeCalled(i *ir.Inst) bool {
	x := &facts.Escape{Program: s.p, Trivial: true}
	x.Use = func(o *ir.Operand, _ effects.Path, _ bool) facts.UseAnswer {
		switch {
		case facts.IsFullApply(o.User()):
			return facts.UseAbort
		case o.User().Op == op.Return:
			return facts.UseIgnore
		}
		return facts.UseContinue
	}
	return x.EscapesDown(i.Result(), 0)
}

// call adds what the callees do.
func (s *sideEffects) call(i *ir.Inst) {
	var args []passed
	for n := 1; n < len(i.Operands); n++ {
		args = append(args, passed{facts.CalleeArg(i, n), i.Arg(n)})
	}
	s.callees(s.p.Callees(i.Arg(0)), args)
}

// passed is a value that becomes argument at of a callee.
type passed struct {
	at int
	v  *ir.Value
}

func (s *sideEffects) callees(callees facts.Callees, args []passed) {
	if !callees.Known {
		s.fx.Global = effects.Worst
		for _, a := range args {
			s.addAll(effects.Worst, a.v)
		}
		return
	}
	for _, f := range callees.Funcs {
		if fx := s.p.Effects(f); fx.HasSide {
			s.merge(fx.Global)
		} else {
			s.merge(facts.Defined(f))
		}
	}
	for _, a := range args {
		for _, f := range callees.Funcs {
			s.argument(f, a)
		}
	}
}

func (s *sideEffects) argument(f *ir.Function, a passed) {
	fx := s.p.Effects(f)
	if !fx.HasSide {
		g := s.p.ArgumentEffects(f, a.at, a.v, s.defaultPath(a.v))
		s.addAll(g, a.v)
		return
	}
	if a.at < 0 || a.at >= len(fx.Args) {
		return
	}
	have := &fx.Args[a.at]
	for _, part := range []struct {
		g    effects.Global
		path effects.PathOpt
	}{{reads, have.Read}, {writes, have.Write}, {copies, have.Copy}, {destroys, have.Destroy}} {
		if part.path.Has {
			s.add(part.g, a.v, part.path.Path)
		}
	}
}

func (s *sideEffects) destroyValue(v *ir.Value) {
	s.addAll(destroys, v)
	if s.p.IsClass(v.Type) {
		s.callees(s.p.Destructors(v.Type), []passed{{0, v}})
		return
	}
	s.addAll(effects.Worst, v)
	s.fx.Global = effects.Worst
}

func (s *sideEffects) destroyAddress(v *ir.Value) {
	s.addAll(destroys, v)
	s.addAll(reads, v)
	s.addAll(writes, v)
	deinits := s.p.Destructors(v.Type)
	if !deinits.Known {
		s.fx.Global = effects.Worst
		return
	}
	for _, f := range deinits.Funcs {
		s.merge(s.p.SideEffects(f))
	}
}

func (s *sideEffects) merge(g effects.Global) {
	h := &s.fx.Global
	h.Read, h.Write = h.Read || g.Read, h.Write || g.Write
	h.Copy, h.Destroy = h.Copy || g.Copy, h.Destroy || g.Destroy
	h.Allocates, h.Barrier = h.Allocates || g.Allocates, h.Barrier || g.Barrier
}

func (s *sideEffects) addAll(g effects.Global, v *ir.Value) { s.add(g, v, s.defaultPath(v)) }

// add enters effects on the part of a value: on the arguments that it comes from, or on the rest of the world.
func (s *sideEffects) add(g effects.Global, v *ir.Value, path effects.Path) {
	if !v.Type.IsAddress() {
		s.addRoots(g, v, path)
		return
	}
	a := s.p.AccessPath(v, path)
	switch a.Kind {
	case facts.BaseStack:
		s.merge(effects.Global{Copy: g.Copy, Destroy: g.Destroy})
	case facts.BaseArgument:
		g.AddTo(&s.fx.Args[a.Base.Index()], a.Path)
	case facts.BaseBox:
		s.addRoots(g, a.Reference(), a.Path.Push(effects.FieldClass, facts.FieldNumber(s.p.Mod, a.Base.Inst())))
	case facts.BaseClass:
		s.addRoots(g, a.Reference(), a.Path.Push(effects.FieldClass, s.p.FieldIndex(a.Base.Inst())))
	case facts.BaseTail:
		s.addRoots(g, a.Reference(), a.Path.Push(effects.FieldTail, 0))
	default:
		s.merge(g)
	}
}

func (s *sideEffects) addRoots(g effects.Global, v *ir.Value, path effects.Path) {
	other := false
	walked := s.walked[g]
	if walked == nil {
		walked = facts.Walked{}
		s.walked[g] = walked
	}
	s.p.Roots(v, path, walked, func(root *ir.Value, path effects.Path) {
		i := root.Inst()
		switch {
		case root.IsArg() && root.Block() == s.f.Blocks[0]:
			g.AddTo(&s.fx.Args[root.Index()], path)
		case i != nil && isAllocation(i):
		default:
			other = true
		}
	})
	if other {
		s.merge(g)
	}
}

func isAllocation(i *ir.Inst) bool {
	return i.Row().Family == op.FamilyAllocation && len(i.Results) > 0 && i.Op != op.ProjectBox
}

// escaping adds to an argument what is done to anything, when nobody knows where it gets to.
func (s *sideEffects) escaping(arg *ir.Value) {
	u := &argumentUses{p: s.p, ossa: s.f.IsOSSA()}
	g := s.fx.Global
	switch {
	case u.areUnknown(arg):
		s.addAll(s.p.Restrict(g, arg.Type, s.f, arg.Index()), arg)
	case u.taken:
		s.addAll(s.p.Restrict(s.withDeinit(effects.Global{Copy: g.Copy, Destroy: g.Destroy}, arg), arg.Type, s.f, arg.Index()), arg)
	case u.consumed && g.Destroy:
		s.addAll(s.withDeinit(destroys, arg), arg)
	}
}

// withDeinit adds to effects that may end the last reference to an object what its deinit may do to it: what that is nobody has followed.
func (s *sideEffects) withDeinit(g effects.Global, arg *ir.Value) effects.Global {
	if g.Destroy && s.p.DeinitActs(arg.Type.Object()) {
		g.Read, g.Write = s.fx.Global.Read, s.fx.Global.Write
	}
	return g
}

// argumentUses looks for uses of an argument that the effects of instructions do not cover.
type argumentUses struct {
	p        *facts.Program
	ossa     bool
	taken    bool // a load may take the value out of the memory
	consumed bool // a closure holds it, and ends it when it is called
}

func (u *argumentUses) areUnknown(arg *ir.Value) bool {
	if !arg.Type.IsAddress() && !u.p.HasPointer(arg.Type) {
		return false
	}
	return !u.p.UsesOf(arg, u.leaf)
}

// leaf reports whether a use that does more than rename is covered.
func (u *argumentUses) leaf(o *ir.Operand) (follow *ir.Value, ok bool) {
	i := o.User()
	at := o.Number()
	if !o.Value().Type.IsAddress() {
		switch i.Op {
		case op.RefTailAddr, op.RefElementAddr, op.ProjectBox:
			return i.Result(), true
		case op.CopyValue, op.RetainValue, op.StrongRetain, op.DestroyValue, op.ReleaseValue, op.StrongRelease, op.DebugValue,
			op.UnconditionalCheckedCast, op.Return:
			return nil, true
		}
		if facts.IsApply(i) {
			u.consumed = u.consumed || i.Op == op.PartialApply && !i.Has(op.QualOnStack)
			return nil, at != 0 && !u.p.LeavesCall(i, at)
		}
		return nil, false
	}
	trivial := u.p.Types.IsTrivial(o.Value().Type.Object())
	switch i.Op {
	case op.CopyAddr:
		u.taken = u.taken || at == 0 && !trivial && (!u.ossa || i.Has(op.QualTake))
	case op.Load:
		u.taken = u.taken || !trivial && (!u.ossa || i.Has(op.QualTake))
	case op.LoadWeak, op.LoadUnowned, op.LoadBorrow:
		u.taken = u.taken || !trivial && !u.ossa
	case op.Store, op.StoreWeak, op.StoreUnowned, op.Apply, op.TryApply, op.BeginApply, op.PartialApply, op.DestroyAddr, op.DebugValue:
	default:
		return nil, false
	}
	return nil, true
}
