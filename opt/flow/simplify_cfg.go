package flow

import (
	"sync"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/fold"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// SimplifyCFG makes the control flow simpler: it removes blocks that nothing reaches, merges blocks, folds branches whose condition is
// known, removes blocks that only branch on, and block arguments that are dead or always the same:
//
//	%1 = integer_literal $Builtin.Int1, -1        return %0
//	cond_br %1, bb1, bb2                     →
//	bb1: br bb3(%0)
//	bb2: br bb3(%2)
//	bb3(%3): return %3
//
// A worklist of blocks holds those that may be simplified; each rewrite enters the blocks that it may have helped.
var SimplifyCFG = &pass.Pass{Name: "simplify-cfg", Doc: "Simplifies the control flow", Function: func(c *pass.Context, f *ir.Function) bool {
	return NewCFGSimplifier(c, f, false).run()
}}

// JumpThreadSimplifyCFG is SimplifyCFG with jump threading through blocks whose branch the incoming edge decides.
var JumpThreadSimplifyCFG = &pass.Pass{Name: "jumpthread-simplify-cfg", Doc: "Simplifies the control flow, with jump threading", Function: func(c *pass.Context, f *ir.Function) bool {
	return NewCFGSimplifier(c, f, true).run()
}}

// SimplifyBBArgs only simplifies the arguments of blocks.
var SimplifyBBArgs = &pass.Pass{Name: "simplify-bb-args", Doc: "Removes and simplifies block arguments", Function: func(c *pass.Context, f *ir.Function) bool {
	s := NewCFGSimplifier(c, f, false)
	changed := false
	for _, b := range f.Blocks[1:] {
		changed = f.IsOSSA() && s.passedOnce(b) || changed
	}
	return s.SimplifyBlockArgs() || changed
}}

// SROABBArgs splits block arguments of struct and tuple types.
var SROABBArgs = &pass.Pass{Name: "sroa-bb-args", Doc: "Splits block arguments of struct and tuple types", Function: func(c *pass.Context, f *ir.Function) bool {
	s := NewCFGSimplifier(c, f, false)
	return s.splitArgs()
}}

// maxDominatorRounds bounds how often dominator-based simplification and jump threading take turns.
const maxDominatorRounds = 10

// veryLarge is the number of blocks above which the costly rewrites are left out.
const veryLarge = 10000

// CFGSimplifier simplifies the control flow of one function until nothing changes.
type CFGSimplifier struct {
	c          *pass.Context
	f          *ir.Function
	ts         *facts.Types
	preds      *cfg.Predecessors
	dom        domTree // nil while the tree is not up to date
	jumpThread bool
	large      bool

	work *worklist.IDStack[*ir.Block]

	folder *fold.ConstantFolder // nil until there is something to fold

	removed map[*ir.Block]bool
	// These are nil while they are empty.
	loopHeaders   map[*ir.Block]bool
	clonedHeaders map[*ir.Block]bool
	threadCost    map[*ir.Block]int
}

// domTree is the part of a dominator tree that the rewrites ask for.
type domTree interface {
	Dominates(a, b *ir.Block) bool
}

// NewCFGSimplifier returns a simplifier for a function; jumpThread lets it duplicate blocks.
func NewCFGSimplifier(c *pass.Context, f *ir.Function, jumpThread bool) *CFGSimplifier {
	return &CFGSimplifier{c: c, f: f, ts: c.Types(f), preds: cfg.NewPredecessors(f), jumpThread: jumpThread, large: len(f.Blocks) > veryLarge,
		removed: map[*ir.Block]bool{}, work: stacks.Get().(*worklist.IDStack[*ir.Block])}
}

var stacks = sync.Pool{New: func() any { return new(worklist.IDStack[*ir.Block]) }} // without work

// SimplifyBlockArgs simplifies arguments by the values that all edges pass, too.
func (s *CFGSimplifier) SimplifyBlockArgs() bool {
	s.dom = s.c.Dominators(s.f)
	return s.simplifyAllArgs()
}

func (s *CFGSimplifier) run() bool {
	changed := s.removeUnreachable()
	s.findLoopHeaders()
	changed = s.splitArgs() || changed
	if s.simplifyBlocks() {
		s.removeUnreachable()
		changed = true
	}
	if changed {
		s.c.Changed(s.f)
	}
	again := s.dominatorBased()
	s.dom = nil
	// what found nothing finds nothing in the same blocks
	if (changed || again) && s.simplifyBlocks() {
		s.removeUnreachable()
	}
	changed = s.CanonicalizeSwitches() || changed || again
	if s.work.Len() == 0 {
		stacks.Put(s.work)
	}
	s.work = nil
	return changed
}

func (s *CFGSimplifier) removeUnreachable() bool {
	if !rewrite.RemoveUnreachable(s.f) {
		return false
	}
	s.preds = cfg.NewPredecessors(s.f)
	return true
}

// forget takes a block that goes out of all that is known of blocks.
func (s *CFGSimplifier) forget(b *ir.Block) {
	s.work.Remove(b)
	if s.loopHeaders[b] {
		delete(s.loopHeaders, b)
		delete(s.clonedHeaders, b)
	}
}

// inherits notes that to now has the predecessors that from had.
func (s *CFGSimplifier) inherits(from, to *ir.Block) {
	if s.loopHeaders[from] {
		s.loopHeaders[to] = true
	}
	if s.clonedHeaders[from] {
		s.clonedHeaders[to] = true
	}
}

// findLoopHeaders finds the blocks to which an edge leads back in a depth-first walk.
func (s *CFGSimplifier) findLoopHeaders() {
	s.loopHeaders = nil
	type visit struct {
		b    *ir.Block
		next int
	}
	s.f.Renumber()
	seen, open := make([]bool, len(s.f.Blocks)), make([]bool, len(s.f.Blocks)) // by Block.Index
	stack := []visit{{b: s.f.Blocks[0]}}
	seen[0], open[0] = true, true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := top.b.Last().Succs
		if top.next == len(succs) {
			open[top.b.Index] = false
			stack = stack[:len(stack)-1]
			continue
		}
		to := succs[top.next].To
		top.next++
		switch {
		case !seen[to.Index]:
			seen[to.Index], open[to.Index] = true, true
			stack = append(stack, visit{b: to})
		case open[to.Index]:
			if s.loopHeaders == nil {
				s.loopHeaders = map[*ir.Block]bool{}
			}
			s.loopHeaders[to] = true
		}
	}
}

// simplifyBlocks works until no block can be simplified.
func (s *CFGSimplifier) simplifyBlocks() bool {
	changed := false
	for _, b := range s.f.Blocks {
		s.work.Push(b)
	}
	for b := range s.work.All() {
		if s.removeIfDead(b) {
			changed = true
			continue
		}
		term := b.Last()
		switch term.Op {
		case op.Br:
			if s.simplifyBr(term) || !s.large && s.threadJump(term) {
				changed = true
				continue
			}
		case op.CondBr:
			changed = s.simplifyCondBr(term) || changed
		case op.SwitchValue:
			changed = s.simplifySwitchValue(term) || changed
		case op.SwitchEnum:
			changed = s.SimplifySwitchEnum(term) || s.SimplifyOptionalObject(term) || s.SimplifyUnreachableCases(term) || changed
			changed = s.SimplifySameDestinations(b) || changed
		case op.SwitchEnumAddr:
			changed = s.SimplifySameDestinations(b) || changed
		case op.Unreachable:
			changed = s.simplifyUnreachable(term) || changed
		case op.CheckedCastBr:
			changed = s.simplifyCheckedCastBr(term) || changed
		case op.CheckedCastAddrBr:
			changed = s.SimplifyCheckedCastAddrBr(term) || changed
		case op.TryApply:
			changed = s.simplifyTryApply(term) || changed
		}
		if s.removed[b] {
			continue
		}
		changed = s.moveCondFail(b) || changed
		changed = s.simplifyArgs(b) || changed
		changed = s.simplifyTermination(b) || changed
	}
	s.Compact()
	return changed
}

// Compact takes the removed blocks out of the function.
func (s *CFGSimplifier) Compact() {
	if len(s.removed) == 0 {
		return
	}
	live := s.f.Blocks[:0]
	for _, b := range s.f.Blocks {
		if !s.removed[b] {
			live = append(live, b)
		}
	}
	s.f.Blocks = live
	clear(s.removed)
	s.f.Renumber()
}

// erase takes a block out, together with its edges and what is left of its instructions.
func (s *CFGSimplifier) erase(b *ir.Block) {
	if t := b.Terminator(); t != nil {
		s.preds.Disconnect(t)
	}
	for _, a := range b.Args {
		rewrite.ReplaceWithUndef(a)
	}
	for i := b.Last(); i != nil; i = b.Last() {
		for _, r := range i.Results {
			rewrite.ReplaceWithUndef(r)
		}
		i.Remove()
	}
	s.removed[b] = true
}

// removeIfDead removes a block that no edge leads to.
func (s *CFGSimplifier) removeIfDead(b *ir.Block) bool {
	if s.removed[b] || len(s.preds.Edges(b)) > 0 || b == s.f.Blocks[0] {
		return false
	}
	s.forget(b)
	for _, e := range b.Last().Succs {
		s.work.Push(e.To)
	}
	s.erase(b)
	return true
}

// takeEdge makes a terminator with two successors one that only goes to a block, and enters both blocks.
func (s *CFGSimplifier) takeEdge(i *ir.Inst, to, dropped *ir.Block, args ...*ir.Value) {
	s.branchTo(i, to, args...)
	s.droppedPred(dropped)
	s.work.Push(to)
}

// droppedPred enters a block that lost an edge, and those that lead to it.
func (s *CFGSimplifier) droppedPred(b *ir.Block) {
	s.work.Push(b)
	for _, p := range s.preds.Of(b) {
		s.work.Push(p)
	}
}

// replaceTerm puts a new terminator in the place of term.
func (s *CFGSimplifier) replaceTerm(term, by *ir.Inst, operands ...*ir.Value) *ir.Inst {
	s.preds.Disconnect(term)
	ir.At(s.c.Module, term).Emit(by, operands...)
	term.Remove()
	s.preds.Connect(by)
	return by
}

// branchTo replaces a terminator by a branch.
func (s *CFGSimplifier) branchTo(term *ir.Inst, to *ir.Block, args ...*ir.Value) *ir.Inst {
	return s.replaceTerm(term, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(args)}}}, args...)
}

// condBranch replaces a terminator by a conditional branch.
func (s *CFGSimplifier) condBranch(term *ir.Inst, cond *ir.Value, t *ir.Block, targs []*ir.Value, f *ir.Block, fargs []*ir.Value) *ir.Inst {
	operands := append([]*ir.Value{cond}, targs...)
	operands = append(operands, fargs...)
	return s.replaceTerm(term, &ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: t, First: 1, N: len(targs)}, {To: f, First: 1 + len(targs), N: len(fargs)}}}, operands...)
}

// EdgeValues lists the values that edge n of the terminator passes.
func EdgeValues(term *ir.Inst, n int) []*ir.Value {
	args := term.EdgeArgs(n)
	vs := make([]*ir.Value, len(args))
	for k := range args {
		vs[k] = args[k].Value()
	}
	return vs
}
