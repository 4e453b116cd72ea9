package opt

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// fixStackNesting moves deallocations so that what was allocated last goes first: memory that is freed while younger memory lives is
// freed right behind that instead. It works block by block from the entry on; deallocations agree where ways meet.
func fixStackNesting(f *ir.Function) bool {
	type state struct {
		stack []*ir.Value
		freed map[*ir.Value]*ir.Inst // freed too early: the removed deallocation
	}
	at := map[*ir.Block]*state{f.Entry(): {freed: map[*ir.Value]*ir.Inst{}}}
	changed := false
	work := []*ir.Block{f.Entry()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := state{freed: map[*ir.Value]*ir.Inst{}}
		s.stack = append(s.stack, at[b].stack...)
		for v, i := range at[b].freed {
			s.freed[v] = i
		}
		for _, i := range instructions(b) {
			if v := stackMemory(i); v != nil {
				s.stack = append(s.stack, v)
				continue
			}
			if !freesStack(i) {
				continue
			}
			v := i.Arg(0)
			if top := len(s.stack) - 1; top < 0 || s.stack[top] != v {
				if !slices.Contains(s.stack, v) {
					continue
				}
				s.freed[v] = &ir.Inst{Op: i.Op, Quals: i.Quals, Loc: i.Loc, Scope: i.Scope}
				i.Remove()
				changed = true
				continue
			}
			s.stack = s.stack[:len(s.stack)-1]
			for last := i; len(s.stack) > 0 && s.freed[s.stack[len(s.stack)-1]] != nil; {
				v := s.stack[len(s.stack)-1]
				again := s.freed[v]
				d := &ir.Inst{Op: again.Op, Quals: again.Quals, Loc: again.Loc, Scope: again.Scope}
				d.SetOperands([]*ir.Value{v})
				d.InsertAfter(last)
				last = d
				s.stack = s.stack[:len(s.stack)-1]
				delete(s.freed, v)
			}
		}
		for _, e := range b.Last().Succs {
			if at[e.To] == nil {
				at[e.To] = &state{stack: s.stack, freed: s.freed}
				work = append(work, e.To)
			}
		}
	}
	return changed
}

// stackMemory gives the value that stands for the memory on the stack that the instruction allocates, nil when it allocates none.
func stackMemory(i *ir.Inst) *ir.Value {
	switch i.Op {
	case op.AllocStack, op.AllocPack, op.AllocPackMetadata:
		return i.Result()
	case op.AllocRef, op.AllocRefDynamic:
		if i.Has("stack") {
			return i.Result()
		}
	case op.PartialApply:
		if i.Has("on_stack") && !i.Block().Func.IsOSSA() {
			return i.Result()
		}
	}
	return nil
}

func freesStack(i *ir.Inst) bool {
	switch i.Op {
	case op.DeallocStack, op.DeallocStackRef, op.DeallocPack, op.DeallocPackMetadata:
		return true
	}
	return false
}
