package opt

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// licm moves what is the same in each round in front of a loop:
//
//	bb0: br bb1                                       bb0: %3 = builtin "add_Int64"(%1, %2) ; br bb1
//	bb1: %3 = builtin "add_Int64"(%1, %2) ; …     →   bb1: …
//
// Instructions without effects move, loads from memory that the loop does not write, and checks and calls of addressors in front of which
// the loop does nothing else; all from blocks that each way through the loop leads through. What a check may protect stays behind it.
// Memory is not kept in registers over the rounds, accesses, calls and stores stay where they are, and functions in ownership form are
// left alone.
var licm = &Pass{Name: "licm", Doc: "Moves what is the same in each round out of loops", Function: hoistFromLoops}

func hoistFromLoops(c *Context, f *ir.Function) bool {
	if f.IsOSSA() {
		return false
	}
	h := &loopHoister{dom: c.Dominators(f), p: c.Program(f)}
	changed := false
	for _, l := range cfg.FindLoops(h.dom).InnerFirst() {
		changed = h.loop(l) || changed
	}
	return changed
}

type loopHoister struct {
	dom *cfg.Dominators
	p   *facts.Program
}

// loop moves what it can out of one loop.
func (h *loopHoister) loop(l *cfg.Loop) bool {
	to := preheader(h.dom, l)
	if to == nil {
		return false
	}
	writes := []*ir.Inst{}
	for _, b := range l.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			if behaviorOf(i).MayWrite() {
				writes = append(writes, i)
			}
		}
	}
	if len(writes) > maxLoopWrites {
		writes = []*ir.Inst{nil} // too many to ask about
	}
	passed := h.alwaysPassed(l)
	changed := false
	for h.hoist(l, passed, to, nil) || h.hoist(l, passed, to, writes) {
		changed = true
	}
	return changed
}

// hoist moves loads, when it is told of the writes of the loop, else other instructions to the end of the block in front of the loop.
func (h *loopHoister) hoist(l *cfg.Loop, passed []*ir.Block, to *ir.Block, writes []*ir.Inst) bool {
	changed := false
	quiet := true // nothing has happened in the round before
	for _, b := range passed {
		quiet = quiet && b == l.Header
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if h.isInvariant(l, i) && (writes == nil && h.mayHoist(i, quiet) || writes != nil && h.mayHoistLoad(i, writes, quiet)) {
				i.MoveBefore(to.Last())
				changed = true
				continue
			}
			quiet = quiet && !mayHaveSideEffects(i)
		}
	}
	return changed
}

// maxLoopWrites bounds how many instructions of a loop each load is compared with.
const maxLoopWrites = 200

// alwaysPassed lists the blocks of a loop that dominate its exits and the ways back, the header first.
func (h *loopHoister) alwaysPassed(l *cfg.Loop) []*ir.Block {
	var ends []*ir.Block
	ends = append(ends, l.Latches...)
	for _, b := range l.Blocks {
		for _, e := range b.Last().Succs {
			if !l.Has(e.To) {
				ends = append(ends, b)
				break
			}
		}
	}
	var list []*ir.Block
	for _, b := range h.dom.Order {
		if !l.Has(b) {
			continue
		}
		all := true
		for _, e := range ends {
			all = all && h.dom.Dominates(b, e)
		}
		if all {
			list = append(list, b)
		}
	}
	return list
}

// isInvariant says whether all operands of an instruction are from outside of the loop.
func (h *loopHoister) isInvariant(l *cfg.Loop, i *ir.Inst) bool {
	for n := range i.Operands {
		if v := i.Arg(n); !v.IsUndef() && l.Has(v.Block()) {
			return false
		}
	}
	return true
}

// mayHoist says whether it makes no difference to do an instruction, which is no load, once in front of a loop.
func (h *loopHoister) mayHoist(i *ir.Inst, quiet bool) bool {
	row := i.Row()
	switch {
	case row.IsTerminator(), isDebug(i), row.Family == op.FamilyAllocation, opensNamedType(i), !isDuplicable(i):
		return false
	case i.Op == op.CondFail:
		return quiet
	case i.Op == op.Apply:
		f := calleeOf(i)
		return quiet && f != nil && f.HasAttr("global_init")
	}
	return behaviorOf(i) == op.MemNone && !mayHaveSideEffects(i) && (quiet || !needsCheck(i))
}

// needsCheck says whether a check in front of an instruction may be what keeps it from harm: from a division by zero, or from looking for
// the method of what is no object of the class.
func needsCheck(i *ir.Inst) bool {
	if i.Op == op.ClassMethod || i.Op == op.SuperMethod {
		return !isSurelyThere(i.Arg(0))
	}
	if i.Op != op.Builtin {
		return false
	}
	switch builtinName(i) {
	case "sdiv", "udiv", "srem", "urem", "sdiv_exact", "udiv_exact":
		lit := literal(i.Arg(1))
		return lit == nil || lit.Sign() == 0 || lit.IsInt64() && lit.Int64() == -1
	}
	return false
}

// mayHoistLoad says whether an instruction is a load from memory that none of these writes changes, and that is there whatever happens in
// front of the load.
func (h *loopHoister) mayHoistLoad(i *ir.Inst, writes []*ir.Inst, quiet bool) bool {
	if i.Op != op.Load || !quiet && !isSurelyThere(i.Arg(0)) {
		return false
	}
	for _, w := range writes {
		if w == nil || h.p.MayWriteTo(w, i.Arg(0)) {
			return false
		}
	}
	return true
}

// isSurelyThere says whether a value is an address of a variable or of a part of one, or an object, or the address of a field of one, that
// is known without casts and without looking into enums: no check has to be made before it is used.
func isSurelyThere(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.GlobalAddr, op.AllocStack, op.AllocRef, op.AllocBox, op.Apply, op.Load, op.Metatype:
			return true
		case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.ProjectBox, op.BeginAccess, op.StructExtract, op.TupleExtract, op.Upcast:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return v.IsArg() && v.Block() == v.Block().Func.Blocks[0]
}
