package definiteinit

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// checker works on one object: first it asks about each use and each destroy, then it changes them.
type checker struct {
	*flow
	// lower are the uses, by number, that are now known to initialize or to replace.
	lower []int
	// maybes are destroys of what is initialized in part or on some paths only.
	maybes []maybe
	// What needs the control variable: a write that may initialize or replace, a destroy, a reference to self that may be gone.
	mixedWrite, mixedDestroy, mixedSelf bool
	said                                map[place]bool // where errors were said
	reached                             map[*ir.Block]bool
	crossModule                         bool // one error about a struct of another module is still due
}

// maybe is a destroy of an object that is not initialized as a whole on all paths.
type maybe struct {
	destroy *ir.Inst
	elems   states
	self    state // whether the box of self holds an object that was initialized
}

func newChecker(o *object, u *uses) *checker {
	return &checker{flow: newFlow(o, u), said: map[place]bool{}, crossModule: o.kind == op.QualCrossmodulerootself}
}

func (k *checker) run() {
	for n := 0; n < len(k.uses.list); n++ {
		if k.uses.list[n].inst != nil {
			k.use(n)
		}
	}
	if len(k.said) > 0 {
		ignore := ir.ParseAttr(`_semantics "sil.optimizer.moveonly.diagnostic.ignore"`)
		if !slices.Contains(k.Func.Attrs, ignore) {
			k.Func.Attrs = k.Func.Attrs.Insert(ir.AttrOSSA, ignore)
		}
		return
	}
	if k.kind == op.QualOut && !k.checkOut() {
		return
	}
	if !k.Types.IsTrivial(k.t) {
		for n := range k.uses.destroys {
			k.destroy(n)
		}
	}
	k.hopToActor()
	var control *control
	if k.mixedWrite || k.mixedDestroy || k.mixedSelf {
		control = k.newControl()
		if def := k.addr.Inst(); def == k.mark {
			if alloc := k.mark.Arg(0).Inst(); alloc != nil && alloc.Op == op.AllocStack {
				alloc.Quals = alloc.Quals.With(op.QualDynamicLifetime)
			}
		}
		if facts.IsMoveOnly(k.Context.Module, k.t) {
			k.say(k.mark, "conditional initialization or destruction of noncopyable types is not supported; "+
				"this variable must be consistently in an initialized or uninitialized state through every code path")
		}
	}
	for n := range k.maybes {
		k.destroyMaybe(&k.maybes[n], control)
	}
	for _, n := range k.lower {
		k.setWrite(&k.uses.list[n])
	}
}

// use asks about one use.
func (k *checker) use(n int) {
	u := &k.uses.list[n]
	switch u.kind {
	case useInitOrAssign:
		if u.inst.Op != op.Store { // memory of a trivial type may be written any number of times: SILGen does so
			k.write(n)
		}
	case usePartialStore:
		k.write(n)
	case useLoad, useIndirectIn:
		if is := k.isInitialized(u); !is.yes {
			k.badLoad(u, is)
		}
	case useInout, useInoutSelf:
		k.inout(u)
	case useEscape:
		if is := k.isInitialized(u); !is.yes {
			k.badEscape(u, is)
		}
	case useSelfInit:
		k.selfInit(n)
	case useLoadForTypeOf, useTypeOf:
		if !k.isInitialized(u).yes {
			k.typeOfSelf(u)
		}
	case useSelfIsolation:
		k.isolation(u)
	}
}

// write decides what a write does.
func (k *checker) write(n int) {
	u := &k.uses.list[n]
	is := k.statesAt(u.inst, u.first, u.n)
	all, none := true, true
	for e := u.first; e < u.first+u.n; e++ {
		all = all && is[e] == yes
		none = none && is[e] == no
	}
	if k.isNonRootClassSelf() && k.boxAt(u.inst) != yes && k.all(u.inst).all(yes) {
		k.sayLostSelf(u.inst)
		return
	}
	if u.kind == usePartialStore && !all {
		k.sayUninitialized(u, "struct '%s' must be completely initialized before a member is stored to")
		return
	}
	if u.kind == usePartialStore || !none {
		for e := u.first; e < u.first+u.n; e++ {
			if is[e] != no && k.isLetElement(e) && k.maySay(u.inst) {
				k.say(u.inst, "immutable value '"+k.nameOf(e)+"' may only be initialized once")
				k.suggestVar()
				return
			}
		}
	}
	if !all && k.crossModule && !k.isWholeWrite(u.inst) {
		k.sayCrossModule(u.inst, !none)
	}
	through := u.inst.Op == op.AssignByWrapper || u.inst.Op == op.AssignOrInit
	switch {
	case none && u.inst.Op == op.AssignOrInit && u.n == 0:
		u.kind = useInit
		if k.lacking(u.inst, 0, len(k.elems)) < 0 {
			u.kind = useSet
		}
	case none:
		u.kind = useInit
	case all && through:
		if u.inst.Op == op.AssignOrInit && u.inst.Arg(len(u.inst.Operands)-1).IsUndef() {
			k.say(u.inst, "immutable value '"+u.inst.Aux.(*ir.MemberAux).Name+"' may only be initialized once")
		}
		u.kind = useAssign
		if k.lacking(u.inst, 0, len(k.elems)) < 0 {
			u.kind = useSet
		}
	case all:
		u.kind = useAssign
	default:
		// a root class asks for all of its properties, to know whether the object is to be destroyed or only freed
		if k.isRootClassSelf() || !k.touchesTrivialOnly(u) {
			k.mixedWrite = true
		}
		return
	}
	k.lower = append(k.lower, n)
}

// isWholeWrite reports whether an instruction writes all of self.
func (k *checker) isWholeWrite(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyAddr, op.ExplicitCopyAddr, op.MarkUnresolvedMoveAddr, op.Assign, op.AssignByWrapper:
	default:
		return false
	}
	to := i.Arg(1)
	if a := facts.DefinedBy(to, op.BeginAccess); a != nil {
		to = a.Arg(0)
	}
	return to == k.addr
}

// touchesTrivialOnly reports whether a use is about elements that need no destroy.
func (k *checker) touchesTrivialOnly(u *use) bool {
	if u.inst.Op == op.AssignByWrapper || u.inst.Op == op.AssignOrInit {
		return false
	}
	for n := u.first; n < u.first+u.n; n++ {
		if k.elems[n].t == nil || !k.Types.IsTrivial(k.elems[n].t) {
			return false
		}
	}
	return true
}

// inout checks memory that is passed to be changed.
func (k *checker) inout(u *use) {
	if is := k.isInitialized(u); !is.yes {
		switch {
		case is.lostSelf:
			k.sayLostSelf(u.inst)
		case u.inst.Op == op.AddressToPointer:
			k.sayUninitialized(u, "address of variable '%s' taken before it is initialized")
		case u.kind == useInoutSelf:
			k.sayUninitialized(u, "%v '%s' used before being initialized")
		default:
			k.sayUninitialized(u, "%v '%s' passed by reference before being initialized")
		}
		return
	}
	for n := u.first; n < u.first+u.n; n++ {
		if k.isLetElement(n) {
			k.sayChangedLet(u, k.nameOf(n))
			return
		}
	}
}

// selfInit checks a call of self.init or super.init: it is the first, and all stored properties are initialized.
func (k *checker) selfInit(n int) {
	u := &k.uses.list[n]
	is := k.all(u.inst)
	if is[len(is)-1] != no {
		switch {
		case k.boxAt(u.inst) != yes:
			k.sayLostSelf(u.inst)
		case k.maySay(u.inst) && k.isDelegating():
			k.say(u.inst, "'self.init' called multiple times in initializer")
		case k.maySay(u.inst):
			k.say(u.inst, "'super.init' called multiple times in initializer")
		}
		return
	}
	if k.isDelegating() {
		if u.inst.Op == op.Assign || u.inst.Op == op.AssignByWrapper || u.inst.Op == op.AssignOrInit {
			k.lower = append(k.lower, n)
		}
		return
	}
	for e := range len(is) - 1 {
		if is[e] != yes {
			k.sayUninitialized(u, "property '%s' not initialized at "+k.implicitly(u.inst)+"super.init call")
			return
		}
	}
}

// typeOfSelf lets the metatype that an initializer gets stand for that of self, which is not there yet.
func (k *checker) typeOfSelf(u *use) {
	metatype := u.inst
	if u.kind == useLoadForTypeOf {
		for _, x := range u.inst.Result().UseList() {
			if x.User().Op == op.ValueMetatype {
				metatype = x.User()
			}
		}
	}
	args := k.Func.Entry().Args
	if len(args) == 0 || !args[len(args)-1].Type.IsMetatype() {
		lack(k.Context, k.Func, metatype, "the initializer gets no metatype")
		return
	}
	self := args[len(args)-1]
	if self.Type != metatype.Result().Type {
		self = k.Before(metatype).Emit(&ir.Inst{Op: op.UncheckedTrivialBitCast, Types: []*ir.Type{metatype.Result().Type}}, self).Result()
	}
	metatype.ReplaceWith(self)
	if u.kind == useLoadForTypeOf {
		rewrite.EraseUsers(u.inst.Result())
		u.inst.Remove()
	}
	u.inst = nil
}

// isReachable reports whether the entry leads to a block.
func (k *checker) isReachable(b *ir.Block) bool {
	if k.reached == nil {
		k.reached = map[*ir.Block]bool{}
		seen := make([]bool, len(k.Func.Blocks))
		cfg.Graph(k.Func).Reach(seen, 0)
		for n, b := range k.Func.Blocks {
			k.reached[b] = seen[n]
		}
	}
	return k.reached[b]
}

// checkOut says so where an indirect result that is marked is not initialized when the function returns. It reports whether anything is known of
// the result.
func (k *checker) checkOut() bool {
	at := k.mark
	if scope := k.mark.SourceScope(); scope != nil {
		at = &ir.Inst{Loc: scope.Function().Loc()}
	}
	missing := func() { k.say(at, "property '"+k.nameOf(0)+"' not initialized by init accessor") }
	if len(k.uses.list) == 0 {
		missing()
		return false
	}
	for _, b := range k.Func.Blocks {
		if last := b.Last(); last.Op == op.Return && !k.isInitialized(&use{inst: last, kind: useLoad, n: len(k.elems)}).yes {
			missing()
		}
	}
	return true
}
