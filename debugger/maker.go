package debugger

import (
	"slices"

	"silvm/heap"
	"silvm/vm"
)

// Who made an object that library code or an initializer made. The heap keeps the instruction that allocated it; the calls that led there are told by running
// the past again.

// maxMakers is how many steps of the past are run again for a list of objects.
const maxMakers = 16 << 20

// TellMakers fills in Maker of objects that were made in library code or by initializers that stand for themselves, as far as that takes no longer than a moment.
func (d *Debugger) TellMakers(list []Object) {
	wanted := map[uint64]*Object{}
	var serials []uint64
	for k := range list {
		if o := &list[k]; o.Serial != 0 && !d.isMaker(o.Alloc) {
			wanted[o.Serial] = o
			serials = append(serials, o.Serial)
		}
	}
	if len(serials) == 0 {
		return
	}
	slices.Sort(serials)
	back := d.stay()
	defer back()
	end := d.Step()
	for left := uint64(maxMakers); len(serials) > 0 && left > 0; {
		first := serials[0]
		snap := d.latest(func(s *vm.Snapshot) bool { return s.ObjectsMade() < first })
		d.m.Restore(snap)
		d.midway = false
		last := serials[len(serials)-1]
		c := d.scan(&search{tap: func(kind heap.TapKind, ref uint64) bool {
			info, ok := d.m.Heap().Object(ref)
			if kind != heap.TapAlloc || !ok {
				return false
			}
			if o := wanted[info.Serial]; o != nil {
				e := d.event(kind, ref, d.m.Now())
				o.Maker = d.userOf(e.Stack)
			}
			return info.Serial >= last
		}}, 0, endless, true)
		to := min(end+1, snap.Steps+min(left, 2*d.timeline.every))
		stop := c.run(to)
		c.close()
		if stop.Kind == vm.Interrupted {
			return
		}
		left -= min(left, max(1, to-min(to, snap.Steps)))
		made := d.m.Heap().Stats().Objects
		n, _ := slices.BinarySearch(serials, made+1)
		if c.found != nil {
			n = len(serials)
		}
		if n == 0 {
			return
		}
		serials = serials[n:]
	}
}

// isUsers reports whether a place is in the program's own code, with a line of the source where the program has them.
func (d *Debugger) isUsers(p vm.Place) bool {
	if p.Inst == nil || d.mod.Files.IsOurs(p.Inst.Pos) {
		return false
	}
	if line, _ := p.Inst.Swift(); line != "" {
		return true
	}
	return !d.hasScopes()
}

// isMaker reports whether a place in the program's own code says who makes an object there.
func (d *Debugger) isMaker(p vm.Place) bool {
	if !d.isUsers(p) {
		return false
	}
	_, ok := p.Maker()
	return ok || p.IsUnlinedMaker()
}

// hasScopes reports whether the program has the places of its source.
func (d *Debugger) hasScopes() bool {
	for range d.mod.Scopes() {
		return true
	}
	return false
}

// userOf is the innermost of the calls that led to the making of an object that is the program's own; none has no Inst.
func (d *Debugger) userOf(stack []vm.Place) vm.Place {
	for _, p := range stack {
		if d.isMaker(p) {
			return p
		}
	}
	return vm.Place{}
}
