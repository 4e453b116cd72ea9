package debugger

import (
	"strings"

	"silvm/heap"
	"silvm/ir/op"
	"silvm/vm"
)

// Access is a tracked access that is open.
type Access struct {
	vm.OpenAccess
	Step     uint64 // of the instruction that began it
	Function string // that it is in
}

// Accesses lists the open tracked accesses, oldest first. The steps are found by running the past again.
func (d *Debugger) Accesses() []Access {
	list := d.m.Accesses()
	if len(list) == 0 {
		return nil
	}
	var out []Access
	for _, a := range list {
		out = append(out, Access{OpenAccess: a, Function: functionOf(a.Place)})
	}
	defer d.stay()()
	for k := range out {
		out[k].Step = d.accessBegan(out[k].OpenAccess)
	}
	return out
}

// Conflict returns the access that could not begin, when the run stands at such a finding.
func (d *Debugger) Conflict() (a Access, ok bool) {
	if !d.m.Ended() || d.end.Trap == nil || d.end.Trap.Kind != vm.Exclusivity {
		return a, false
	}
	t := d.end.Trap
	a.OpenAccess = vm.OpenAccess{Addr: t.Addr, Modify: t.Access.Modify, Place: t.Place}
	a.Step, a.Function = d.end.Step, functionOf(t.Place)
	return a, true
}

// functionOf names the function that a place is in, and the one into which that was inlined.
func functionOf(p vm.Place) string {
	if calls := p.Inst.SwiftCalls(); len(calls) > 1 && p.Func != nil && p.Func.Fn != nil {
		return ShortName(p.Func.Fn.Module.DisplayName(calls[0].Func)) + " inlined in " + Short(p.Func.Fn)
	}
	f := Frame{Frame: vm.Frame{Func: p.Func}}
	return f.Name()
}

// accessBegan finds the step of the instruction that began an access; the run is left there.
func (d *Debugger) accessBegan(a vm.OpenAccess) uint64 {
	d.m.Restore(d.latest(func(s *vm.Snapshot) bool { return s.AccessesBegun() < a.Number }))
	d.midway = false
	at := map[uint32]bool{}
	if f := a.Place.Func; f != nil {
		for _, pc := range f.Bounds {
			if d.m.PlaceOf(pc).Inst == a.Place.Inst {
				at[pc] = true
			}
		}
	}
	pred := func() bool { return d.m.AccessesBegun() == a.Number-1 }
	c := d.scan(&search{at: at, pred: pred, reason: Stepped}, 0, endless, true)
	defer c.close()
	if c.lookHere(d.m.Steps()); c.found == nil && len(at) > 0 {
		c.run(endless)
	}
	if c.found == nil {
		return 0
	}
	return c.found.key - 1
}

// AccessedPlace names what an access is to.
func (d *Debugger) AccessedPlace(a Access) string {
	name := d.Place(a.Addr)
	if strings.HasPrefix(name, stackMemory) { // of an object that the optimizer keeps there
		if known := vm.OnStack(a.Place.Inst); known != "memory of the stack" {
			return known
		}
	}
	return name
}

// stackMemory begins the name of a place on the stack that is no variable's.
const stackMemory = "stack memory "

// WeakRef is a weak variable.
type WeakRef struct {
	Slot uint64
	Name string // where it is: "Node#3.parent", "x in main"
}

// WeakRefs lists the weak variables that refer to an object.
func (d *Debugger) WeakRefs(o Object) []WeakRef {
	entry, ok := d.m.Heap().SideTable(o.Ref)
	if !ok {
		return nil
	}
	var out []WeakRef
	h := d.m.Heap()
	h.Live(func(b heap.ObjectInfo) bool {
		if b.Kind == heap.KindSideTable {
			return true
		}
		for at := b.Ref; at+8 <= b.Ref+max(b.Size, h.UsableSize(b.Ref)); at += 8 {
			if w, ok := h.Load64(at); ok && w == entry {
				name := d.m.EdgeName(heap.Edge{From: b.Ref, Slot: at})
				if b.Kind == heap.KindStack {
					name = d.stackVariable(at)
				}
				out = append(out, WeakRef{at, name})
			}
		}
		return true
	})
	for _, g := range d.m.Program().Globals {
		for off := uint64(0); g.Addr != 0 && off+8 <= g.Layout.Size; off += 8 {
			if w, ok := h.Load64(g.Addr + off); ok && w == entry {
				out = append(out, WeakRef{g.Addr + off, "global " + d.globalPath(g.Global)})
			}
		}
	}
	return out
}

// stackVariable names what lies at an address of the memory stack.
func (d *Debugger) stackVariable(at uint64) string {
	name := stackMemory + hex(at)
	d.m.Frames(func(f vm.Frame) bool {
		if f.Inst == nil {
			return true
		}
		for i := range f.Inst.Block().Func.Insts() {
			if i.Op != op.AllocStack || len(i.Results) == 0 {
				continue
			}
			l, ok := f.Func.Values[i.Results[0]]
			lay := d.layout(d.concrete(i.Results[0].Type, f.Func).Object())
			if !ok || lay == nil || at-l.Address(f.Regs) >= lay.Size {
				continue
			}
			fr := Frame{Frame: f}
			if name = i.Variable(); name == "" {
				name = d.nameOf(i.Results[0])
			}
			name += " in " + fr.Name()
			return false
		}
		return true
	})
	return name
}
