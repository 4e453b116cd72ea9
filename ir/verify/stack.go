package verify

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// flow checks what has to be in balance on every path: stack allocations end in the reverse order of their
// beginning, each access and each call of a coroutine ends once, a coroutine yields before it returns
// (docs/SIL.rst, dealloc_stack, end_access, end_apply, yield). As in the compiler, the order of the walk is that of a stack of
// blocks, the state of the way that comes first to a block is that of the block, and only blocks that return or throw ask whether
// the other ways agree.
type flow struct {
	c     *checker
	nodes map[node]*node
	state []*flowState // at the start of each block, nil when it is not reached yet
	work  []*ir.Block
}

// node is a stack: its top and what lies below. The nodes of one flow are equal when their pointers are.
type node struct {
	top   *ir.Inst
	below *node
}

// flowState is what is open at a point.
type flowState struct {
	stack *node
	open  []*ir.Inst // begin_access and begin_apply, oldest first; not changed in place
	phase phase
	await *ir.Inst // the continuation that is to be awaited, nil for none
}

// phase says where in a coroutine that yields once control is.
type phase uint8

const (
	phaseNormal phase = iota
	phaseResumed
	phaseUnwinding
)

// maxOpen bounds how many accesses may be open at once before the check gives up on the function.
const maxOpen = 4096

func (c *checker) balance() {
	f := &flow{c: c, nodes: map[node]*node{}, state: make([]*flowState, len(c.f.Blocks))}
	entry := c.f.Entry()
	f.state[entry.Index] = &flowState{}
	for f.work = append(f.work, entry); len(f.work) > 0; {
		b := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		now := *f.state[b.Index]
		for i := range b.Insts() {
			if !f.step(&now, i) {
				return
			}
		}
		f.leave(&now, b.Last())
	}
}

// allocates reports whether the instruction takes stack space that an instruction of its own frees.
func (f *flow) allocates(i *ir.Inst) bool {
	switch i.Op {
	case op.AllocStack, op.AllocPack, op.AllocPackMetadata, op.AllocVector:
		return true
	case op.AllocRef, op.AllocRefDynamic:
		return i.Has(op.QualStack)
	case op.PartialApply:
		return i.Has(op.QualOnStack) && !f.c.ossa
	case op.Builtin:
		return i.Builtin() == op.BuiltinStackAlloc || i.Builtin() == op.BuiltinUnprotectedStackAlloc
	}
	return false
}

func builtinName(i *ir.Inst) string {
	if aux, ok := i.Aux.(*ir.BuiltinAux); ok {
		return aux.Name()
	}
	return ""
}

func deallocates(i *ir.Inst) bool {
	switch i.Op {
	case op.DeallocStack: // that of the memory of a coroutine goes with its begin_apply
		return len(i.Operands) == 0 || i.Arg(0).Inst() == nil || i.Arg(0).Inst().Op != op.BeginApply
	case op.DeallocPack, op.DeallocPackMetadata, op.DeallocStackRef:
		return true
	case op.Builtin:
		return i.Builtin() == op.BuiltinStackDealloc
	}
	return false
}

// step applies one instruction; it returns false to give up.
func (f *flow) step(s *flowState, i *ir.Inst) bool {
	switch {
	case f.allocates(i):
		s.stack = f.push(s.stack, i)
	case deallocates(i) && len(i.Operands) > 0:
		f.pop(s, i)
	case i.Op == op.BeginAccess || i.Op == op.BeginApply || i.Op == op.StoreBorrow && f.c.ossa:
		if len(s.open) >= maxOpen {
			return false
		}
		s.open = append(s.open[:len(s.open):len(s.open)], i)
	case i.Op == op.EndAccess || i.Op == op.EndApply || i.Op == op.AbortApply ||
		i.Op == op.EndBorrow && i.Arg(0).Type != nil && i.Arg(0).Type.IsAddress():
		f.end(s, i)
	case i.Op == op.Yield:
		f.suspends(s, i)
		f.yield(s, i)
	case i.Op == op.GetAsyncContinuation, i.Op == op.GetAsyncContinuationAddr:
		f.suspends(s, i)
		s.await = i
	case i.Op == op.AwaitAsyncContinuation:
		f.awaited(s, i)
	case i.Op == op.HopToExecutor, i.Op == op.Apply, i.Op == op.TryApply:
		if s.await != nil && maySuspend(i) {
			f.suspends(s, i)
		}
	case i.Row().Succs == op.SuccExit:
		f.exit(s, i)
	}
	return true
}

func (f *flow) push(below *node, top *ir.Inst) *node {
	key := node{top, below}
	if n := f.nodes[key]; n != nil {
		return n
	}
	n := &node{top, below}
	f.nodes[key] = n
	return n
}

func (f *flow) pop(s *flowState, i *ir.Inst) {
	what := i.Arg(0).Inst()
	for what != nil && (what.Op == op.MoveonlywrapperToCopyableAddr || what.Op == op.CopyableToMoveonlywrapperAddr) {
		what = what.Arg(0).Inst()
	}
	if i.Arg(0).IsUndef() {
		return
	}
	if s.stack == nil {
		f.c.diags.InstErrorf(i.Pos, "stack-order", "%s of %s, but nothing is allocated on the stack here", i.Op, i.Arg(0))
		return
	}
	if what != s.stack.top {
		f.c.diags.InstErrorf(i.Pos, "stack-order", "%s of %s, which is not the most recent stack allocation", i.Op, i.Arg(0)).
			Note(s.stack.top.Pos, "this one is")
		for n := s.stack; n != nil; n = n.below { // go on as if the order were right
			if n.top == what {
				s.stack = f.without(s.stack, what)
				return
			}
		}
		return
	}
	s.stack = s.stack.below
}

// without returns the stack with one entry taken out.
func (f *flow) without(n *node, what *ir.Inst) *node {
	var above []*ir.Inst
	for ; n != nil && n.top != what; n = n.below {
		above = append(above, n.top)
	}
	n = n.below
	for _, i := range slices.Backward(above) {
		n = f.push(n, i)
	}
	return n
}

func (f *flow) end(s *flowState, i *ir.Inst) {
	begin := i.Arg(0).Inst()
	want := op.BeginApply
	switch i.Op {
	case op.EndAccess:
		want = op.BeginAccess
	case op.EndBorrow:
		want = op.StoreBorrow
	}
	if i.Arg(0).IsUndef() {
		return
	}
	if begin == nil || begin.Op != want {
		f.c.diags.InstErrorf(i.Pos, "unbalanced-access", "%s needs the result of a %s, not %s", i.Op, want, i.Arg(0)).
			Note(definition(i.Arg(0)), "defined here")
		return
	}
	at := slices.Index(s.open, begin)
	if at < 0 {
		f.c.diags.InstErrorf(i.Pos, "unbalanced-access", "%s of %s, which has already been ended", i.Op, i.Arg(0)).Note(begin.Pos, "it begins here")
		return
	}
	s.open = slices.Delete(slices.Clone(s.open), at, at+1)
}

func (f *flow) yield(s *flowState, i *ir.Inst) {
	fn := f.c.f.Type.Func
	if fn == nil || fn.Coroutine == ir.NotCoroutine {
		f.c.diags.InstErrorf(i.Pos, "yield-place", "yield stands in @%s, which is no coroutine", f.c.f.Name)
		return
	}
	if fn.Coroutine != ir.YieldMany && s.phase != phaseNormal {
		f.c.diags.InstErrorf(i.Pos, "yield-place", "the coroutine has already yielded on this path")
	}
}

// exit checks what is open where the function is left.
func (f *flow) exit(s *flowState, i *ir.Inst) {
	if s.stack != nil {
		f.c.diags.InstErrorf(i.Pos, "stack-order", "%s with a stack allocation that was not deallocated", i.Op).Note(s.stack.top.Pos, "allocated here")
	}
	if len(s.open) > 0 {
		begin := s.open[len(s.open)-1]
		f.c.diags.InstErrorf(i.Pos, "unbalanced-access", "%s while a %s is not ended", i.Op, begin.Op).Note(begin.Pos, "it begins here")
	}
	f.suspends(s, i)
	fn := f.c.f.Type.Func
	if fn == nil {
		return
	}
	switch {
	case i.Op == op.Unwind && fn.Coroutine == ir.NotCoroutine:
		f.c.diags.InstErrorf(i.Pos, "yield-place", "unwind stands in @%s, which is no coroutine", f.c.f.Name)
	case i.Op == op.Unwind && s.phase != phaseUnwinding:
		f.c.diags.InstErrorf(i.Pos, "yield-place", "unwind is reached without the unwind edge of a yield")
	case i.Op != op.Unwind && s.phase == phaseUnwinding:
		f.c.diags.InstErrorf(i.Pos, "yield-place", "%s is reached through the unwind edge of a yield", i.Op)
	case i.Op == op.Return && fn.Coroutine != ir.NotCoroutine && fn.Coroutine != ir.YieldMany && s.phase == phaseNormal && f.c.stage != ir.StageRaw:
		f.c.diags.InstErrorf(i.Pos, "yield-place", "the coroutine returns before it yields")
	}
}

// maySuspend reports whether an instruction may hand the thread to other tasks.
func maySuspend(i *ir.Inst) bool {
	if i.Op == op.HopToExecutor {
		return true
	}
	fn := facts.Callee(i)
	return fn != nil && fn.Async && !i.Has(op.QualNoasync)
}

// suspends reports an instruction that suspends or leaves the function while a continuation is to be awaited.
func (f *flow) suspends(s *flowState, i *ir.Inst) {
	if s.await != nil {
		f.c.diags.InstErrorf(i.Pos, "continuation", "%s while a continuation is not awaited", i.Op).Note(s.await.Pos, "the continuation")
		s.await = nil
	}
}

func (f *flow) awaited(s *flowState, i *ir.Inst) {
	if len(i.Operands) > 0 && !i.Arg(0).IsUndef() && i.Arg(0).Inst() != s.await {
		f.c.diags.InstErrorf(i.Pos, "continuation", "%s of %s, which is not the continuation that is to be awaited", i.Op, i.Arg(0))
	}
	s.await = nil
}

// leave hands the state on to the next blocks.
func (f *flow) leave(s *flowState, term *ir.Inst) {
	for n, e := range term.Succs {
		if e.To == nil || e.To.Func != f.c.f {
			continue
		}
		next := *s
		if term.Op == op.Yield {
			next.phase = phaseResumed
			if n == 1 {
				next.phase = phaseUnwinding
			}
			if fn := f.c.f.Type.Func; n == 0 && fn != nil && fn.Coroutine == ir.YieldMany {
				next.phase = phaseNormal
			}
		}
		f.merge(&next, e.To, term)
	}
}

func (f *flow) merge(s *flowState, to *ir.Block, term *ir.Inst) {
	have := f.state[to.Index]
	if have == nil {
		f.state[to.Index] = s
		f.work = append(f.work, to)
		return
	}
	exits := to.Last().Op == op.Return || to.Last().Op == op.Throw
	switch {
	case exits && have.stack != s.stack:
		d := f.c.diags.InstErrorf(term.Pos, "stack-order", "block %s is entered with different stack allocations", to.Name)
		if odd := oddOne(have.stack, s.stack); odd != nil {
			d.Note(odd.Pos, "this one is allocated on some ways to it only")
		}
	case exits && !sameSet(have.open, s.open):
		d := f.c.diags.InstErrorf(term.Pos, "unbalanced-access", "block %s is entered with different accesses in progress", to.Name)
		for _, i := range append(slices.Clone(have.open), s.open...) {
			if !slices.Contains(have.open, i) || !slices.Contains(s.open, i) {
				d.Note(i.Pos, "this one is in progress on some ways to it only")
				break
			}
		}
	case have.await != s.await:
		f.c.diags.InstErrorf(term.Pos, "continuation", "block %s is entered with different continuations to await", to.Name)
	case have.phase != s.phase && f.c.stage != ir.StageRaw:
		f.c.diags.InstErrorf(term.Pos, "yield-place", "block %s is entered both before and after a yield", to.Name)
	}
}

// oddOne returns an allocation that only one of two stacks has.
func oddOne(a, b *node) *ir.Inst {
	in := func(s *node, i *ir.Inst) bool {
		for ; s != nil; s = s.below {
			if s.top == i {
				return true
			}
		}
		return false
	}
	for n := a; n != nil; n = n.below {
		if !in(b, n.top) {
			return n.top
		}
	}
	for n := b; n != nil; n = n.below {
		if !in(a, n.top) {
			return n.top
		}
	}
	return nil
}

func sameSet(a, b []*ir.Inst) bool {
	if len(a) != len(b) {
		return false
	}
	if slices.Equal(a, b) {
		return true
	}
	in := make(map[*ir.Inst]bool, len(a))
	for _, i := range a {
		in[i] = true
	}
	for _, i := range b {
		if !in[i] {
			return false
		}
	}
	return true
}
