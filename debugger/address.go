package debugger

import (
	"cmp"

	"silvm/heap"
	"silvm/vm"
	"silvm/vm/abi"
)

// Who has the address of what no reference leads to. Code that passes an object through a number or a raw pointer (Unmanaged.toOpaque, the
// context of a C callback) takes it back later, so an object is not lost because no reference leads to it.

// ByAddress says what has, as a number or a pointer, the address of an object or of one that leads to it: name is like that of a Root, of
// is the object whose address it is. Words are compared, whatever their types, so one may be a number that means something else; but only an
// object with more strong references than there are in memory can be taken back. ok is false when none can, so after the program's end.
func (d *Debugger) ByAddress(o Object) (name string, of Object, ok bool) {
	at, ok := d.byAddress()[o.Ref]
	if !ok {
		return "", Object{}, false
	}
	info, ok := d.m.Heap().Object(at.of)
	return at.name, d.object(info), ok
}

// lead says how a block is reached: from the block at the address that name has.
type lead struct {
	of   uint64
	name string
}

// byAddress finds all blocks that references and addresses lead to.
func (d *Debugger) byAddress() map[uint64]lead {
	out := map[uint64]lead{}
	if d.Ended() && d.End().Trap == nil {
		return out
	}
	var queue []uint64
	visit := func(name string, of, ref uint64) {
		if _, seen := out[ref]; !seen {
			out[ref] = lead{cmp.Or(of, ref), name}
			queue = append(queue, ref)
		}
	}
	held := d.heldInMemory()
	word := func(name string, of, w uint64) {
		if w &^= tagBits; w < heap.Base {
			return
		}
		b, ok := d.m.Heap().BlockContaining(w)
		if !ok || b.State == heap.Freed || b.Kind == heap.KindStack || b.Kind == heap.KindSideTable {
			return
		}
		if b.Kind == heap.KindObject {
			if strong, _, _, _, ok := d.m.Heap().Counts(b.Ref); !ok || strong <= held[b.Ref] {
				return
			}
		}
		visit(name, of, b.Ref)
	}
	for _, r := range d.roots() {
		visit(r.Name, 0, r.Ref)
	}
	d.rootWords(func(name string, w uint64) { word(name, 0, w) })
	for ; len(queue) > 0; queue = queue[1:] {
		ref := queue[0]
		at := out[ref]
		d.eachEdge(ref, func(e Edge) { visit(at.name, at.of, e.To) })
		if info, ok := d.m.Heap().Object(ref); ok {
			d.wordsOf(info, func(w uint64) { word(at.name, at.of, w) })
		}
	}
	return out
}

// heldInMemory counts the strong references in the heap and in global variables to each block.
func (d *Debugger) heldInMemory() map[uint64]uint64 {
	held := map[uint64]uint64{}
	d.m.Heap().Live(func(b heap.ObjectInfo) bool {
		d.eachEdge(b.Ref, func(e Edge) { held[e.To]++ })
		return true
	})
	for _, g := range d.m.Program().Globals {
		d.m.ReferencesOf(g, func(_, target heap.Addr) { held[target]++ })
	}
	return held
}

// rootWords tells the words outside the heap that may be addresses, with the names of who has them: of global variables, of values that calls
// still need, and of tasks.
func (d *Debugger) rootWords(yield func(name string, w uint64)) {
	words := func(name string, lay *abi.Layout, at uint64) {
		d.wordsIn(lay, at, func(w uint64) { yield(name, w) })
	}
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 {
			words("global "+d.globalPath(g.Global), g.Layout, g.Addr)
		}
	}
	k := 0
	d.m.Frames(func(f vm.Frame) bool {
		d.needed(Frame{Frame: f, Index: k, whole: true}, func(name, _ string, x Value) {
			if x.Addr != 0 {
				words(name, x.Layout, x.Addr)
				return
			}
			for n, w := range x.Words {
				if x.Layout == nil || n >= len(x.Layout.Scalars) || x.Layout.Scalars[n].Kind != abi.ScalarUnowned {
					yield(name, w)
				}
			}
		})
		k++
		return k < maxRootFrames
	})
	for _, t := range d.m.Tasks() {
		name := d.m.TaskName(t)
		d.m.HeldByTask(t, func(target heap.Addr) { yield(name, target) })
	}
}

// wordsOf tells the words in a block that may be addresses.
func (d *Debugger) wordsOf(b heap.ObjectInfo, yield func(w uint64)) {
	at := b.Ref
	if b.Kind == heap.KindObject {
		var fields []abi.ClassField
		at += heap.HeaderSize
		if t := d.m.TypeAt(b.Metadata); t != nil && t.Class != nil {
			fields = t.Class.Layout.Fields
			at = b.Ref + t.Class.Layout.Size
		}
		for _, f := range fields {
			d.wordsIn(f.Layout, b.Ref+f.Offset, yield)
		}
	}
	d.words(at, b.Ref+b.Size, yield)
}

// wordsIn tells the words of a value in memory that may be addresses: not those of weak and unowned references, which nobody releases.
func (d *Debugger) wordsIn(lay *abi.Layout, at uint64, yield func(w uint64)) {
	switch {
	case lay == nil || lay.IsWeak():
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			d.wordsIn(f.Layout, at+f.Offset, yield)
		}
	case len(lay.Scalars) == 1 && lay.Scalars[0].Kind == abi.ScalarUnowned:
	default:
		d.words(at, at+lay.Size, yield)
	}
}

func (d *Debugger) words(from, to uint64, yield func(w uint64)) {
	for at := (from + 7) &^ 7; at+8 <= to; at += 8 {
		if w, ok := d.m.Heap().Load64(at); ok {
			yield(w)
		}
	}
}
