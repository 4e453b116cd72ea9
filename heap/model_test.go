package heap

import (
	"bytes"
	"fmt"
)

// A naive model of the heap: each object is its state and three numbers, following the table of states and not the bits. Every
// operation is done to the heap and to the model, and both must agree on the result and on what can be asked afterwards.

type modelObject struct {
	ref     Addr
	serial  uint64
	state   State
	strong  int  // strong references; while deiniting those besides the one that went
	unowned int  // unowned references; a stack-promoted object has one that nobody releases
	side    bool // a weak reference was formed
	stack   bool
	fill    []byte // what the bytes after the header must be
	reused  bool   // the memory belongs to something newer, or to nothing
}

type modelRaw struct {
	ref  Addr
	fill []byte
}

type modelSlot struct {
	addr Addr
	used bool         // it is an initialised weak variable
	to   *modelObject // nil: nil
}

type model struct {
	h       *Heap
	objects []*modelObject
	raws    []modelRaw
	slots   []modelSlot
	serial  uint64
}

type opCode uint8

const (
	opRetain opCode = iota
	opRelease
	opSetDeiniting
	opDealloc
	opDeallocUninitialized
	opDeallocStack
	opVerifyStack
	opUnownedRetain
	opUnownedRelease
	opStrongRetainUnowned
	opWeakInit
	opWeakAssign
	opWeakAssignNil
	opWeakLoad
	opWeakTake
	opWeakDestroy
	opWeakCopy
	opWeakMove
	opIsUnique
	opCheckLive
	opAllocObject
	opAllocStackObject
	opAllocRaw
	opFreeRaw
	numOps
	numObjectOps = opAllocObject
)

var opNames = [numOps]string{
	"retain", "release", "setDeiniting", "dealloc", "deallocUninitialized", "deallocStack", "verifyStack", "unownedRetain",
	"unownedRelease", "strongRetainUnowned", "weakInit", "weakAssign", "weakAssignNil", "weakLoad", "weakTake", "weakDestroy",
	"weakCopy", "weakMove", "isUnique", "checkLive", "allocObject", "allocStackObject", "allocRaw", "freeRaw",
}

// op is an operation on object x, on slot y and, for copies, from slot z.
type op struct {
	code    opCode
	x, y, z int
}

func (o op) String() string { return fmt.Sprintf("%s(%d,%d,%d)", opNames[o.code], o.x, o.y, o.z) }

func newModel(c Config, slots int) *model {
	m := &model{h: New(c)}
	for range slots {
		a, _ := m.h.AllocStatic(8, 8)
		m.slots = append(m.slots, modelSlot{addr: a})
	}
	return m
}

// step does an operation if it makes sense in the present state, and reports any disagreement.
func (m *model) step(o op) (done bool, err error) {
	if o.code >= numObjectOps {
		return m.stepBlock(o)
	}
	if len(m.objects) == 0 {
		return false, nil
	}
	x := m.objects[o.x]
	if m.lost(x) {
		return false, nil
	}
	switch o.code {
	case opWeakInit, opWeakAssign, opWeakAssignNil, opWeakLoad, opWeakTake, opWeakDestroy, opWeakCopy, opWeakMove:
		return m.stepWeak(o)
	case opSetDeiniting, opDealloc, opDeallocUninitialized, opDeallocStack, opVerifyStack:
		return true, m.stepEnd(x, o)
	}
	return m.stepCounts(x, o)
}

// lost reports whether the object's memory serves other purposes. The pages of a freed big block may do so in any form.
func (m *model) lost(x *modelObject) bool {
	if len(x.fill) > MaxSmall-HeaderSize && x.state == Freed && !x.reused {
		o, known := m.h.Object(x.ref)
		x.reused = !known || o.Kind != KindObject || o.Serial != x.serial
	}
	return x.reused
}

// gone is the end of deinit.
func (x *modelObject) gone() {
	if x.strong, x.state = 0, Deinited; x.unowned == 0 {
		x.state = Freed
	}
}

func (x *modelObject) dead() bool { return x.state == Deinited || x.state == Freed }

func (m *model) stepCounts(x *modelObject, o op) (done bool, err error) {
	h, want := m.h, NoFault
	got, wantResult, result := (*Fault)(nil), false, false
	switch o.code {
	case opRetain:
		if got = h.Retain(x.ref); x.dead() {
			want = UseAfterFree
		} else {
			x.strong++
		}
	case opRelease:
		result, got = h.Release(x.ref, 1)
		switch {
		case x.strong == 0:
			want = OverRelease
		default:
			if x.strong--; x.state == Live && x.strong == 0 {
				wantResult, x.state = true, Deiniting
			}
		}
	case opUnownedRetain:
		if got = h.UnownedRetain(x.ref); x.state == Freed {
			want = UseAfterFree
		} else {
			x.unowned++
		}
	case opUnownedRelease:
		if x.stack && x.unowned == 1 {
			return false, nil // the unit of the stack slot: can't be told from others
		}
		got = h.UnownedRelease(x.ref, 1)
		switch {
		case x.state == Freed:
			want = UseAfterFree
		case x.unowned == 0:
			want = UnownedOverRelease
		default:
			if x.unowned--; x.state == Deinited && x.unowned == 0 {
				x.state = Freed
			}
		}
	case opStrongRetainUnowned:
		got = h.StrongRetainUnowned(x.ref)
		switch x.state {
		case Live:
			x.strong++
		case Freed:
			want = UseAfterFree
		default:
			want = DanglingUnowned
		}
	case opIsUnique:
		if result, got = h.IsUnique(x.ref); x.dead() {
			want = UseAfterFree
		}
		wantResult = x.state == Live && x.strong == 1
	case opCheckLive:
		if got = h.CheckLive(x.ref); x.dead() {
			want = UseAfterFree
		}
	}
	return true, agree(o, got, want, 0, result, wantResult)
}

// stepEnd does an operation that begins or ends the end of an object.
func (m *model) stepEnd(x *modelObject, o op) error {
	h, got, want, n := m.h, (*Fault)(nil), NoFault, uint64(0)
	extra := x.strong
	if x.state == Live {
		extra--
	}
	switch o.code {
	case opSetDeiniting:
		got = h.SetDeiniting(x.ref)
		switch {
		case x.dead():
			want = UseAfterFree
		case x.state == Deiniting:
			want = DeinitTwice
		default:
			x.state, x.strong = Deiniting, 0
		}
	case opDealloc:
		got = h.DeallocObject(x.ref, 1)
		switch {
		case x.dead():
			want = DoubleFree
		case extra > 0:
			want, n = EscapedDeinit, uint64(extra)+1
		default:
			x.gone()
		}
	case opDeallocUninitialized:
		if got = h.DeallocUninitialized(x.ref, 1); x.dead() {
			want = DoubleFree
		} else {
			x.gone()
		}
	case opDeallocStack, opVerifyStack:
		got = h.deallocStackObject(x.ref, 1, o.code == opVerifyStack)
		switch {
		case x.state == Freed:
			want = DoubleFree
		case o.code == opVerifyStack && extra > 0:
			want = StackObjectEscaped
		case o.code == opVerifyStack && x.unowned > 1:
			want = StackObjectUnowned
		case o.code == opVerifyStack && m.weakRefs(x) > 0:
			want = StackObjectWeak
		default:
			x.state, x.strong, x.unowned = Freed, 0, 0
		}
	}
	return agree(o, got, want, n, nil, nil)
}

// agree compares what the heap said with what the model wants.
func agree(o op, got *Fault, want FaultKind, n uint64, result, wantResult any) error {
	kind := NoFault
	if got != nil {
		kind = got.Kind
	}
	if kind != want || got != nil && n != 0 && got.N != n || result != wantResult {
		return fmt.Errorf("%v: got %v, %v; want %v (%d), %v", o, result, got, want, n, wantResult)
	}
	return nil
}

func (m *model) weakRefs(x *modelObject) (n int) {
	for _, s := range m.slots {
		if s.used && s.to == x {
			n++
		}
	}
	return n
}

func (m *model) stepWeak(o op) (done bool, err error) {
	h, x, s, from := m.h, m.objects[o.x], &m.slots[o.y], &m.slots[o.z]
	// Reading, assigning and destroying want a variable; initialising wants none.
	initialises := o.code == opWeakInit || o.code == opWeakCopy || o.code == opWeakMove
	if s.used == initialises || (o.code == opWeakCopy || o.code == opWeakMove) && !from.used {
		return false, nil
	}
	var got *Fault
	var result, wantResult Addr
	want := NoFault
	target := func() { // a weak reference to x is formed
		switch {
		case x.state == Freed:
			want = UseAfterFree
		case x.state == Live && !x.side && got != nil && got.Kind == OutOfMemory:
			want = OutOfMemory
		case x.state == Live:
			s.used, s.to, x.side = true, x, true
		default:
			s.used, s.to = true, nil
		}
	}
	switch o.code {
	case opWeakInit:
		got = h.WeakInit(s.addr, x.ref)
		target()
	case opWeakAssign:
		got = h.WeakAssign(s.addr, x.ref)
		target()
	case opWeakAssignNil:
		got = h.WeakAssign(s.addr, 0)
		s.to = nil
	case opWeakLoad, opWeakTake:
		if s.to != nil && s.to.state == Live {
			s.to.strong++
			wantResult = s.to.ref
		}
		if o.code == opWeakLoad {
			result, got = h.WeakLoadStrong(s.addr)
			break
		}
		result, got = h.WeakTakeStrong(s.addr)
		s.used, s.to = false, nil
	case opWeakDestroy:
		got = h.WeakDestroy(s.addr)
		s.used, s.to = false, nil
	case opWeakCopy:
		got = h.WeakCopyInit(s.addr, from.addr)
		if s.used, s.to = true, from.to; s.to != nil && s.to.state != Live {
			s.to = nil
		}
	case opWeakMove:
		got = h.WeakTakeInit(s.addr, from.addr)
		s.used, s.to = true, from.to
		from.used, from.to = false, nil
	}
	return true, agree(o, got, want, 0, result, wantResult)
}

// stepBlock allocates an object or a raw block of a size that y and z encode, or frees raw block x.
func (m *model) stepBlock(o op) (done bool, err error) {
	size := uint64(HeaderSize + o.y*(1+o.z*o.z*o.z))
	switch o.code {
	case opFreeRaw:
		if len(m.raws) == 0 {
			return false, nil
		}
		k := o.x % len(m.raws)
		raw := m.raws[k]
		m.raws = append(m.raws[:k], m.raws[k+1:]...)
		if b, ok := m.h.Range(raw.ref, uint64(len(raw.fill))); !ok || !bytes.Equal(b, raw.fill) {
			return true, fmt.Errorf("%v: raw block 0x%x was written to", o, raw.ref)
		}
		return true, agree(o, m.h.FreeRaw(raw.ref, 1), NoFault, 0, nil, nil)
	case opAllocRaw:
		a, f := m.h.AllocRaw(size, uint64(1)<<(o.x&7), KindRaw, 1)
		if f != nil {
			return true, agree(o, f, OutOfMemory, 0, nil, nil)
		}
		if a%(uint64(1)<<(o.x&7)) != 0 || m.h.UsableSize(a) < size {
			return true, fmt.Errorf("%v: 0x%x has %d bytes", o, a, m.h.UsableSize(a))
		}
		m.raws = append(m.raws, modelRaw{a, m.fill(a, m.h.UsableSize(a))})
		return true, m.claim(a)
	}
	a, f := m.h.AllocObject(Base, size, 16, 1)
	if f != nil {
		return true, agree(o, f, OutOfMemory, 0, nil, nil)
	}
	m.serial++
	x := &modelObject{ref: a, serial: m.serial, state: Live, strong: 1, fill: m.fill(a+HeaderSize, size-HeaderSize)}
	if o.code == opAllocStackObject {
		m.h.InitStackObject(a, Base)
		x.stack, x.unowned = true, 1
	}
	err = m.claim(a)
	m.objects = append(m.objects, x)
	return true, err
}

// fill writes a pattern into n bytes at a and returns it.
func (m *model) fill(a Addr, n uint64) []byte {
	fill := bytes.Repeat([]byte{byte(a >> 4), byte(a >> 12), byte(n)}, int(n/3+1))[:n]
	b, _ := m.h.Range(a, n)
	copy(b, fill)
	return fill
}

// claim notes that the memory at a belongs to something new; only freed objects may lose theirs.
func (m *model) claim(a Addr) error {
	for _, x := range m.objects {
		if x.ref == a && !x.reused {
			if x.reused = true; x.state != Freed {
				return fmt.Errorf("the memory of object %d, which is %v, was handed out", x.serial, x.state)
			}
		}
	}
	return nil
}

// check compares everything that can be asked.
func (m *model) check() error {
	var live, sides uint64
	for _, x := range m.objects {
		if x.side && (x.state != Freed || m.weakRefs(x) > 0) {
			sides++
		}
		if x.state != Freed {
			live++
		}
		if m.lost(x) {
			continue
		}
		if err := m.checkObject(x); err != nil {
			return fmt.Errorf("object %d: %w", x.serial, err)
		}
	}
	for _, raw := range m.raws {
		if b, ok := m.h.Range(raw.ref, uint64(len(raw.fill))); !ok || !bytes.Equal(b, raw.fill) {
			return fmt.Errorf("raw block 0x%x was written to", raw.ref)
		}
	}
	s := m.h.Stats()
	if s.LiveObjects != live || s.SideTables != sides || s.LiveBlocks != live+uint64(len(m.raws)) || s.Objects != m.serial {
		return fmt.Errorf("stats: %+v; want %d objects alive, %d side tables, %d raw blocks", s, live, sides, len(m.raws))
	}
	return nil
}

func (m *model) checkObject(x *modelObject) error {
	type answer struct {
		strong, unowned, weak uint64
		state                 State
	}
	want := answer{state: x.state}
	switch x.state {
	case Live:
		want.strong, want.unowned = uint64(x.strong), uint64(x.unowned)+1
	case Deiniting:
		want.strong, want.unowned = uint64(x.strong)+1, uint64(x.unowned)+1
	case Deinited:
		want.strong, want.unowned = 1, uint64(x.unowned)
	}
	if x.state != Freed {
		if want.weak = 1; x.side {
			want.weak += uint64(m.weakRefs(x))
		}
	}
	var got answer
	var ok bool
	got.strong, got.unowned, got.weak, got.state, ok = m.h.Counts(x.ref)
	if !ok || got != want {
		return fmt.Errorf("got %+v, want %+v", got, want)
	}
	if o, ok := m.h.Object(x.ref); !ok || o.State != x.state || o.Serial != x.serial || o.Kind != KindObject {
		return fmt.Errorf("registry: %+v", o)
	}
	if b, ok := m.h.Range(x.ref+HeaderSize, uint64(len(x.fill))); !ok || !bytes.Equal(b, x.fill) {
		return fmt.Errorf("its bytes were written to")
	}
	if word, _ := m.h.Load64(x.ref + RefCountOffset); !x.side && !x.dead() {
		bits := uint64(1) | want.unowned<<1 | (want.strong-1)<<33
		if x.state == Deiniting {
			bits |= 1 << 32
		}
		if word != bits {
			return fmt.Errorf("refcount word %#x, want %#x", word, bits)
		}
	}
	return nil
}
