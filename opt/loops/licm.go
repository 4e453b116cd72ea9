package loops

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LICM moves what is loop-invariant before a loop, and keeps memory in registers while it runs:
//
//	bb0: br bb1                                       bb0: %3 = integer_literal 1 ; %4 = load %0 ; br bb1(%4)
//	bb1: %3 = integer_literal 1                       bb1(%5):
//	     %4 = load %0                                      %6 = builtin "add_Int64"(%5, %3)
//	     %5 = builtin "add_Int64"(%4, %3)          →       cond_br %2, bb1(%6), bb2
//	     store %5 to %0 ; cond_br %2, bb1, bb2
//	bb2: …                                            bb2: store %6 to %0 ; …
//
// Instructions without effects move, loads from memory that the loop does not write, and calls that only read; checks and calls of
// addressors before which the loop does nothing else; all from blocks that each path through the loop leads through. What a check may
// protect stays after it. Accesses that nothing in the loop may conflict with are made one access around the loop, and a fix_lifetime
// moves after a loop that releases nothing. Functions in ownership form are left alone.
var LICM = &pass.Pass{Name: "licm", Doc: "Moves loop-invariant code out of loops", NeedsLoop: true, Function: func(c *pass.Context, f *ir.Function) bool {
	return hoistFromLoops(c, f, false)
}}

// HighLevelLICM is licm that knows what functions of arrays do: the count and the capacity of an array are loop-invariant.
var HighLevelLICM = &pass.Pass{Name: "high-level-licm", Doc: "Moves loop-invariant code out of loops, counts of arrays too",
	NeedsLoop: true,
	Function:  func(c *pass.Context, f *ir.Function) bool { return hoistFromLoops(c, f, true) }}

func hoistFromLoops(c *pass.Context, f *ir.Function, arrays bool) bool {
	if f.IsOSSA() {
		return false
	}
	h := &loopHoister{arrays: arrays, Editor: rewrite.NewEditor(c, f), p: c.Program(f), accesses: facts.FormalAccessAnalysis{Program: c.Program(f)}}
	var headers []*ir.Block
	h.findLoops()
	if h.loops.Irreducible {
		return false // a loop may lack blocks
	}
	for _, l := range h.loops.InnerFirst() {
		headers = append(headers, l.Header)
	}
	for _, header := range headers {
		for n := 0; n < maxHoistRounds && h.round(header); n++ {
			h.changed = true
		}
	}
	return h.changed
}

// maxHoistRounds bounds how often a loop is looked at again because something moved out of it.
const maxHoistRounds = 100

type loopHoister struct {
	*rewrite.Editor
	p        *facts.Program
	dom      *cfg.Dominators
	loops    *cfg.Loops
	accesses facts.FormalAccessAnalysis
	arrays   bool // functions of arrays are known
	changed  bool
	split    bool // there are new blocks that dom and loops don't know
}

// findLoops finds the loops of the function as it is now.
func (h *loopHoister) findLoops() {
	if h.split {
		h.Context.Changed(h.Func)
		h.split = false
	}
	h.dom = h.Context.Dominators(h.Func)
	h.loops = cfg.FindLoops(h.dom)
}

// loopSummary is what was found in one loop, in one iteration over the loops.
type loopSummary struct {
	*cfg.Loop
	to     *ir.Block   // the preheader, at the end of which things are put
	passed []*ir.Block // each path through the loop leads through them
	// returning are passed on each path that the program survives. Before them, it may have ended.
	returning []*ir.Block
	// touching are the instructions that read or write memory, but for loads and fix_lifetimes; stores are among them.
	touching       []*ir.Inst
	loads, stores  []*ir.Inst
	begins, calls  []*ir.Inst
	releasing      []*ir.Inst // they may release something
	lifetimeFixers []*ir.Inst
	opens          bool // it opens types

	preds *cfg.Predecessors // nil until the first thing moves after the loop
	exits []*ir.Block       // known with preds
}

// round moves what it can out of one loop, and reports whether anything changed.
func (h *loopHoister) round(header *ir.Block) bool {
	l := h.loops.Of(header)
	if l == nil || l.Header != header {
		return false
	}
	to := rewrite.Preheader(h.dom, l)
	if to == nil {
		return false
	}
	s := h.summarize(l, to)
	changed := h.promoteMemory(s)
	if h.split {
		h.findLoops()
	}
	changed = h.hoist(s) || changed
	changed = h.sinkLifetimes(s) || changed
	changed = h.hoistFieldAddresses(s) || changed
	changed = h.hoistAccesses(s) || changed
	if h.split {
		h.findLoops()
	}
	return changed
}

// summarize collects what one iteration over the loop needs.
func (h *loopHoister) summarize(l *cfg.Loop, to *ir.Block) *loopSummary {
	dead := h.Context.DeadEnds(h.Func)
	s := &loopSummary{Loop: l, to: to, passed: h.alwaysPassed(l, nil), returning: h.alwaysPassed(l, dead)}
	for i := range l.Insts() {
		switch i.Op {
		case op.Load:
			s.loads = append(s.loads, i)
			continue
		case op.FixLifetime:
			s.lifetimeFixers = append(s.lifetimeFixers, i)
			continue
		case op.Store:
			s.stores = append(s.stores, i)
		case op.BeginAccess:
			s.begins = append(s.begins, i)
		}
		s.opens = s.opens || i.Op.OpensType()
		if facts.IsFullApply(i) {
			s.calls = append(s.calls, i)
		}
		if facts.MayReadOrWrite(i) {
			s.touching = append(s.touching, i)
		}
		if h.p.MayReleaseOrCheck(i) {
			s.releasing = append(s.releasing, i)
		}
	}
	return s
}

// maxLoopQuestions bounds how often one visit of a loop asks whether an instruction of the loop touches a place in memory.
const maxLoopQuestions = 8000

// alwaysPassed lists the blocks of a loop that dominate its exits and the sources of its back edges, the header first. Exits to blocks in dead, by their
// numbers, don't count.
func (h *loopHoister) alwaysPassed(l *cfg.Loop, dead []bool) []*ir.Block {
	var ends []*ir.Block
	ends = append(ends, l.Latches...)
	for _, b := range l.Blocks {
		for _, e := range b.Last().Succs {
			if !l.Has(e.To) && !(dead != nil && dead[e.To.Index]) {
				ends = append(ends, b)
				break
			}
		}
	}
	var list []*ir.Block
	for _, b := range l.Blocks {
		all := true
		for _, e := range ends {
			if all = h.dom.Dominates(b, e); !all {
				break
			}
		}
		if all {
			list = append(list, b)
		}
	}
	return list
}

// isInvariant reports whether all operands of an instruction are from outside of the loop.
func (s *loopSummary) isInvariant(i *ir.Inst) bool {
	for n := range i.Operands {
		if v := i.Arg(n); !v.IsUndef() && s.Has(v.Block()) {
			return false
		}
	}
	return true
}

// hoist moves what is loop-invariant to the end of the preheader.
func (h *loopHoister) hoist(s *loopSummary) bool {
	var writes []*ir.Inst
	for _, i := range s.touching {
		if i.Block() != nil && facts.OrderMemory(i).MayWrite() {
			writes = append(writes, i)
		}
	}
	changed := false
	quiet := true        // nothing has happened in the previous iteration
	var reads []*ir.Inst // in it, of memory
	for _, b := range s.returning {
		quiet = quiet && b == s.Header
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			may := false
			switch {
			case !s.isInvariant(i), s.opens && namesLocalType(i):
			case i.Op == op.Load:
				may = len(s.loads)*len(writes) < maxLoopQuestions && h.mayHoistLoad(s, i, writes, quiet)
			case facts.IsInitialization(i):
				may = quiet && h.readsNothingOf(i, reads)
			case i.Op == op.Apply:
				may = quiet && h.mayHoistCall(i, writes) || h.arrays && asksArray(i)
			default:
				may = h.mayHoist(i, quiet)
			}
			if may {
				i.MoveBefore(s.to.Last())
				changed = true
				continue
			}
			quiet = quiet && !facts.MayHaveSideEffects(i)
			if facts.OrderMemory(i).MayRead() {
				reads = append(reads, i)
			}
		}
	}
	return changed
}

// readsNothingOf reports whether none of these reads sees what an initialization after them writes.
func (h *loopHoister) readsNothingOf(init *ir.Inst, reads []*ir.Inst) bool {
	for _, i := range reads {
		if i.Op != op.Load || h.p.MayWriteTo(init, i.Arg(0)) {
			return false
		}
	}
	return true
}

// mayHoist reports whether it makes no difference to do an instruction, which is no load and no call, once before a loop.
func (h *loopHoister) mayHoist(i *ir.Inst, quiet bool) bool {
	row := i.Row()
	switch {
	case row.IsTerminator(), facts.IsDebug(i), row.Family == op.FamilyAllocation, facts.OpensNamedType(i), !rewrite.IsDuplicable(i), i.Op == op.RefElementAddr:
		return false
	case i.Op == op.CondFail:
		return quiet
	}
	return facts.OrderMemory(i) == op.MemNone && !facts.MayHaveSideEffects(i) && (quiet || !needsCheck(i))
}

// mayHoistCall reports whether a call before which the loop does nothing may be made once: one that only reads what the loop doesn't write
// and returns nothing that has to be released.
func (h *loopHoister) mayHoistCall(i *ir.Inst, writes []*ir.Inst) bool {
	if facts.StaticCallee(i) == nil {
		return false
	}
	fx := h.p.CallEffects(i)
	if fx.Write || fx.Copy || fx.Destroy || fx.Allocates || !h.Types.IsTrivial(i.Result().Type) {
		return false
	}
	return !fx.Read || len(writes) == 0 || len(writes) == 1 && writes[0] == i
}

// asksArray reports whether a call asks an array that it does not consume for its count or its capacity.
func asksArray(i *ir.Inst) bool {
	f := facts.StaticCallee(i)
	return len(i.Operands) == 2 && facts.Callee(i).Params[0].Conv == ir.ParamDirectGuaranteed &&
		(facts.HasSemantics(f, ir.SemanticsArrayGetCount) || facts.HasSemantics(f, ir.SemanticsArrayGetCapacity))
}

// needsCheck reports whether a check before an instruction may be what keeps it from harm: from a division by zero, or from looking for
// the method of what is no object of the class.
func needsCheck(i *ir.Inst) bool {
	if i.Op == op.ClassMethod || i.Op == op.SuperMethod {
		return !isSurelyThere(i.Arg(0))
	}
	if i.Op != op.Builtin {
		return false
	}
	switch facts.BuiltinID(i) {
	case op.BuiltinSdiv, op.BuiltinUdiv, op.BuiltinSrem, op.BuiltinUrem, op.BuiltinSdivExact, op.BuiltinUdivExact:
		lit := facts.Literal(i.Arg(1))
		return lit == nil || lit.Sign() == 0 || lit.IsInt64() && lit.Int64() == -1
	}
	return false
}

// mayHoistLoad reports whether a load is from memory that none of these writes changes, and that is there whatever happens before it.
func (h *loopHoister) mayHoistLoad(s *loopSummary, i *ir.Inst, writes []*ir.Inst, quiet bool) bool {
	if !quiet && !isSurelyThere(i.Arg(0)) {
		return false
	}
	if scope := h.p.AccessPath(i.Arg(0), 0).Scope; scope != nil && scope.Has(op.QualRead) && !scope.Has(op.QualUnsafe) && h.surrounds(s, scope) {
		return true // a write would be a conflict
	}
	for _, w := range writes {
		if h.p.MayWriteTo(w, i.Arg(0)) {
			return false
		}
	}
	return true
}

// hoistFieldAddresses moves addresses of fields of objects before the loop.
func (h *loopHoister) hoistFieldAddresses(s *loopSummary) bool {
	changed := false
	for _, b := range s.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if i.Op == op.RefElementAddr && s.isInvariant(i) {
				i.MoveBefore(s.to.Last())
				changed = true
			}
		}
	}
	return changed
}

// isSurelyThere reports whether a value is an address of a variable or of a part of one, or an object, or the address of a field of one, that
// is known without casts and without looking into enums: no check has to be made before it is used.
func isSurelyThere(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.GlobalAddr, op.AllocStack, op.AllocRef, op.AllocBox, op.Apply, op.Load, op.Metatype:
			return true
		case op.PointerToAddress:
			call := facts.DefinedBy(i.Arg(0), op.Apply)
			f := (*ir.Function)(nil)
			if call != nil {
				f = facts.StaticCallee(call)
			}
			return f != nil && f.Attrs.Has(ir.AttrGlobalInit)
		case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.ProjectBox, op.BeginAccess, op.StructExtract, op.TupleExtract, op.Upcast:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return v.IsArg() && v.Block() == v.Block().Func.Blocks[0]
}
