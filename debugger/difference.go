package debugger

import (
	"cmp"
	"slices"
	"strconv"

	"silvm/heap"
)

// counted is an object with its counts in little room: there may be millions.
type counted struct {
	serial, meta          uint64
	strong, unowned, weak uint32
	state                 heap.State
	seen                  bool
}

func (c *counted) counts() Counts {
	return Counts{uint64(c.strong), uint64(c.unowned), uint64(c.weak), c.state}
}

// eachCounted tells the live objects with their counts.
func (d *Debugger) eachCounted(yield func(c counted)) {
	d.m.Heap().Live(func(o heap.ObjectInfo) bool {
		if o.Kind == heap.KindObject {
			n := d.countsAt(o.Ref)
			yield(counted{serial: o.Serial, meta: o.Metadata, strong: uint32(n.Strong), unowned: uint32(n.Unowned), weak: uint32(n.Weak), state: n.State})
		}
		return true
	})
}

// maxDifferences is how many objects Difference lists.
const maxDifferences = 1000

// Difference lists the objects whose counts differ between a step and the present, those included that there are at one of them only,
// by serial number; more is how many there are beyond those that it lists.
func (d *Debugger) Difference(step uint64) (list []CountChange, more int) {
	back := d.stay()
	d.travel(step + 1)
	var then []counted
	d.eachCounted(func(c counted) { then = append(then, c) })
	slices.SortFunc(then, func(a, b counted) int { return cmp.Compare(a.serial, b.serial) })
	back()
	add := func(c counted, before, after Counts) {
		name := "object"
		if ti := d.m.TypeAt(c.meta); ti != nil {
			name = ti.Name
		}
		list = append(list, CountChange{name + "#" + strconv.FormatUint(c.serial, 10), c.serial, before, after})
		if len(list) == 4*maxDifferences { // only the first are wanted, of perhaps millions
			sortChanges(list)
			more += len(list) - maxDifferences
			list = list[:maxDifferences]
		}
	}
	d.eachCounted(func(c counted) {
		n, there := slices.BinarySearchFunc(then, c.serial, func(c counted, serial uint64) int { return cmp.Compare(c.serial, serial) })
		if !there {
			add(c, Counts{}, c.counts())
			return
		}
		then[n].seen = true
		if old := then[n].counts(); old != c.counts() {
			add(c, old, c.counts())
		}
	})
	for _, c := range then {
		if !c.seen {
			add(c, c.counts(), Counts{})
		}
	}
	sortChanges(list)
	if len(list) > maxDifferences {
		more += len(list) - maxDifferences
		list = list[:maxDifferences]
	}
	return list, more
}
