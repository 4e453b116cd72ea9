package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LoadCopyMotion sinks whole copies out of memory, load and retain together, to the first use in their block
// (docs/proposals/HighLevelMemoryOperations, ARC Code Motion):
//
//	%1 = load [copy] %0                   apply %other()
//	apply %other()                   ⇒    %1 = load [copy] %0
//	apply %use(%1)                        apply %use(%1)
//
// and copy_addr to new memory likewise. Nothing that a copy is moved over may write to the memory, free it or end its scope. As load and retain
// stay together, what is moved over may release: if it wrote to the memory by a deinit, the copy would be another one, and never a dead object.
// The document wants that, because programs must not depend on when deinits run. silvm does it where it is asked to.
var LoadCopyMotion = &pass.Pass{Name: "load-copy-motion", Doc: "Sinks whole copies out of memory to their first uses", Function: func(c *pass.Context, f *ir.Function) bool {
	if !f.IsOSSA() {
		return false
	}
	m := &copyMotion{Editor: rewrite.NewEditor(c, f), p: c.Program(f), overDeinits: c.IsSet("silvm-deinits-unordered")}
	changed := false
	for _, b := range f.Blocks {
		list := b.InstList()
		for n := len(list) - 1; n >= 0; n-- {
			changed = m.sink(list[n]) || changed
		}
	}
	return changed
}}

type copyMotion struct {
	*rewrite.Editor
	p           *facts.Program
	overDeinits bool
}

// sink moves a copy and what only passes it on down to the first other use.
func (m *copyMotion) sink(i *ir.Inst) bool {
	isLoad := i.Op == op.Load && i.Has(op.QualCopy)
	isCopy := i.Op == op.CopyAddr && i.Has(op.QualInit) && !i.Has(op.QualTake)
	if i.Block() == nil || !isLoad && !isCopy || !m.outlives(i.Arg(0)) || isCopy && !m.outlives(i.Arg(1)) {
		return false
	}
	group := map[*ir.Inst]bool{i: true}
	order := []*ir.Inst{i}
	moved := 0
	at := i.Next()
	for ; at != nil && !at.Op.IsTerminator(); at = at.Next() {
		switch {
		case isLoad && m.passesOn(at, group):
			group[at] = true
			order = append(order, at)
		case uses(at, group), isCopy && m.p.MemoryAt(at, i.Arg(1)) != op.MemNone:
			return m.move(order, at, moved)
		case m.mayMoveOver(i, at):
			if facts.MayReadOrWrite(at) {
				moved++
			}
		default:
			m.Context.Missed(m.Func, i, "kept the copy where it is: %s may write to the memory", at.Op)
			return false
		}
	}
	return false
}

func (m *copyMotion) move(order []*ir.Inst, at *ir.Inst, moved int) bool {
	if moved == 0 {
		return false
	}
	m.Context.Passed(m.Func, order[0], "sank the copy to its first use")
	for _, i := range order {
		i.MoveBefore(at)
	}
	return true
}

// outlives reports whether memory is there as long as the block runs: no scope that may end or object that may go has it.
func (m *copyMotion) outlives(v *ir.Value) bool {
	for {
		i := v.Inst()
		switch {
		case i == nil:
			return v.IsArg() && v.Block() == m.Func.Entry()
		case i.Op == op.StructElementAddr, i.Op == op.TupleElementAddr:
			v = i.Arg(0)
		default:
			return i.Op == op.GlobalAddr || i.Op == op.AllocStack
		}
	}
}

// passesOn reports whether an instruction only hands the copied value on, or shows it to a debugger.
func (m *copyMotion) passesOn(i *ir.Inst, group map[*ir.Inst]bool) bool {
	if len(i.Operands) != 1 || !uses(i, group) {
		return false
	}
	switch i.Op {
	case op.UncheckedEnumData, op.UncheckedRefCast, op.Upcast, op.Enum, op.MoveValue, op.DebugValue, op.StructExtract, op.Struct:
		return true
	}
	return false
}

func uses(i *ir.Inst, group map[*ir.Inst]bool) bool {
	for n := range i.Operands {
		if d := i.Arg(n).Inst(); d != nil && group[d] {
			return true
		}
	}
	return false
}

// mayMoveOver reports whether copy may be made after at as well.
func (m *copyMotion) mayMoveOver(copy, at *ir.Inst) bool {
	from := copy.Arg(0)
	switch at.Op {
	case op.DeallocStack, op.EndAccess, op.BeginApply, op.EndApply, op.AbortApply, op.HopToExecutor, op.BeginAccess, op.IsUnique, op.BeginCowMutation:
		return at.Op == op.DeallocStack && m.p.Alias(at.Arg(0), from) == facts.NoAlias && (copy.Op != op.CopyAddr || m.p.Alias(at.Arg(0), copy.Arg(1)) == facts.NoAlias)
	}
	if !m.p.MayWriteTo(at, from) {
		return true
	}
	if !m.overDeinits {
		return false
	}
	switch {
	case at.Op == op.DestroyValue, facts.IsRelease(at):
		return true
	case facts.IsFullApply(at):
		return !m.p.CodeMayWrite(at, from)
	}
	return false
}
