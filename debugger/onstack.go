package debugger

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
)

// Objects that the optimizer put on the stack.

// maxOnStack is how many bytes of an object on the stack may be elements.
const maxOnStack = 1 << 16

// onStack tells what an object on the stack refers to, if there is one at an address.
func (d *Debugger) onStack(ref uint64, chunk heap.ObjectInfo, yield func(to uint64)) {
	meta, _ := d.m.Heap().Load64(ref)
	ti := d.m.TypeAt(meta)
	if ti == nil || ti.Class == nil {
		return
	}
	if list, ok := d.countless(ref); ok {
		for n := uint64(0); n < min(list.count, maxOnStack); n++ {
			d.m.ReferencesIn(list.elem, list.first+n*list.elem.Stride, func(_, target heap.Addr) { yield(target) })
		}
		return
	}
	size := ti.Class.Layout.Size
	if d.isLibraryClass(ti.Type) { // the storage of an array, whose elements lie after it
		size = min(chunk.Ref+chunk.Size-ref, maxOnStack)
	}
	info := heap.ObjectInfo{Ref: ref, Kind: heap.KindObject, Metadata: meta, Size: size, State: heap.Live}
	d.m.References(info, func(_, target heap.Addr) { yield(target) })
}

// Unnumbered says where an object lies that is not on the heap, and so has no number: on the stack of a call, or in static memory. No reference
// has to lead to it.
func (d *Debugger) Unnumbered(o Object) (where string, ok bool) {
	if o.Serial != 0 || o.Ref == 0 {
		return "", false
	}
	where = "in static memory"
	if b, there := d.m.Heap().BlockContaining(o.Ref); there && b.Kind == heap.KindStack {
		where = "on the stack"
	}
	d.m.Frames(func(f vm.Frame) bool {
		if allocatedIn(f, o.Ref) == nil {
			return true
		}
		call := Frame{Frame: f}
		where = "on the stack of " + call.Name()
		return false
	})
	return where, true
}

// stackArray is the elements of an array's storage on the stack.
type stackArray struct {
	count uint64
	first uint64 // the address of the first
	elem  *abi.Layout
}

// countless returns the elements of an array's storage on the stack that does not say how many there are: nobody reads that, so the optimizer
// removed the store, and the words are left over from before. ok is false for any other object.
func (d *Debugger) countless(ref uint64) (a stackArray, ok bool) {
	if o, there := d.m.Heap().BlockContaining(ref); !there || o.Kind != heap.KindStack {
		return a, false
	}
	d.m.Frames(func(f vm.Frame) bool {
		i := allocatedIn(f, ref)
		if i == nil {
			return true
		}
		if len(i.Operands) != 1 || len(i.Types) != 2 || i.Types[1].Known() != ir.KnownContiguousArrayStorage {
			return false
		}
		l, located := f.Func.Values[i.Arg(0)]
		a.elem = d.layout(d.concrete(i.Types[0], f.Func))
		if !located || a.elem == nil || a.elem.Stride == 0 {
			return false
		}
		if tail := d.located(i.Arg(0), l, Frame{Frame: f}); len(tail.Words) == 1 {
			a.count = tail.Words[0]
		}
		a.first = (ref + arrayFirst + a.elem.Align - 1) &^ (a.elem.Align - 1)
		flags, _ := d.m.Heap().Load64(ref + arrayCount + 8)
		n, _ := d.m.Heap().Load64(ref + arrayCount)
		ok = flags>>1 != a.count || n > a.count
		return false
	})
	return a, ok
}

// allocatedIn returns the instruction in the function of a frame that made an object of the stack, nil when it is none of that.
func allocatedIn(f vm.Frame, ref uint64) *ir.Inst {
	if f.Inst == nil || f.Func.Values == nil {
		return nil
	}
	for _, b := range f.Inst.Block().Func.Blocks {
		for i := range b.Insts() {
			if i.Op != op.AllocRef || !i.Has(op.QualStack) {
				continue
			}
			if l, ok := f.Func.Values[i.Results[0]]; ok && len(l.Parts) == 1 && l.Parts[0].In(f.Regs) == ref {
				return i
			}
		}
	}
	return nil
}
