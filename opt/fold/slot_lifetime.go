package fold

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// OutlivesSlot reports whether an address is used where the stack slot that another address lies in is gone. A pointer may name memory
// that is no slot any more; an address may not:
//
//	%1 = address_to_pointer %slot
//	%2 = pointer_to_address %1 to [strict] $*T
//	dealloc_stack %slot
//	%3 = load %2
func OutlivesSlot(address, inSlot *ir.Value) bool {
	slot := slotOf(inSlot)
	if slot == nil {
		return false
	}
	users := addressUsers(address)
	for u := range slot.Result().Uses() {
		if o := u.User().Op; o != op.DeallocStack && o != op.EndBorrow {
			continue
		}
		if !cfg.WalkPathsAfter(u.User(), func(i *ir.Inst) cfg.Path {
			switch {
			case users[i]:
				return cfg.Fail
			case i == slot:
				return cfg.EndPath
			}
			return cfg.Follow
		}) {
			return true
		}
	}
	return false
}

// slotOf returns the alloc_stack or store_borrow whose memory an address lies in, nil when there is none or it is not known.
func slotOf(v *ir.Value) *ir.Inst {
	for {
		i := v.Inst()
		switch {
		case i == nil:
			return nil
		case i.Op == op.AllocStack, i.Op == op.StoreBorrow:
			return i
		case len(i.Operands) == 0 || !ownership.ProjectsAddress(i, 0) || !i.Arg(0).Type.IsAddress():
			return nil
		}
		v = i.Arg(0)
	}
}

// addressUsers returns what uses an address or a part of it.
func addressUsers(address *ir.Value) map[*ir.Inst]bool {
	users := map[*ir.Inst]bool{}
	parts := []*ir.Value{address}
	for part := range worklist.Drain(&parts) {
		for u := range part.Uses() {
			users[u.User()] = true
			if ownership.ProjectsAddress(u.User(), u.Number()) {
				parts = append(parts, u.User().Results[0])
			}
		}
	}
	return users
}
