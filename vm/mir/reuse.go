package mir

import "silvm/vm/code"

// reuseLoads replaces a load of a word that was loaded on every path there and can't have changed since: the count of an array inside
// a loop over it, a stored property that nothing in between writes. It reports whether it replaced any. It relies on what prove notes of
// indexes.
//
// A store is taken to stay inside the object that its address is computed from, as the language requires of all code (index_addr and
// index_raw_pointer stay inside the allocation that they begin in): a store after word 16 of one object does not change word 16 of
// another. That a register holds a reference has to be known on every path to the store: the payload of an enum is one register for
// all cases, an object in one and a raw pointer into another object in the next. Stores to addresses of unknown origin change
// everything.
func (fn *Function) reuseLoads(order []*Label) bool {
	u := newReuse(fn, order)
	u.words = len(u.loads)/64 + 1
	if len(u.loads) < 2 || u.words*len(order) > maxLivenessWords {
		return false
	}
	u.objects = newLiveness(order, u.defs)
	u.objects.ever = true
	if u.objects.words*len(order) > maxLivenessWords {
		return false
	}
	u.objects.solve(order)
	u.types(order)
	u.solve(order)
	return u.replace(order)
}

// reuse is a data flow problem over sets of loads whose register still holds the word.
type reuse struct {
	fn      *Function
	defs    []uint8
	def     []*Inst
	loads   []knownLoad
	number  map[*Inst]int // of a load, from 0
	based   map[Reg][]int // loads by their base
	objects *liveness     // registers that were checked to hold references on every path to a place
	static  map[Reg]bool  // registers that hold addresses of globals
	words   int
	in      [][]uint64
}

// knownLoad is a load with a constant offset.
type knownLoad struct {
	memoryWord
	checked bool // that the object is alive
	object  bool // the base is known to be a reference
	end     uint64
}

func newReuse(fn *Function, order []*Label) *reuse {
	n := int(fn.nregs) + 2
	u := &reuse{fn: fn, defs: fn.countDefs(order), def: make([]*Inst, n), number: map[*Inst]int{}, based: map[Reg][]int{},
		static: map[Reg]bool{}}
	for _, l := range order {
		for k := range l.Insts {
			i := &l.Insts[k]
			i.EachDef(func(r Reg) { u.def[r] = i })
			if i.Op == code.GlobalAddr && u.defs[i.A] == 1 {
				u.static[i.A] = true
			}
			u.note(i)
		}
	}
	return u
}

// firstField is the offset of the first field of an object: what comes before it changes with its counts.
const firstField = 16

// note numbers a load, if it can be recognized later.
func (u *reuse) note(i *Inst) {
	plain := i.Op
	switch i.Op {
	case code.Load8, code.Load16, code.Load32, code.Load64:
	case code.RefLoad8, code.RefLoad16, code.RefLoad32, code.RefLoad64:
		plain = unchecked[i.Op]
	default:
		return
	}
	if u.defs[i.A] != 1 || u.defs[i.B] != 1 || i.A == i.B || u.fn.inPair(i.A) || i.Imm > 1<<31 {
		return
	}
	n := len(u.loads)
	u.number[i] = n
	u.based[i.B] = append(u.based[i.B], n)
	u.loads = append(u.loads, knownLoad{memoryWord: memoryWord{op: plain, base: i.B, imm: i.Imm, is: i.A}, checked: plain != i.Op,
		end: i.Imm + wordBytes[plain]})
}

// types notes of each load whether its base is known to be a reference where it stands.
func (u *reuse) types(order []*Label) {
	for n, l := range order {
		objects := append([]uint64(nil), u.objects.in[n]...)
		for k := range l.Insts {
			i := &l.Insts[k]
			u.objects.note(i, objects)
			if m, ok := u.number[i]; ok {
				u.loads[m].object = u.isObject(objects, i.B)
			}
		}
	}
}

// solve finds the words that are known at the start of each block: the greatest solution, so that loops keep what they don't change.
func (u *reuse) solve(order []*Label) {
	u.in = make([][]uint64, len(order))
	for n := range order {
		u.in[n] = make([]uint64, u.words)
		if n > 0 {
			for w := range u.in[n] {
				u.in[n][w] = ^uint64(0)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for n, l := range order {
			out := u.walk(l, append([]uint64(nil), u.in[n]...), nil)
			for _, s := range l.Succs {
				in := u.in[s.index]
				for w := range in {
					if v := in[w] & out[w]; v != in[w] {
						in[w], changed = v, true
					}
				}
			}
		}
	}
}

// walk follows a block from the set at its start to that at its end; found is called with each load before it is noted.
func (u *reuse) walk(l *Label, set []uint64, found func(i *Inst, set []uint64)) []uint64 {
	for _, p := range l.Params {
		u.forget(set, p)
	}
	objects := append([]uint64(nil), u.objects.in[l.index]...)
	for k := range l.Insts {
		i := &l.Insts[k]
		u.objects.note(i, objects)
		switch {
		case i.Op == code.Nop || i.Op == OpArgs || isTerminator(i.Op):
		case isStore(i.Op):
			u.stored(i, set, objects)
		case i.effect() == effectOther && (int(i.Op) >= code.Count || !keepsObjects(i.Op)):
			clear(set)
		}
		if n, ok := u.number[i]; ok {
			if found != nil {
				found(i, set)
			}
			u.forget(set, i.A)
			add(set, n)
			continue
		}
		i.EachDef(func(r Reg) { u.forget(set, r) })
	}
	return set
}

// forget removes the loads whose base is about to change.
func (u *reuse) forget(set []uint64, r Reg) {
	for _, n := range u.based[r] {
		remove(set, n)
	}
}

func isStore(o code.Op) bool {
	switch o {
	case code.Store8, code.Store16, code.Store32, code.Store64, code.Store64x2, code.StoreX8, code.StoreX16, code.StoreX32, code.StoreX64,
		code.RefStore8, code.RefStore16, code.RefStore32, code.RefStore64:
		return true
	}
	return false
}

// stored removes the words that a store may change.
func (u *reuse) stored(i *Inst, set, objects []uint64) {
	t := u.target(i.B, objects)
	size, off := wordBytes[i.Op], i.Imm
	if i.Op.Operands().C == code.RoleUse {
		off = uint64(int64(int32(uint32(i.Imm))))
		t.after, t.lost = true, t.lost || !i.nonNegative
	}
	if int64(off) < 0 || off > 1<<31 {
		t.lost = true
	}
	t.off += off
	for n := range u.loads {
		if has(set, n) && u.changes(t, size, &u.loads[n]) {
			remove(set, n)
		}
	}
}

// target is an address in terms of the register it is computed from.
type target struct {
	root   Reg
	object bool // the root is known to be a reference
	off    uint64
	after  bool // at off or further after
	lost   bool // nothing is known
}

// isObject reports whether a register is known to hold a reference, and to what lies in that object alone. The start of the frame's memory may
// be an object on the stack, but addresses in all of that memory are computed from it.
func (u *reuse) isObject(objects []uint64, r Reg) bool {
	if !u.objects.knows(objects, r) {
		return false
	}
	for n := 0; n < 8 && u.def[r] != nil && u.defs[r] == 1; n++ {
		switch u.def[r].Op {
		case code.Enter, code.EnterHeap:
			return false
		case code.Move:
			r = u.def[r].B
		default:
			return true
		}
	}
	return u.def[r] == nil || u.defs[r] != 1
}

// target follows how the address in a register was computed, back to a reference if there is one.
func (u *reuse) target(r Reg, objects []uint64) (t target) {
	for n := 0; n < 8; n++ {
		t.root, t.object = r, u.isObject(objects, r)
		d := u.def[r]
		if t.object || u.defs[r] != 1 || d == nil {
			return t
		}
		switch {
		case d.Op == code.AddI && d.Imm < 1<<31:
			t.off += d.Imm
		case d.Op == code.AddX && int32(uint32(d.Imm)) >= 0:
			t.off += d.Imm & (1<<31 - 1)
			t.after, t.lost = true, t.lost || !d.nonNegative
		default:
			return t
		}
		r = d.B
	}
	t.lost = true
	return t
}

// changes reports whether a store of size bytes at t may change a known word.
func (u *reuse) changes(t target, size uint64, k *knownLoad) bool {
	if t.lost {
		return true
	}
	apart := t.off >= k.end || !t.after && t.off+size <= k.imm
	switch {
	case t.root == k.base:
		return !apart
	case t.object && t.off >= firstField && u.static[k.base]:
		return false
	case t.object && t.off >= firstField && k.object && k.imm >= firstField:
		return !apart
	}
	return true
}

// replace returns loads of known words the registers that hold them.
func (u *reuse) replace(order []*Label) (any bool) {
	names := make([]Operand, int(u.fn.nregs)+2)
	for n, l := range order {
		u.walk(l, append([]uint64(nil), u.in[n]...), func(i *Inst, set []uint64) {
			me := u.loads[u.number[i]]
			for m := range u.loads {
				if k := &u.loads[m]; has(set, m) && k.is != i.A && k.op == me.op && k.base == me.base && k.imm == me.imm && (k.checked || !me.checked) {
					names[i.A] = k.is.Op()
					*i = Inst{Op: code.Nop, At: i.At}
					any = true
					return
				}
			}
		})
	}
	if any {
		u.fn.rename(order, names)
	}
	return any
}
