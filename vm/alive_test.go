package vm_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/vm"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/jit"
)

// Registers of the loops below by what they hold; calls begin at handBase.
const (
	handObjects = 1 // references, to objects that may be dead
	handPlaces  = 5 // addresses in and near objects
	handNumbers = 8
	handCount   = 11
	handStart   = 12
	handBase    = 20
	handFields  = 6
	handSlot    = heap.HeaderSize + 8*handFields // the last field holds a reference that isn't counted
)

// handLoop is a program whose loop releases objects too early, writes over their counts, and moves references between registers and fields.
type handLoop struct {
	rnd   *rand.Rand
	kinds []func(*handLoop)
	insts []code.Inst
}

func (h *handLoop) add(op code.Op, a, b, c int, imm uint64) {
	h.insts = append(h.insts, code.Inst{Op: op, A: uint16(a), B: uint16(b), C: uint16(c), Imm: imm})
}

func (h *handLoop) object() int { return handObjects + h.rnd.IntN(3) }
func (h *handLoop) place() int  { return handPlaces + h.rnd.IntN(2) }
func (h *handLoop) number() int { return handNumbers + h.rnd.IntN(2) }
func (h *handLoop) field() uint64 {
	return heap.HeaderSize + 8*uint64(h.rnd.IntN(3))
}

// element is the operand of an operation on elements, whose offset may be before the base.
func (h *handLoop) element() uint64 {
	return 8<<32 | uint64(uint32(8*(h.rnd.IntN(handFields)-2)))
}

// handKinds are the kinds of steps; a program has a few of them, which it takes often.
var handKinds = []func(h *handLoop){
	func(h *handLoop) { h.add(code.RefLoad64, h.number(), h.object(), 0, h.field()) },
	func(h *handLoop) { h.add(code.RefStore64, h.number(), h.object(), 0, h.field()) },
	func(h *handLoop) { h.add(code.RefLoad64, h.object(), h.object(), 0, handSlot) },
	func(h *handLoop) { h.add(code.RefStore64, h.object(), h.object(), 0, handSlot) },
	func(h *handLoop) { h.add(code.Move, h.object(), h.object(), 0, 0) },
	func(h *handLoop) { h.allocate(h.object()) },
	func(h *handLoop) { h.add(code.Retain, h.object(), 0, 0, 0) },
	func(h *handLoop) { h.add(code.Release, h.object(), handBase, 0, 0) },
	func(h *handLoop) { h.add(code.RefCheck, h.object(), 0, 0, 0) },
	func(h *handLoop) { h.add(code.AddI, h.place(), h.object(), 0, near(h.rnd)) },
	func(h *handLoop) { h.add(code.AddI, h.place(), h.place(), 0, uint64(8*(h.rnd.IntN(6)-3))) },
	func(h *handLoop) { h.add(code.Store64, h.number(), h.place(), 0, uint64(8*h.rnd.IntN(2))) },
	func(h *handLoop) { h.add(code.LoadImm, h.number(), 0, 0, pickWord(h.rnd)) },
	(*handLoop).elements,
	(*handLoop).smash,
	(*handLoop).smashElement,
}

func pickWord(rnd *rand.Rand) uint64 {
	return []uint64{0, 0, 1, 2, ^uint64(0), ^uint64(0) - 1, ^uint64(0) - 2}[rnd.IntN(7)]
}

// near is how far a place is from an object: often where its counts are, or just after.
func near(rnd *rand.Rand) uint64 {
	return []uint64{heap.RefCountOffset, heap.RefCountOffset, heap.HeaderSize, heap.HeaderSize, heap.HeaderSize + 8, heap.HeaderSize + 16, 0, ^uint64(0) - 7}[rnd.IntN(8)]
}

func (h *handLoop) some(n int) {
	for range n {
		h.kinds[h.rnd.IntN(len(h.kinds))](h)
	}
}

func (h *handLoop) allocate(r int) {
	h.add(code.AllocClass, r, 0, 0, 0)
	h.add(code.RefStore64, r, r, 0, handSlot)
}

// elements looks at an index, and then uses it for elements of the same object or of others.
func (h *handLoop) elements() {
	n, o := h.number(), h.object()
	if h.rnd.IntN(4) > 0 {
		h.add(code.LoadImm, n, 0, 0, uint64(h.rnd.IntN(4)))
		h.add(code.LoadImm, handStart, 0, 0, 4)
		h.add(code.RefStore64, handStart, o, 0, heap.HeaderSize)
		h.add(code.TrapIndex, n, o, 0, heap.HeaderSize)
	}
	switch h.rnd.IntN(4) {
	case 0:
		h.add(code.StoreX64, h.number(), o, n, h.element())
	case 1:
		h.add(code.StoreX64, h.number(), h.place(), n, h.element())
	case 2:
		h.add(code.AddX, h.place(), o, n, h.element())
	case 3:
		p := h.place()
		h.add(code.AddX, p, o, n, h.element())
		h.add(code.Store64, h.number(), p, 0, uint64(8*h.rnd.IntN(2)))
	}
}

// smash stores a word near an object through an address that is made of a reference: often over its counts.
func (h *handLoop) smash() {
	p, n, far := h.place(), h.number(), near(h.rnd)
	h.add(code.AddI, p, h.object(), 0, far)
	h.add(code.LoadImm, n, 0, 0, pickWord(h.rnd))
	h.some(h.rnd.IntN(2))
	off := uint64(8 * h.rnd.IntN(2))
	if far <= heap.RefCountOffset && h.rnd.IntN(3) > 0 {
		off = heap.RefCountOffset - far
	}
	h.add(code.Store64, n, p, 0, off)
}

// smashElement does so at an index, which was looked at, but perhaps changed since.
func (h *handLoop) smashElement() {
	o, i, base := h.object(), handNumbers+2, 0
	at := int64(h.rnd.IntN(4))
	h.add(code.LoadImm, i, 0, 0, uint64(at))
	h.add(code.LoadImm, handStart, 0, 0, 4)
	h.add(code.RefStore64, handStart, o, 0, heap.HeaderSize)
	far := int64(0)
	if base = o; h.rnd.IntN(2) == 0 {
		base, far = h.place(), int64(near(h.rnd))
		h.add(code.AddI, base, o, 0, uint64(far))
	}
	h.add(code.TrapIndex, i, o, 0, heap.HeaderSize)
	if h.rnd.IntN(3) == 0 {
		at = int64(h.rnd.IntN(4)) - 3
		h.add(code.LoadImm, i, 0, 0, uint64(at))
	}
	off := heap.RefCountOffset - far - 8*at
	if h.rnd.IntN(3) == 0 {
		off = int64(8*h.rnd.IntN(6)) - 16
	}
	imm, n := 8<<32|uint64(uint32(off)), h.number()
	h.add(code.LoadImm, n, 0, 0, pickWord(h.rnd))
	if h.rnd.IntN(2) == 0 {
		h.add(code.StoreX64, n, base, i, imm)
		return
	}
	p := h.place()
	h.add(code.AddX, p, base, i, imm)
	h.add(code.Store64, n, p, 0, uint64(8*h.rnd.IntN(2)))
}

// make writes the program: objects, a loop with two paths through, the end.
func (h *handLoop) make() {
	for range 2 + h.rnd.IntN(6) {
		h.kinds = append(h.kinds, handKinds[h.rnd.IntN(len(handKinds))])
	}
	h.kinds = append(h.kinds, handKinds[0]) // a use
	for k := range 3 {
		h.allocate(handObjects + k)
	}
	for range h.rnd.IntN(4) { // some refer to others, which may be dead from the start
		h.add(code.RefStore64, h.object(), h.object(), 0, handSlot)
	}
	if h.rnd.IntN(2) == 0 {
		h.add(code.Release, h.object(), handBase, 0, 0)
	}
	for k := range 3 {
		h.add(code.AddI, handPlaces+k, handObjects+k, 0, h.field())
		h.add(code.LoadImm, handNumbers+k, 0, 0, uint64(k))
	}
	h.add(code.LoadImm, handCount, 0, 0, 0)
	loop := len(h.insts)
	h.some(1 + h.rnd.IntN(6))
	fork := len(h.insts)
	h.add(code.JumpEqI, handCount, h.rnd.IntN(4), 0, 0)
	h.some(h.rnd.IntN(5))
	skip := len(h.insts)
	h.add(code.Jump, 0, 0, 0, 0)
	h.insts[fork].Imm = code.Targets(uint32(len(h.insts)+1), uint32(fork+2))
	h.some(1 + h.rnd.IntN(5))
	h.insts[skip].Imm = uint64(len(h.insts) + 1)
	h.some(1 + h.rnd.IntN(5))
	h.add(code.AddI, handCount, handCount, 0, 1)
	h.add(code.JumpSltI, handCount, 4, 0, code.Targets(uint32(loop+1), uint32(len(h.insts)+2)))
	for k := range 3 {
		h.add(code.LoadImm, handStart, 0, 0, results+8*uint64(k))
		h.add(code.Store64, handNumbers+k, handStart, 0, 0)
	}
	h.add(code.LoadImm, 1, 0, 0, 0)
	h.add(code.Return, 0, 0, 0, 0)
}

// run runs the program by the loop or by an engine, and says how it ended.
func (h *handLoop) run(t *testing.T, engine bool) string {
	t.Helper()
	insts := append([]code.Inst{{Op: code.Unreachable}}, h.insts...)
	main := &code.Func{Name: "main", Entry: 1, End: uint32(len(insts)), NRegs: 30, Shape: code.Shape{Rets: 1}}
	insts = append(insts, code.Inst{Op: code.DeallocObject, A: 1}, code.Inst{Op: code.Return})
	deinit := &code.Func{Index: 1, Name: "deinit", Entry: main.End, End: uint32(len(insts)), NRegs: 8, Shape: code.Shape{Args: 1}}
	box := &code.TypeInfo{Name: "Box", DestroyObject: -1}
	box.Class = &code.Class{Type: box, Layout: &abi.ClassLayout{Size: heap.HeaderSize + 8*handFields + 8, Align: 8}, Dealloc: 1, Destroy: -1, IVars: -1}
	for w := range box.Witness {
		box.Witness[w] = -1
	}
	p := &code.Program{Insts: insts, Funcs: []*code.Func{main, deinit}, Types: []*code.TypeInfo{box}, Classes: []*code.Class{box.Class}}
	m := vm.ByHand(p, vm.Config{})
	defer m.Release()
	if engine {
		if _, why := m.RunBy(&jit.Engine{}); why != "" {
			return "trapped"
		}
	} else if m.Run(0).Kind != vm.Exited {
		return "trapped"
	}
	var b strings.Builder
	for k := range 3 {
		w, _ := m.Heap().Load64(results + 8*uint64(k))
		fmt.Fprintf(&b, " %x", w)
	}
	return b.String()
}

var (
	deadSeeds = flag.Uint64("dead", 400, "how many programs with dead objects TestDeadObjectsInBothEngines makes")
	deadFirst = flag.Uint64("dead-first", 0, "the seed of the first of them")
)

// What one engine calls a use of a dead object the other does, too: loops at random in which objects die too early, by releases and by stores over
// their counts, and whose references and addresses change places. A check that is left out wrongly makes the engine go on.
func TestDeadObjectsInBothEngines(t *testing.T) {
	seeds, first := *deadSeeds, *deadFirst
	ended := map[bool]int{}
	for seed := range seeds {
		h := &handLoop{rnd: rand.New(rand.NewPCG(first+seed, 77))}
		h.make()
		want := h.run(t, false)
		ended[want == "trapped"]++
		if got := h.run(t, true); got != want && got != "trapped" { // one that traps too often is only slow: the interpreter runs again
			var text strings.Builder
			for k, in := range h.insts {
				fmt.Fprintf(&text, "%3d %v\n", k+1, in)
			}
			t.Errorf("seed %d (-dead 1 -dead-first %[1]d): the engine says%q, the interpreter%q\n%s", first+seed, got, want, text.String())
			return
		}
	}
	if ended[false] < int(seeds/8) || ended[true] < int(seeds/8) {
		t.Errorf("%d programs of %d trap: too few of one kind", ended[true], seeds)
	}
}
