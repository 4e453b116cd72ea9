package facts

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// globalAccess says what an instruction does to the value of a global.
type globalAccess uint8

const (
	readsGlobal globalAccess = iota + 1
	endsGlobal               // the value is destroyed or overwritten, and nobody has seen it
	loadsForEnd              // the value is loaded for its release only
)

// GlobalLife answers where the value of a global can still be seen. It follows the code of the whole program: all names of the global must
// be plain accesses, and all paths through code must be known; threads and tasks are not.
type GlobalLife struct {
	p       *Program
	global  string
	known   bool
	access  map[*ir.Inst]globalAccess
	calls   map[*ir.Function][]*ir.Inst // the calls of a function, and what may run it as a deinit; a function that is used otherwise is in open
	open    map[*ir.Function]bool
	ends    map[*ir.Function]bool // whether each path through a function ends the value; set while it is looked at too
	typ     *ir.Type              // of the value
	seen    map[lifePoint]bool
	pending []lifePoint
	seenBy  *ir.Inst
	// reached are the accesses that a value in the global may come to, while ReleasesNothing looks for them; nil else.
	reached map[*ir.Inst]bool
	fills   []*ir.Inst // what puts a value into the global that may be other than none
}

// lifePoint is a place that a run may come to. up says that the function may return to whoever called it; else its call was followed already.
type lifePoint struct {
	at *ir.Inst
	up bool
}

// NewGlobalLife looks at all uses of a global.
func NewGlobalLife(p *Program, name string) *GlobalLife {
	l := &GlobalLife{p: p, global: name, known: p.Whole, access: map[*ir.Inst]globalAccess{}, calls: map[*ir.Function][]*ir.Inst{}, open: map[*ir.Function]bool{},
		ends: map[*ir.Function]bool{}}
	for _, f := range p.Mod.Functions() {
		l.function(f)
	}
	l.tables()
	for _, f := range p.Mod.Functions() {
		l.runsOfDeinits(f)
	}
	return l
}

// runsOfDeinits notes what a deinit may return to: the instruction that ended an object, or a call that nobody can follow.
func (l *GlobalLife) runsOfDeinits(f *ir.Function) {
	for i := range f.Insts() {
		var dtors []*ir.Function
		known := true
		switch n := len(i.Operands) - 1; {
		case IsFullApply(i):
			callees := l.p.Callees(i.Arg(0))
			known = callees.AreVisible()
			for _, g := range callees.Funcs {
				known = known || len(callees.Funcs) == 1 && isCLeaf(g)
			}
		case IsRelease(i), i.Op == op.DestroyValue, i.Op == op.DestroyAddr, i.Op == op.Store, i.Op == op.CopyAddr:
			dtors, known = l.deinitsOf(i.Arg(n).Type, 0)
		default:
			known = l.isQuiet(i)
		}
		if !known {
			for _, d := range l.p.dtors {
				l.calls[d] = append(l.calls[d], i)
			}
		}
		for _, d := range dtors {
			l.calls[d] = append(l.calls[d], i)
		}
	}
}

// function notes the accesses and calls of a body. What waits as text may hold anything.
func (l *GlobalLife) function(f *ir.Function) {
	if len(f.Blocks) == 0 {
		l.known = l.known && f.IsDeclaration()
		return
	}
	for i := range f.Insts() {
		aux, ok := i.Aux.(*ir.SymbolAux)
		switch {
		case !ok:
		case i.Op == op.GlobalAddr && aux.Name == l.global:
			l.addresses(i.Result())
		case i.Op == op.GlobalValue && aux.Name == l.global:
			l.known = false
		case aux.Func == nil:
		case i.Op == op.FunctionRef:
			for _, x := range i.Result().UseList() {
				if c := x.User(); IsFullApply(c) && x.Number() == 0 && c.Op != op.BeginApply {
					l.calls[aux.Func] = append(l.calls[aux.Func], c)
				} else if !IsDebug(c) {
					l.open[aux.Func] = true
				}
			}
		default:
			l.open[aux.Func] = true
		}
	}
}

// tables notes the functions that are called by tables.
func (l *GlobalLife) tables() {
	l.p.index()
	for _, list := range l.p.methods {
		for _, f := range list {
			l.open[f] = true
		}
	}
}

// ReleasesNothing lists the accesses that write over, destroy or load for its release a value that is none whenever they run; nil when that
// can't be told. The global has to be none when the program starts.
func (l *GlobalLife) ReleasesNothing() (list []*ir.Inst) {
	if !l.known {
		return nil
	}
	l.reached = map[*ir.Inst]bool{}
	defer func() { l.reached = nil }()
	l.seen, l.pending, l.seenBy = map[lifePoint]bool{}, nil, nil
	for _, i := range l.fills {
		l.push(i.Next(), true)
	}
	l.follow()
	if l.seenBy != nil {
		return nil
	}
	for _, f := range l.p.Mod.Functions() {
		for i := range f.Insts() {
			if access := l.access[i]; access != 0 && access != readsGlobal && !l.reached[i] {
				list = append(list, i)
			}
		}
	}
	return list
}

// follow runs along all paths from where the walk stands, until one sees the value.
func (l *GlobalLife) follow() {
	for len(l.pending) > 0 && l.seenBy == nil {
		at := l.pending[len(l.pending)-1]
		l.pending = l.pending[:len(l.pending)-1]
		l.run(at)
	}
}

// addresses classes the uses of an address of the whole global.
func (l *GlobalLife) addresses(v *ir.Value) {
	for _, x := range v.UseList() {
		i := x.User()
		switch {
		case i.Op == op.BeginAccess:
			l.addresses(i.Result())
		case i.Op == op.EndAccess, IsDebug(i):
		case i.Op == op.Store && x.Number() == 1:
			l.access[i] = endsGlobal
			if d := i.Arg(0).Inst(); d == nil || d.Op != op.Enum || len(d.Operands) > 0 {
				l.fills = append(l.fills, i)
			}
		case i.Op == op.DestroyAddr:
			l.access[i] = endsGlobal
		case i.Op == op.CopyAddr:
			if x.Number() == 0 {
				l.access[i] = readsGlobal
				continue
			}
			l.fills = append(l.fills, i)
			if l.access[i] == 0 {
				l.access[i] = endsGlobal
			}
		case i.Op == op.Load:
			switch {
			case i.Has(op.QualCopy), !onlyDestroyed(i.Result()):
				l.access[i] = readsGlobal
			case i.Has(op.QualTake):
				l.access[i] = endsGlobal
			default:
				l.access[i] = loadsForEnd
			}
		case i.Op == op.LoadBorrow:
			l.access[i] = readsGlobal
		default:
			l.known = false
		}
	}
}

// onlyDestroyed reports whether nothing is done with a value but to end it.
func onlyDestroyed(v *ir.Value) bool {
	for _, x := range v.UseList() {
		if i := x.User(); !IsRelease(i) && i.Op != op.DestroyValue && !IsDebug(i) {
			return false
		}
	}
	return true
}

// SeenAfter returns an instruction after i that may see the value of type t that the global has at i, or that the deinits depend on that the
// end of the value runs; known is false when that can't be told.
func (l *GlobalLife) SeenAfter(i *ir.Inst, t *ir.Type) (by *ir.Inst, known bool) {
	if !l.known {
		return nil, false
	}
	l.typ, l.seen, l.pending, l.seenBy = t, map[lifePoint]bool{}, nil, nil
	l.push(i.Next(), true)
	l.follow()
	return l.seenBy, true
}

func (l *GlobalLife) push(i *ir.Inst, up bool) {
	if at := (lifePoint{i, up}); i != nil && !l.seen[at] {
		l.seen[at] = true
		l.pending = append(l.pending, at)
	}
}

// run follows a path to the end of its block.
func (l *GlobalLife) run(at lifePoint) {
	for i := at.at; i != nil; i = i.Next() {
		access := l.access[i]
		switch {
		case l.reached != nil && access != 0:
			l.reached[i] = true
			if access == endsGlobal || i.Has(op.QualTake) {
				return
			}
		case access == readsGlobal:
			l.seenBy = i
			return
		case access == endsGlobal:
			return
		}
		switch {
		case i.Op == op.Return, i.Op == op.Throw, i.Op == op.Unwind:
			if at.up {
				l.returned(i)
			}
			return
		case IsFullApply(i):
			if l.call(i) {
				return
			}
		case l.reached == nil && !IsFullApply(i) && l.p.DependsOnDeinit(i, l.typ):
			l.seenBy = i
			return
		case IsRelease(i), i.Op == op.DestroyValue, i.Op == op.DestroyAddr:
			l.destroyed(i, i.Arg(0).Type)
		case i.Op == op.Store, i.Op == op.CopyAddr:
			l.destroyed(i, i.Arg(1).Type)
		case !l.isQuiet(i):
			l.seenBy = i
			return
		}
		if i.Op.IsTerminator() {
			for _, e := range i.Succs {
				l.push(e.To.First(), at.up)
			}
		}
	}
}

// isQuiet reports whether an instruction other than an access to the global runs no code that isn't followed.
func (l *GlobalLife) isQuiet(i *ir.Inst) bool {
	switch i.Op {
	case op.Builtin:
		m := l.p.Memory(i)
		return !m.MayRead() && !m.MayWrite() && !l.p.MayRelease(i)
	case op.HopToExecutor, op.AwaitAsyncContinuation, op.Yield, op.BeginApply, op.EndApply, op.AbortApply:
		return false
	case op.Load, op.LoadBorrow, op.StoreBorrow, op.BeginAccess, op.EndAccess, op.CondFail, op.AllocRef, op.DeallocRef, op.DeallocStackRef, op.AllocStack,
		op.DeallocStack, op.InjectEnumAddr, op.BeginDeallocRef, op.EndBorrow, op.FixLifetime, op.AllocBox, op.DeallocBox, op.IsUnique:
		return true
	}
	m := l.p.Memory(i)
	return IsRetain(i) || IsDebug(i) || !m.MayRead() && !m.MayWrite()
}

// destroyed enters the deinits that the end of a value of type t may run at i.
func (l *GlobalLife) destroyed(i *ir.Inst, t *ir.Type) {
	dtors, known := l.deinitsOf(t, 0)
	if !known {
		l.seenBy = i
	}
	for _, f := range dtors {
		l.enter(f, i)
	}
}

// deinitsOf lists the deinits that the end of a value of type t may run; known is false when there may be others.
func (l *GlobalLife) deinitsOf(t *ir.Type, depth int) (list []*ir.Function, known bool) {
	t = Selfless(t.Object())
	switch {
	case l.p.Types.IsTrivial(t):
		return nil, true
	case t.IsOptional():
		return l.deinitsOf(t.Args[0], depth)
	case l.p.IsClass(t):
		dtors := l.p.Destructors(t)
		return dtors.Funcs, dtors.AreVisible()
	}
	fields, known := l.p.Types.FieldTypes(t)
	if !known || len(fields) == 0 || depth > maxTypeDepth {
		return nil, false
	}
	for _, f := range fields {
		more, ok := l.deinitsOf(f, depth+1)
		list, known = append(list, more...), known && ok
	}
	return list, known
}

// call enters what is called. It reports whether the way ends there.
func (l *GlobalLife) call(i *ir.Inst) (ends bool) {
	callees := l.p.Callees(i.Arg(0))
	if !callees.Known || len(callees.Funcs) == 0 {
		l.seenBy = i
		return true
	}
	ends = true
	for _, f := range callees.Funcs {
		if isCLeaf(f) {
			ends = false
			continue
		}
		if !l.enter(f, i) {
			return true
		}
		ends = ends && l.mustEnd(f)
	}
	return ends
}

// enter follows the body of a function.
func (l *GlobalLife) enter(f *ir.Function, by *ir.Inst) bool {
	if f.Linkage.IsExternal() || len(f.Blocks) == 0 || f.Type.Func.Async || f.Type.Func.Coroutine != ir.NotCoroutine {
		l.seenBy = by
		return false
	}
	l.push(f.Entry().First(), false)
	return true
}

// returned goes on after the calls of the function that returns. A program ends where main returns.
func (l *GlobalLife) returned(i *ir.Inst) {
	f := i.Block().Func
	if f.Name == ir.EntryPoint && len(l.calls[f]) == 0 && !l.open[f] {
		return
	}
	if l.open[f] || len(l.calls[f]) == 0 {
		l.seenBy = i
		return
	}
	for _, c := range l.calls[f] {
		if c.Op.IsTerminator() {
			for _, e := range c.Succs {
				l.push(e.To.First(), true)
			}
		} else {
			l.push(c.Next(), true)
		}
	}
}

// mustEnd reports whether each path through a function to its end overwrites or destroys the value. What a path reads before that, SeenAfter finds.
func (l *GlobalLife) mustEnd(f *ir.Function) bool {
	if known, ok := l.ends[f]; ok {
		return known
	}
	l.ends[f] = false // for calls of itself
	l.ends[f] = cfg.WalkPaths(f, func(i *ir.Inst) cfg.Path {
		switch {
		case l.access[i] == endsGlobal || IsFullApply(i) && l.callEnds(i):
			return cfg.EndPath
		case i.Op == op.Return || i.Op == op.Throw || i.Op == op.Unwind:
			return cfg.Fail
		}
		return cfg.Follow
	})
	return l.ends[f]
}

func (l *GlobalLife) callEnds(i *ir.Inst) bool {
	callees := l.p.Callees(i.Arg(0))
	if !callees.Known || len(callees.Funcs) == 0 {
		return false
	}
	for _, f := range callees.Funcs {
		if len(f.Blocks) == 0 || f.Linkage.IsExternal() || !l.mustEnd(f) {
			return false
		}
	}
	return true
}
