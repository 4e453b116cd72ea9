package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// AccessKind is what a formal access does (docs/SIL.rst, begin_access).
type AccessKind op.Qual

// The kinds of accesses.
const (
	AccessNone   = AccessKind(op.QualInvalid)
	AccessInit   = AccessKind(op.QualInit)
	AccessRead   = AccessKind(op.QualRead)
	AccessModify = AccessKind(op.QualModify)
	AccessDeinit = AccessKind(op.QualDeinit)
)

// AccessKindOf returns the kind of a begin_access or begin_unpaired_access.
func AccessKindOf(i *ir.Inst) AccessKind {
	return AccessKind(i.Quals.First(op.QualInit, op.QualRead, op.QualModify, op.QualDeinit))
}

// String returns the kind as SIL spells it.
func (k AccessKind) String() string { return op.Qual(k).String() }

// And returns the kind of an access that stands for two.
func (k AccessKind) And(o AccessKind) AccessKind {
	if k == AccessNone || k == AccessRead {
		return o
	}
	return k
}

// FormalAccess is what a function and those it calls do to one storage with dynamic enforcement.
type FormalAccess struct {
	Storage AccessStorage
	Kind    AccessKind
	// NoNestedConflict says that none of the accesses can have another one of the same storage inside.
	NoNestedConflict bool
}

// FormalAccesses are the accesses of a function, in the order in which they are met.
type FormalAccesses struct {
	List []FormalAccess
	// Unidentified is what may be done to storage that nobody knows, "" for nothing.
	Unidentified AccessKind

	at map[storageKey]int // in List
}

// setWorst says that anything may be accessed.
func (a *FormalAccesses) setWorst() { *a = FormalAccesses{Unidentified: AccessModify} }

// add takes in one access, and reports whether it was news.
func (a *FormalAccesses) add(x FormalAccess) bool {
	if !x.Storage.IsKnown() || x.Storage.Kind == BaseUnidentified {
		return a.addUnidentified(x.Kind)
	}
	key := x.Storage.key()
	n, ok := a.at[key]
	if !ok {
		if a.at == nil {
			a.at = map[storageKey]int{}
		}
		a.at[key] = len(a.List)
		a.List = append(a.List, x)
		return true
	}
	have := &a.List[n]
	was := *have
	have.Kind, have.NoNestedConflict = have.Kind.And(x.Kind), have.NoNestedConflict && x.NoNestedConflict
	return have.Kind != was.Kind || have.NoNestedConflict != was.NoNestedConflict
}

// Find returns what is done to one storage, nil when nothing is known to be.
func (a *FormalAccesses) Find(s *AccessStorage) *FormalAccess {
	if n, ok := a.at[s.key()]; ok && s.IsKnown() {
		return &a.List[n]
	}
	return nil
}

func (a *FormalAccesses) addUnidentified(kind AccessKind) bool {
	was := a.Unidentified
	if kind != AccessNone {
		a.Unidentified = was.And(kind)
	}
	return a.Unidentified != was
}

// FormalAccessAnalysis finds the accesses of functions, callees first (docs/SILMemoryAccess.md; the compiler's AccessStorageAnalysis).
type FormalAccessAnalysis struct {
	Program *Program
	known   map[*ir.Function]*accessingFunction
}

// accessingFunction is a function with its accesses as far as they are known.
type accessingFunction struct {
	f       *ir.Function
	all     FormalAccesses
	callers []accessingCall
}

type accessingCall struct {
	caller *accessingFunction
	call   *ir.Inst
}

// maxAccessDepth is the number of calls that are followed from the function that is asked for; further ones may do anything.
const maxAccessDepth = 5

// Of returns the accesses of a function with a body.
func (a *FormalAccessAnalysis) Of(f *ir.Function) *FormalAccesses {
	if a.known == nil {
		a.known = map[*ir.Function]*accessingFunction{}
	}
	if known := a.known[f]; known != nil {
		return &known.all
	}
	var order calleesFirst
	a.analyze(f, &order, 0)
	a.settle(&order)
	return &a.known[f].all
}

// OfCall returns the accesses that a call may make, in the caller's terms.
func (a *FormalAccessAnalysis) OfCall(call *ir.Inst) *FormalAccesses {
	if a.known == nil {
		a.known = map[*ir.Function]*accessingFunction{}
	}
	fn := &accessingFunction{f: call.Block().Func}
	var order calleesFirst
	a.call(fn, call, &order, 0)
	a.settle(&order)
	for _, callee := range order.list {
		callee.callers = slices.DeleteFunc(callee.callers, func(c accessingCall) bool { return c.caller == fn })
	}
	return &fn.all
}

// settle hands what callees do to their callers until nothing is new.
func (a *FormalAccessAnalysis) settle(order *calleesFirst) {
	for changed := true; changed; {
		changed = false
		for _, fn := range order.list {
			for _, c := range fn.callers {
				changed = a.merge(&c.caller.all, &fn.all, c.call) || changed
			}
		}
	}
}

// calleesFirst lists the functions that one question leads to.
type calleesFirst struct {
	list []*accessingFunction
	has  map[*accessingFunction]bool
}

func (o *calleesFirst) add(fn *accessingFunction) {
	if o.has == nil {
		o.has = map[*accessingFunction]bool{}
	}
	if !o.has[fn] {
		o.has[fn] = true
		o.list = append(o.list, fn)
	}
}

func (a *FormalAccessAnalysis) analyze(f *ir.Function, order *calleesFirst, depth int) *accessingFunction {
	fn := &accessingFunction{f: f}
	a.known[f] = fn
	for i := range f.Insts() {
		switch {
		case IsFullApply(i):
			a.call(fn, i, order, depth)
		case (i.Op == op.BeginAccess || i.Op == op.BeginUnpairedAccess) && i.Has(op.QualDynamic):
			fn.all.add(FormalAccess{a.Program.In(f).AccessStorage(i.Arg(0)), AccessKindOf(i), i.Has(op.QualNoNestedConflict)})
		}
	}
	order.add(fn)
	return fn
}

func (a *FormalAccessAnalysis) call(fn *accessingFunction, call *ir.Inst, order *calleesFirst, depth int) {
	callees := a.Program.Callees(call.Arg(0))
	if t := Callee(call); depth >= maxAccessDepth || !callees.AreVisible() || t == nil || t.Callee == ir.CalleeOwned {
		fn.all.setWorst()
		return
	}
	for _, f := range callees.Funcs {
		callee := a.known[f]
		if callee == nil {
			callee = a.analyze(f, order, depth+1)
		}
		order.add(callee) // it may have been known before, or be looked at just now
		callee.callers = append(callee.callers, accessingCall{fn, call})
	}
}

// merge takes in what a callee does.
func (a *FormalAccessAnalysis) merge(to, from *FormalAccesses, call *ir.Inst) bool {
	changed := to.addUnidentified(from.Unidentified)
	for _, x := range slices.Clone(from.List) {
		if x.Storage.IsLocal() {
			continue
		}
		x.Storage = a.inCaller(x.Storage, call)
		changed = to.add(x) || changed
	}
	return changed
}

// inCaller returns storage of a callee by the name that it has for the caller, if it is that of an argument.
func (a *FormalAccessAnalysis) inCaller(s AccessStorage, call *ir.Inst) AccessStorage {
	if s.Root.Inst() != nil || s.Root.IsUndef() || !isEntryArg(s.Root) {
		return s
	}
	arg := a.argument(call, s.Root.Index())
	if arg == nil {
		return AccessStorage{Base: s.Base, Root: s.Root}
	}
	caller := a.Program.In(call.Block().Func)
	switch s.Kind {
	case BaseArgument:
		return caller.AccessStorage(arg)
	case BaseClass, BaseTail, BaseBox:
		s.Root = caller.objectRoot(arg)
	}
	return s
}

// argument returns what a call passes for an argument of the function, through closures of it; nil when nobody can tell.
func (a *FormalAccessAnalysis) argument(call *ir.Inst, index int) *ir.Value {
	if n := index + 1; n < len(call.Operands) {
		return call.Arg(n)
	}
	index -= len(call.Operands) - 1
	if closure := closureOf(call.Arg(0)); closure != nil {
		if n := index + 1; n < len(closure.Operands) {
			return closure.Arg(n)
		}
	}
	return nil
}
