package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// maxEscapeSteps bounds a walk; one that needs more counts as an escape.
const maxEscapeSteps = 4000

// UseAnswer says what a walk does at a use, DefAnswer what it does at a definition.
type (
	UseAnswer uint8
	DefAnswer uint8
)

// The answers.
const (
	UseContinue UseAnswer = iota
	UseIgnore
	UseAbort

	DefContinue DefAnswer = iota
	DefIgnore
	DefWalkDown
	DefAbort
)

// Escape asks whether a value, or a part of it, can get to where nobody can follow it. The walk goes from a definition down to the uses,
// up again to whatever it is stored to, and so on, with the path of the part at each step.
type Escape struct {
	Program *Program
	// Use and Def, when they are not nil, decide at each use and definition.
	Use func(o *ir.Operand, path effects.Path, stores bool) UseAnswer
	Def func(v *ir.Value, path effects.Path, stores bool) DefAnswer
	// Trivial says that trivial values are followed too, Address that it is about an address: what is loaded from it does not matter.
	Trivial bool
	Address bool

	w *walker
}

// Escapes walks from v upwards and back down: v may be anything.
func (x *Escape) Escapes(v *ir.Value, path effects.Path) bool {
	x.start()
	return !x.up(v, escapePath{Path: path})
}

// EscapesDown walks from v down only: what happened to it before does not matter.
func (x *Escape) EscapesDown(v *ir.Value, path effects.Path) bool {
	x.start()
	return !x.w.downUses(v, escapePath{Path: path})
}

func (x *Escape) start() {
	x.w = &walker{p: x.Program, steps: maxEscapeSteps, memory: x.Address, use: x.use, leaf: x.leaf, leafMem: x.leafMem, def: x.up, root: x.root}
}

// isRelevant reports whether the walk cares for a value at a path.
func (x *Escape) isRelevant(v *ir.Value, path effects.Path) bool {
	if x.Trivial && !path.HasClass() {
		return true
	}
	return x.Program.HasPointer(v.Type)
}

// followsLoads reports whether what is loaded from the address at the path counts.
func (x *Escape) followsLoads(e escapePath) bool {
	return !x.Address || e.Path.MayHaveClass() || e.Stored
}

func (x *Escape) use(o *ir.Operand, e escapePath) bool {
	if !x.isRelevant(o.Value(), e.Path) {
		return true
	}
	if x.Use != nil {
		switch x.Use(o, e.Path, e.Stores) {
		case UseIgnore:
			return true
		case UseAbort:
			return false
		}
	}
	return x.w.follow(o, e)
}

func (x *Escape) up(v *ir.Value, e escapePath) bool {
	if !x.isRelevant(v, e.Path) {
		return true
	}
	if !x.w.spend() {
		return false
	}
	if x.Def != nil {
		switch x.Def(v, e.Path, e.Stores) {
		case DefIgnore:
			return true
		case DefAbort:
			return false
		case DefWalkDown:
			return x.down(v, e.untyped())
		}
	}
	return x.w.up(v, e)
}

// down walks the uses of v unless that was done before.
func (x *Escape) down(v *ir.Value, e escapePath) bool {
	if on, ok := x.w.downCache.needs(v, e); ok {
		return x.w.downUses(v, on)
	}
	return true
}

// project follows the address inside an object that an instruction results in.
func (x *Escape) project(r *ir.Value, e escapePath, k effects.FieldKind, n int) bool {
	path, ok := e.Path.PopIf(k, n)
	if !ok || !x.isRelevant(r, path) {
		return true
	}
	return x.w.downUses(r, e.at(path).untyped())
}

// leaf is a use of a value that does more than rename it.
func (x *Escape) leaf(o *ir.Operand, e escapePath) bool {
	i := o.User()
	switch i.Op {
	case op.RefTailAddr:
		return x.project(i.Result(), e, effects.FieldTail, 0)
	case op.RefElementAddr:
		return x.project(i.Result(), e, effects.FieldClass, x.Program.FieldIndex(i))
	case op.ProjectBox:
		return x.project(i.Result(), e, effects.FieldClass, FieldNumber(x.Program.Mod, i))
	case op.Store, op.StoreWeak, op.StoreUnowned:
		e.Stored = true
		return x.up(i.Arg(1), e)
	case op.DestroyValue, op.ReleaseValue, op.StrongRelease:
		return x.destroy(o.Value().Type, e)
	case op.Apply, op.TryApply, op.BeginApply:
		return x.call(o, e)
	case op.PartialApply:
		return x.call(o, e.untyped()) && x.w.downUses(i.Result(), e.untyped())
	case op.PointerToAddress, op.ConvertFunction, op.ConvertEscapeToNoescape:
		return x.w.downUses(i.Result(), e.untyped())
	case op.Builtin:
		return x.builtin(o, e)
	case op.StrongRetain, op.RetainValue, op.DebugValue, op.ValueMetatype, op.InitExistentialMetatype, op.OpenExistentialMetatype,
		op.ExistentialMetatype, op.DeallocRef, op.FixLifetime, op.ClassifyBridgeObject, op.BridgeObjectToWord, op.EndBorrow,
		op.ClassMethod, op.SuperMethod, op.ObjcMethod, op.ObjcSuperMethod, op.WitnessMethod, op.DeallocStackRef, op.DeallocStack:
		return true
	}
	return false
}

func (x *Escape) builtin(o *ir.Operand, e escapePath) bool {
	i := o.User()
	switch i.Builtin() {
	case op.BuiltinDestroyArray:
		return o.Number() == 1 && !e.Path.MayHaveClass()
	case op.BuiltinAtomicload:
		return !x.followsLoads(e) || x.w.downUses(i.Result(), e.untyped())
	case op.BuiltinAtomicstore:
		return !e.Stores
	case op.BuiltinCmpxchg:
		return !x.followsLoads(e) && !e.Stores
	}
	return i.Builtin().IsReadModifyWrite() && !e.Stores
}

// leafMem is a use of an address whose result is no address in the same memory.
func (x *Escape) leafMem(o *ir.Operand, e escapePath) bool {
	i := o.User()
	switch i.Op {
	case op.Store, op.StoreWeak, op.StoreUnowned:
		if o.Number() == 0 {
			return false // the address itself would be stored
		}
		if i.Op == op.Store && i.Has(op.QualAssign) && !x.destroy(o.Value().Type, e.untyped()) {
			return false
		}
		return !e.Stores || x.up(i.Arg(0), e)
	case op.CopyAddr:
		if o.Number() == 0 {
			if !x.followsLoads(e) {
				return true
			}
			e.Stored = true
			return x.up(i.Arg(1), e)
		}
		if !i.Has(op.QualInit) && !x.destroy(o.Value().Type, e.untyped()) {
			return false
		}
		return !e.Stores || x.up(i.Arg(0), e)
	case op.DestroyAddr:
		return x.destroy(o.Value().Type, e)
	case op.Apply, op.TryApply, op.BeginApply:
		return x.call(o, e)
	case op.PartialApply:
		if !x.call(o, e.untyped()) {
			return false
		}
		return !x.followsLoads(e) || x.w.downUses(i.Result(), e.untyped())
	case op.Load, op.LoadWeak, op.LoadUnowned, op.LoadBorrow:
		if !x.followsLoads(e) || !x.Program.HasPointer(i.Result().Type) {
			return true
		}
		return x.w.downUses(i.Result(), e.untyped())
	case op.AddressToPointer:
		return x.w.downUses(i.Result(), e.untyped())
	case op.DeallocStack, op.InjectEnumAddr, op.FixLifetime, op.EndBorrow, op.EndAccess, op.DebugValue:
		return true
	}
	return false
}

// destroy follows a value into the deinits that its end may run. The deinit of a noncopyable type takes the value: it can keep all of its parts.
func (x *Escape) destroy(t *ir.Type, e escapePath) bool {
	p := e.Path.PopValues()
	switch {
	case IsMoveOnly(x.Program.Mod, t.Object()):
		return false
	case p == 0:
		return true // the object itself can't escape from its deinit
	case x.Address && p.Matches(effects.PathFields):
		return true
	case e.Stores:
		return false
	}
	deinits := x.Program.Destructors(t)
	if e.Type != nil {
		deinits = oneCallee(x.Program.Destructor(e.Type))
	}
	if !deinits.Known {
		return false
	}
	for _, f := range deinits.Funcs {
		if x.Program.Effects(f).CanEscape(0, x.argumentPath(p)) {
			return false
		}
	}
	return true
}

// argumentPath returns the path for which effects are asked: addresses inside an object can't leave a callee, values in them can.
func (x *Escape) argumentPath(p effects.Path) effects.Path {
	if x.Address {
		return p.PopLastClass()
	}
	return p
}

// call follows an argument into the callees by their effects.
func (x *Escape) call(o *ir.Operand, e escapePath) bool {
	i := o.User()
	at := CalleeArg(i, o.Number())
	if at < 0 {
		return true
	}
	if !x.followsLoads(e) {
		return i.Op != op.BeginApply // which may yield the address
	}
	if e.Stores {
		return false
	}
	callees := x.Program.Callees(i.Arg(0))
	if !callees.Known {
		return false
	}
	for _, f := range callees.Funcs {
		fx := x.Program.Effects(f)
		if fx.CanEscape(at, x.argumentPath(e.Path)) && !x.argument(i, at, e, fx) {
			return false
		}
	}
	return true
}

// argument follows an argument to the result or the arguments to which the callee lets it escape.
func (x *Escape) argument(i *ir.Inst, at int, e escapePath, fx *effects.List) bool {
	matched := false
	for n := range fx.Escapes {
		f := &fx.Escapes[n]
		switch {
		case f.Kind == effects.EscapeToArg && f.Arg == at && e.Path.Matches(f.From):
			v := callArg(i, f.ToArg)
			if v == nil || !x.up(v, escapePath{Path: f.To}) {
				return false
			}
			matched = true
		case f.Kind == effects.EscapeToArg && f.ToArg == at && e.Path.Matches(f.To):
			v := callArg(i, f.Arg)
			if v == nil || !f.Exclusive || !x.up(v, escapePath{Path: f.From}) {
				return false
			}
			matched = true
		case f.Kind == effects.EscapeToReturn && f.Arg == at && e.Path.Matches(f.From):
			r := directResult(i)
			if r == nil {
				return false
			}
			to := escapePath{Path: f.To}
			if f.Exclusive {
				to.Type = e.Type
			}
			if !x.w.downUses(r, to) {
				return false
			}
			matched = true
		}
	}
	return matched
}

// callArg returns the value that a call passes as the callee's argument n, nil when it passes none.
func callArg(i *ir.Inst, n int) *ir.Value {
	for k := 1; k < len(i.Operands); k++ {
		if CalleeArg(i, k) == n {
			return i.Arg(k)
		}
	}
	return nil
}

// directResult returns the value that a call returns.
func directResult(i *ir.Inst) *ir.Value {
	switch i.Op {
	case op.Apply:
		return i.Result()
	case op.TryApply:
		if to := i.Succs[0].To; len(to.Args) == 1 {
			return to.Args[0]
		}
	}
	return nil
}

// root is a definition that is no renaming.
func (x *Escape) root(v *ir.Value, e escapePath) bool {
	i := v.Inst()
	if v.Type.IsAddress() {
		return x.rootAddress(v, e)
	}
	if i == nil {
		if b := v.Block(); b != nil && b != b.Func.Entry() {
			if term := x.Program.onlyPredecessor(b); term != nil && term.Op == op.TryApply && term.Succs[0].To == b {
				return x.upResult(term, e.untyped())
			}
		}
		return false
	}
	switch i.Op {
	case op.AllocRef:
		e.Type = v.Type
		return x.down(v, e)
	case op.AllocRefDynamic: // the metatype may be that of a subclass, with another deinit
		return x.down(v, e.untyped())
	case op.AllocBox:
		return x.down(v, e.untyped())
	case op.Apply:
		return x.upResult(i, e.untyped())
	case op.Load, op.LoadWeak, op.LoadUnowned, op.LoadBorrow:
		if !x.followsLoads(e) {
			return false
		}
		e.Stores = true
		return x.up(i.Arg(0), e.untyped())
	case op.AddressToPointer:
		return x.up(i.Arg(0), e.untyped())
	}
	return false
}

func (x *Escape) rootAddress(v *ir.Value, e escapePath) bool {
	i := v.Inst()
	if i == nil {
		b := v.Block()
		if b == nil || b != b.Func.Entry() || x.followsLoads(e) || e.Stores || !EntryConv(b.Func, v.Index()).IsExclusive() {
			return false
		}
		return x.down(v, e.untyped())
	}
	switch i.Op {
	case op.AllocStack:
		return x.down(v, e.untyped())
	case op.PointerToAddress:
		return x.up(i.Arg(0), e.untyped())
	case op.RefTailAddr:
		return x.up(i.Arg(0), e.push(effects.FieldTail, 0).untyped())
	case op.RefElementAddr:
		return x.up(i.Arg(0), e.push(effects.FieldClass, x.Program.FieldIndex(i)).untyped())
	case op.ProjectBox:
		return x.up(i.Arg(0), e.push(effects.FieldClass, FieldNumber(x.Program.Mod, i)).untyped())
	case op.StoreBorrow:
		return x.up(i.Arg(1), e)
	}
	return false
}

// upResult goes from the result of a call to the arguments that alone can be it.
func (x *Escape) upResult(i *ir.Inst, e escapePath) bool {
	callees := x.Program.Callees(i.Arg(0))
	if !callees.Known {
		return false
	}
	for _, f := range callees.Funcs {
		matched := false
		fx := x.Program.Effects(f)
		for n := range fx.Escapes {
			k := &fx.Escapes[n]
			if k.Kind != effects.EscapeToReturn || !k.Exclusive || !e.Path.Matches(k.To) {
				continue
			}
			v := callArg(i, k.Arg)
			if v == nil || !x.up(v, escapePath{Path: k.From, Stores: e.Stores}) {
				return false
			}
			matched = true
		}
		if !matched {
			return false
		}
	}
	return true
}
