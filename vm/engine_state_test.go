package vm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/vm"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/jit"
	"silvm/vm/native"
	"silvm/vm/wasm"
)

// Registers of the programs below.
const (
	stateObjects = 1 // three references
	stateHolder  = 4 // one to an object whose fields are weak variables, existentials and text
	statePlace   = 5 // an address
	stateNumber  = 7 // two numbers, a pair
	stateIndex   = 9
	stateWord    = 11
	stateToken   = 12 // of an access
	stateFrame   = 14 // what Enter gives, a pair
	stateMeta    = 16
	stateBase    = 30 // of calls
	stateFields  = 12
)

// stateTried is an operation, or a native, on objects and memory in states at random.
type stateTried struct {
	name  string
	write func(s *stateProgram)
}

// stateProgram is a program that makes objects, changes their states, and does the operation.
type stateProgram struct {
	rnd     *rand.Rand
	insts   []code.Inst
	natives []*code.NativeRef
	calls   []code.CallSite
	outside bool // an address is not in memory, perhaps that of what an access is at a constant after
}

func (s *stateProgram) add(op code.Op, a, b, c int, imm uint64) {
	s.insts = append(s.insts, code.Inst{Op: op, A: uint16(a), B: uint16(b), C: uint16(c), Imm: imm})
}

func (s *stateProgram) load(r int, v uint64) { s.add(code.LoadImm, r, 0, 0, v) }

func (s *stateProgram) one(list ...uint64) uint64 { return list[s.rnd.IntN(len(list))] }

// object is the register of a reference: mostly to an object, now and then nil or no address of an object.
func (s *stateProgram) object() int {
	if s.rnd.IntN(12) == 0 {
		s.load(stateWord, s.one(0, 0, 1, 8, ^uint64(0), 1<<40, 1<<63, heap.Base))
		return stateWord
	}
	return stateObjects + s.rnd.IntN(4)
}

// field is the offset of a field of the holder, all of them the same so that operations meet.
func (s *stateProgram) field() uint64 { return heap.HeaderSize + 8*s.one(0, 0, 0, 1, 4) }

// place puts an address into statePlace: mostly that of a field of the holder.
func (s *stateProgram) place() int {
	if s.rnd.IntN(12) == 0 {
		s.outside = true
		s.load(statePlace, s.one(0, 1, 4095, heap.Base, heap.Base-8, 1<<31, 1<<32-8, 1<<40, 1<<63, ^uint64(0), ^uint64(7)))
		return statePlace
	}
	s.add(code.AddI, statePlace, stateHolder, 0, s.field())
	return statePlace
}

func (s *stateProgram) number() int {
	s.load(stateNumber, edgeInts[s.rnd.IntN(len(edgeInts))])
	s.load(stateNumber+1, edgeInts[s.rnd.IntN(len(edgeInts))])
	return stateNumber
}

// small is the register of a number between 0 and most, now and then of any other.
func (s *stateProgram) small(r int, most int) int {
	s.load(r, uint64(s.rnd.IntN(most+1)))
	if s.rnd.IntN(10) == 0 {
		s.load(r, edgeInts[s.rnd.IntN(len(edgeInts))])
	}
	return r
}

// stateWords are refcount words and others that are not.
var stateWords = []uint64{heap.FreshWord, heap.FreshWord + heap.StrongOne, heap.DeinitingWord, heap.FreedWord, heap.FreshWord + 2*heap.UnownedOne, 0, 1, 1<<63 - 1,
	heap.FreshWord + (1<<30-1)*heap.StrongOne, 1<<32 - 1, heap.FreshWord + (1<<30)*heap.UnownedOne, 1<<63 | 1<<34 | (1<<32 - 1), 3 << 62, ^uint64(0)}

// shape changes the state of an object or of a field.
func (s *stateProgram) shape() {
	o := stateObjects + s.rnd.IntN(3)
	switch s.rnd.IntN(12) {
	case 0:
		s.add(code.Retain, o, 0, 0, 0)
	case 1:
		s.add(code.Release, o, stateBase, 0, 0)
	case 2, 3:
		s.add(code.AddI, statePlace, stateHolder, 0, s.field())
		s.add(code.WeakInit, statePlace, o, 0, 0)
	case 4:
		s.add(code.RetainUnowned, o, 0, 0, 0)
	case 5:
		if s.rnd.IntN(3) == 0 {
			s.load(stateWord, stateWords[s.rnd.IntN(len(stateWords))])
			s.add(code.Store64, stateWord, o, 0, heap.RefCountOffset)
		}
	case 6:
		s.add(code.RefStore64, o, stateHolder, 0, s.field())
	case 7:
		s.add(code.AddI, statePlace, stateHolder, 0, s.field())
		s.add(code.WeakDestroy, statePlace, 0, 0, 0)
	case 8:
		s.add(code.RetainN, o, 0, 0, 1+s.one(0, 1, 5, 1<<20))
	case 9:
		s.add(code.Retain, o, 0, 0, 0)
		s.add(code.Release, o, stateBase, 0, 0)
	}
}

func onObject(op code.Op) stateTried {
	return stateTried{name: op.String(), write: func(s *stateProgram) { s.add(op, s.object(), stateBase, 0, 0) }}
}

func fromObject(op code.Op) stateTried {
	return stateTried{name: op.String(), write: func(s *stateProgram) { s.add(op, result, s.object(), stateMeta, 0) }}
}

func storesWeak(op code.Op) stateTried {
	return stateTried{name: op.String(), write: func(s *stateProgram) { o := s.object(); s.add(op, s.place(), o, 0, 0) }}
}

// stateTries lists the operations that are not arithmetic and have an emitter, and some that are left to the interpreter.
func stateTries() (list []stateTried) {
	try := func(op code.Op, write func(s *stateProgram, op code.Op)) {
		list = append(list, stateTried{name: op.String(), write: func(s *stateProgram) { write(s, op) }})
	}
	for _, o := range []code.Op{code.Retain, code.Release, code.RetainUnowned, code.StrongFromUnowned, code.RefCheck, code.SetDeiniting,
		code.DeallocObject, code.DeallocPartial} {
		list = append(list, onObject(o))
	}
	try(code.ReleaseUnowned, func(s *stateProgram, o code.Op) {
		x := s.object()
		if s.rnd.IntN(4) > 0 {
			s.add(code.RetainUnowned, x, 0, 0, 0)
		}
		s.add(o, x, stateBase, 0, 0)
	})
	for _, o := range []code.Op{code.IsUnique, code.ObjectType, code.CastClass, code.CastExact, code.IsEscaping} {
		list = append(list, fromObject(o))
	}
	list = append(list, storesWeak(code.WeakInit), storesWeak(code.WeakAssign))
	for _, o := range []code.Op{code.WeakLoad, code.WeakTake} {
		try(o, func(s *stateProgram, o code.Op) { s.add(o, result, s.place(), 0, 0) })
	}
	try(code.WeakDestroy, func(s *stateProgram, o code.Op) { s.add(o, s.place(), 0, 0, 0) })
	for _, o := range []code.Op{code.WeakCopy, code.WeakMove} {
		try(o, func(s *stateProgram, o code.Op) {
			s.add(code.AddI, stateIndex, stateHolder, 0, s.field())
			s.add(o, stateIndex, s.place(), 0, 0)
		})
	}
	for o := code.Load8; o <= code.Store64x2; o++ {
		try(o, func(s *stateProgram, o code.Op) {
			imm := s.one(0, 0, 8, 1, 7, 16, 1<<20, 1<<31, 1<<32, 1<<63, ^uint64(0), ^uint64(7))
			p := s.place()
			if s.number(); o.Operands().A == code.RoleUse || o == code.Store64x2 {
				s.add(o, stateNumber, p, 0, imm)
			} else {
				s.add(o, result, p, 0, imm)
			}
		})
	}
	for o := code.LoadX8; o <= code.AddX; o++ {
		try(o, func(s *stateProgram, o code.Op) {
			imm := s.one(1, 8, 24, 4, 1<<20, 1<<31, 1<<32-1)<<32 | s.one(0, 0, 8, 16, 1<<31-1, 1<<31, 1<<32-8)
			p := s.place()
			if s.number(); o.Operands().A == code.RoleUse {
				s.add(o, stateNumber, p, s.small(stateIndex, 3), imm)
			} else {
				s.add(o, result, p, s.small(stateIndex, 3), imm)
			}
		})
	}
	for o := code.RefLoad8; o <= code.RefStore64; o++ {
		try(o, func(s *stateProgram, o code.Op) {
			imm := s.one(0, 8, 16, 24, 40, 1<<20, 1<<40, 1<<63)
			x := s.object()
			if s.number(); o.Operands().A == code.RoleUse {
				s.add(o, stateNumber, x, 0, imm)
			} else {
				s.add(o, result, x, 0, imm)
			}
		})
	}
	try(code.CopyMem, func(s *stateProgram, o code.Op) {
		s.add(code.AddI, stateIndex, stateObjects, 0, heap.HeaderSize+8*s.one(0, 1))
		s.add(o, s.place(), stateIndex, 0, s.one(0, 1, 7, 8, 16, 24, 32, 33, 64, 1<<20, 1<<31))
	})
	for _, o := range []code.Op{code.CopyMemR, code.FillMem, code.CmpMem} {
		try(o, func(s *stateProgram, o code.Op) {
			s.add(code.AddI, stateIndex, stateHolder, 0, heap.HeaderSize+8*s.one(0, 1, 2))
			if s.number(); o == code.CmpMem {
				s.add(o, result, s.place(), stateIndex, uint64(s.small(stateWord, 40)))
			} else {
				s.add(o, s.place(), stateIndex, s.small(stateWord, 40), 0)
			}
		})
	}
	try(code.TrapIndex, func(s *stateProgram, o code.Op) {
		x := s.object()
		s.add(o, s.small(stateIndex, 3), x, 0, s.one(0, 8, 16, 24, 1<<20))
	})
	for o := range code.Count {
		switch o := code.Op(o); {
		case o == code.TrapIf:
			try(o, func(s *stateProgram, o code.Op) {
				s.load(stateIndex, s.one(0, 0, 0, 1, 2, 1<<63))
				s.add(o, stateIndex, 0, 0, 0)
			})
		case o != code.TrapIndex && o != code.Trap && strings.HasPrefix(o.String(), "Trap"):
			try(o, func(s *stateProgram, o code.Op) {
				s.add(o, s.number(), stateNumber+1, 0, edgeInts[s.rnd.IntN(len(edgeInts))])
			})
		case o != code.Jump && strings.HasPrefix(o.String(), "Jump"):
			try(o, func(s *stateProgram, o code.Op) {
				b := stateNumber + 1
				if s.number(); o.Operands().B == code.RoleSigned {
					b = int(s.one(0, 1, 0xffff, 0x7fff, 0x8000))
				}
				n := uint32(len(s.insts)) + 1
				s.add(o, stateNumber, b, 0, code.Targets(n+2, n+1))
				s.load(result, 77)
			})
		}
	}
	try(code.AllocObject, func(s *stateProgram, o code.Op) {
		s.add(o, result, stateMeta, 0, s.one(16, 17, 32, 4000, 4096, 1<<20)|s.one(1, 8, 16, 64)<<48)
		s.add(code.CopyMem, result, stateHolder, 0, 0)
	})
	try(code.AllocObjectR, func(s *stateProgram, o code.Op) {
		s.load(stateIndex, s.one(16, 17, 32, 4000, 4096, 1<<20, 1<<40, ^uint64(0)))
		s.add(o, result, stateMeta, stateIndex, s.one(1, 8, 16, 64))
	})
	try(code.Enter, func(s *stateProgram, o code.Op) {
		s.add(o, stateFrame, 0, 0, s.one(0, 1, 16, 100, 1<<16, 1<<20))
		s.add(code.Store64, s.number(), stateFrame, 0, 0)
		s.add(code.Load64, result, stateFrame, 0, 0)
		s.add(code.Leave, stateFrame, 0, 0, 0)
	})
	try(code.InitStackObject, func(s *stateProgram, o code.Op) {
		s.add(code.Enter, stateFrame, 0, 0, heap.HeaderSize+8*stateFields)
		s.add(o, stateFrame, stateMeta, 0, 0)
		for range s.rnd.IntN(4) {
			s.add([]code.Op{code.Retain, code.Release, code.RetainUnowned}[s.rnd.IntN(3)], stateFrame, stateBase, 0, 0)
		}
		if s.rnd.IntN(3) > 0 {
			s.add(code.SetDeiniting, stateFrame, 0, 0, 0)
		}
		if s.rnd.IntN(3) > 0 {
			s.add(code.DeallocObject, stateFrame, 0, 0, 0)
		}
		s.add(code.Load64, result, stateFrame, 0, 0)
		s.add(code.Load64, result+1, stateFrame, 0, heap.RefCountOffset)
		s.add(code.Leave, stateFrame, 0, 0, 0)
	})
	try(code.EnterHeap, func(s *stateProgram, o code.Op) {
		s.add(o, stateFrame, 0, 0, s.one(16, 100, 4000, 1<<16))
		s.add(code.Store64, s.number(), stateFrame, 0, 0)
		s.add(code.LeaveHeap, stateFrame, 0, 0, 0)
	})
	for _, o := range []code.Op{code.CheckAccess, code.BeginAccess} {
		try(o, func(s *stateProgram, o code.Op) {
			open := s.rnd.IntN(2) == 0
			if open {
				s.add(code.BeginAccess, s.place(), stateToken, 0, s.one(0, 1))
			}
			if o == code.CheckAccess {
				s.add(o, s.place(), 0, 0, s.one(0, 1, 16, 17))
			} else {
				s.add(o, s.place(), stateToken+1, 0, s.one(0, 1))
				s.add(code.EndAccess, 0, stateToken+1, 0, 0)
			}
			if open {
				s.add(code.EndAccess, 0, stateToken, 0, 0)
			}
		})
	}
	return append(list, nativeTries()...)
}

// make writes the program: the objects, changes of their states, what is tried, and where it stores the results.
func (s *stateProgram) make(x stateTried) {
	for k := range 4 {
		s.add(code.AllocClass, stateObjects+k, 0, 0, uint64(s.rnd.IntN(2)))
		s.load(stateWord, 0)
		for f := range stateFields {
			s.add(code.RefStore64, stateWord, stateObjects+k, 0, heap.HeaderSize+8*uint64(f))
		}
	}
	s.add(code.Metadata, stateMeta, 0, 0, uint64(s.rnd.IntN(2)))
	s.load(result, 0)
	s.load(result+1, 0)
	for range s.rnd.IntN(6) {
		s.shape()
	}
	if x.write(s); s.rnd.IntN(2) == 0 && !strings.HasPrefix(x.name, "Trap") {
		x.write(s)
	}
	s.load(place, results)
	s.add(code.Store64, result, place, 0, 0)
	s.add(code.Store64, result+1, place, 0, 8)
	for k := range 4 {
		s.add(code.Store64, stateObjects+k, place, 0, 16+8*uint64(k))
	}
	s.load(1, 0)
	s.add(code.Return, 0, 0, 0, 0)
}

// run runs the program by the loop or by an engine, and says what it leaves behind.
func (s *stateProgram) run(t *testing.T, engine bool) string {
	t.Helper()
	insts := append([]code.Inst{{Op: code.Unreachable}}, s.insts...)
	main := &code.Func{Name: "main", Entry: 1, End: uint32(len(insts)), NRegs: 60, Shape: code.Shape{Rets: 1}, Calls: s.calls}
	insts = append(insts, code.Inst{Op: code.DeallocObject, A: 1}, code.Inst{Op: code.Return})
	deinit := &code.Func{Index: 1, Name: "deinit", Entry: main.End, End: uint32(len(insts)), NRegs: 8, Shape: code.Shape{Args: 1}}
	p := &code.Program{Insts: insts, Funcs: []*code.Func{main, deinit}, Natives: s.natives}
	for k := range 2 {
		ti := &code.TypeInfo{Index: k, Name: fmt.Sprint("Box", k), DestroyObject: -1}
		ti.Class = &code.Class{Type: ti, Layout: &abi.ClassLayout{Size: heap.HeaderSize + 8*stateFields, Align: 8}, Dealloc: 1, Destroy: -1, IVars: -1}
		if k == 1 {
			ti.Class.Super = p.Classes[0]
		}
		for w := range ti.Witness {
			ti.Witness[w] = -1
		}
		p.Types, p.Classes = append(p.Types, ti), append(p.Classes, ti.Class)
	}
	m := vm.ByHand(p, vm.Config{Natives: native.Table()})
	defer m.Release()
	if engine {
		if _, why := m.RunBy(&jit.Engine{Options: wasm.Options{Counting: true}}); why != "" {
			return "trapped: " + why
		}
	} else if end := m.Run(0); end.Kind != vm.Exited {
		return fmt.Sprint("trapped: ", end.Trap)
	}
	var b strings.Builder
	for k := range 6 {
		w, _ := m.Heap().Load64(results + 8*uint64(k))
		fmt.Fprintf(&b, " %x", w)
	}
	c := m.Counters()
	c.Lowered = 0
	fmt.Fprintf(&b, "\n%+v\n%+v\n", c, m.Heap().Stats())
	m.Heap().Live(func(i heap.ObjectInfo) bool {
		fmt.Fprintf(&b, "%v %d at %#x, %d bytes, %v:", i.Kind, i.Serial, i.Ref, i.Size, i.State)
		for off := uint64(8); off < min(i.Size, 200); off += 8 {
			w, _ := m.Heap().Load64(i.Ref + off)
			fmt.Fprintf(&b, " %x", w)
		}
		b.WriteString("\n")
		return true
	})
	return b.String()
}

// stateFound has seeds on which an engine went wrong once: where the size of elements is more than memory has.
var stateFound = map[string][]uint64{"LoadX8": {6}, "StoreX32": {6}}

// Operations on objects, memory and text, and natives that are machine code, leave the same behind in both engines, on objects in states at random and
// on edge operands: results, counts, objects. Where one engine traps the other does, but for addresses outside memory that an offset leads into it from.
func TestStatesInBothEngines(t *testing.T) {
	for _, x := range stateTries() {
		t.Run(x.name, func(t *testing.T) {
			ended := [2]int{}
			seeds := stateFound[x.name]
			for seed := range *stateSeeds {
				seeds = append(seeds, seed)
			}
			for _, seed := range seeds {
				s := &stateProgram{rnd: rand.New(rand.NewPCG(seed, 5))}
				s.make(x)
				want, got := s.run(t, false), s.run(t, true)
				trapped := strings.HasPrefix(want, "trapped")
				if ended[0]++; trapped {
					ended[1]++
				}
				if got != want && !((trapped || s.outside) && strings.HasPrefix(got, "trapped")) {
					var text strings.Builder
					for k, in := range s.insts {
						fmt.Fprintf(&text, "%3d %v\n", k+1, in)
					}
					t.Errorf("seed %d: the engine says\n%s\nthe interpreter\n%s\n%s", seed, got, want, text.String())
					return
				}
			}
			if ended[0] == ended[1] && ended[0] > 20 {
				t.Errorf("all trap")
			}
		})
	}
}
