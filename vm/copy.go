package vm

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
)

// copyValue initializes the memory at dst with a copy of the value at src: its bytes, and a retain for each reference that it holds. No
// code of the program runs, since copying a Swift value never does. Depth is bounded by that of the layout.
func (m *Machine) copyValue(dst, src uint64, lay *abi.Layout) *Trap {
	if lay.MoveOnly {
		return m.unsupported("copying a value of the noncopyable type " + lay.Type.String())
	}
	if t := m.copyMemory(dst, src, lay.Size); t != nil || lay.Trivial {
		return t
	}
	image, ok := m.heap.View(src, lay.Size)
	if !ok {
		return m.badAddress(src)
	}
	return m.retainValue(image, dst, src, lay)
}

// retainValue retains what the value in image refers to. Its bytes were copied from src to dst, except that tag bits of an enum around it
// are cleared in image.
func (m *Machine) retainValue(image []byte, dst, src uint64, lay *abi.Layout) *Trap {
	switch {
	case lay.Trivial:
		return nil
	case !lay.AddressOnly && lay.PlainRefs:
		return m.retainScalars(image, lay)
	case lay.Enum != nil:
		return m.retainPayload(image, dst, src, lay)
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			end := f.Offset + f.Layout.Size
			if t := m.retainValue(image[f.Offset:end], dst+f.Offset, src+f.Offset, f.Layout); t != nil {
				return t
			}
		}
		return nil
	}
	switch lay.Type.Kind {
	case ir.KindExistential:
		return m.retainExistential(image, dst, src)
	case ir.KindStorage:
		m.count.WeakStore++
		return m.faultOrNil(m.heap.WeakCopyInit(dst, src))
	}
	return m.unsupported("copying a value of type " + lay.Type.String())
}

func (m *Machine) retainScalars(image []byte, lay *abi.Layout) *Trap {
	for _, s := range lay.Scalars {
		var f *heap.Fault
		switch s.Kind {
		case abi.ScalarStrong:
			m.count.StrongRetain++
			f = m.heap.Retain(le.Uint64(image[s.Offset:]))
		case abi.ScalarUnowned:
			m.count.UnownedRetain++
			f = m.heap.UnownedRetain(le.Uint64(image[s.Offset:]))
		}
		if f != nil {
			return m.fault(f)
		}
	}
	return nil
}

func (m *Machine) faultOrNil(f *heap.Fault) *Trap {
	if f != nil {
		return m.fault(f)
	}
	return nil
}

// retainPayload retains what the payload of the case that an enum is in refers to.
func (m *Machine) retainPayload(image []byte, dst, src uint64, lay *abi.Layout) *Trap {
	kase, ok := caseOf(image, lay.Enum)
	if !ok {
		return m.internal("a value of " + lay.Type.String() + " in no case")
	}
	c := &lay.Enum.Cases[kase]
	if !c.Stored || c.Payload == nil || c.Payload.Trivial {
		return nil
	}
	payload := image[:c.Payload.Size]
	if cells := lay.Enum.Strip(); len(cells) > 0 {
		payload = append([]byte(nil), image...)
		for _, cell := range cells {
			setCell(payload, cell)
		}
		payload = payload[:c.Payload.Size]
	}
	return m.retainValue(payload, dst, src, c.Payload)
}

// retainExistential retains the box of an opaque existential, or what the value in its buffer refers to.
func (m *Machine) retainExistential(image []byte, dst, src uint64) *Trap {
	ti, t := m.typeOf(le.Uint64(image[abi.ExistentialType:]))
	switch {
	case t != nil:
		return t
	case ti.Layout == nil:
		return m.unsupported("the layout of " + ti.Name)
	case !ti.Layout.IsInline():
		m.count.StrongRetain++
		return m.faultOrNil(m.heap.Retain(le.Uint64(image)))
	}
	return m.retainValue(image[:ti.Layout.Size], dst, src, ti.Layout)
}

// caseOf finds the case of the enum in image; false when its bytes are those of none.
func caseOf(image []byte, e *abi.Enum) (int, bool) {
	return e.Decision().Choose(func(c abi.Cell) uint64 { return readCell(image, c) })
}

func readCell(image []byte, c abi.Cell) (v uint64) {
	for b := range uint64(c.Width) {
		v |= uint64(image[c.Offset+b]) << (8 * b)
	}
	return v
}

// setCell sets the bits of a cell.
func setCell(image []byte, c abi.Cell) {
	for b := range uint64(c.Width) {
		mask := byte(c.Mask >> (8 * b))
		image[c.Offset+b] = image[c.Offset+b]&^mask | byte(c.Value>>(8*b))&mask
	}
}

// injectCase makes the enum at a case kase, whose payload, if it stores one, is already there.
func (m *Machine) injectCase(a uint64, lay *abi.Layout, kase int) *Trap {
	image, ok := m.heap.Range(a, lay.Size)
	if !ok {
		return m.badAddress(a)
	}
	if !lay.Enum.Cases[kase].Stored {
		clear(image)
	}
	for _, c := range lay.Enum.Inject(kase) {
		setCell(image, c)
	}
	return nil
}
