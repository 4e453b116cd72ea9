package vm

import (
	"cmp"
	"maps"
	"slices"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// reacher lowers the functions that a program may call, as far as its code shows: callees, closures, the methods of classes of which there
// are objects or metadata, and the entries of witness tables that some code asks for. What it misses is lowered when it is called.
type reacher struct {
	m       *Machine
	limit   int // instructions
	tried   map[int]bool
	classes map[*code.Class]bool
	entries map[int]bool // numbers of witness-table entries that are asked for
	tables  map[int]bool
	done    int // functions of prog.Lowered that were looked at
}

func (r *reacher) run() {
	p := r.m.prog
	for more := true; more; {
		for ; r.done < len(p.Lowered); r.done++ {
			if f := p.Lowered[r.done]; f.Native == nil {
				for pc := f.Entry; pc < f.End; pc++ {
					r.inst(p.Insts[pc])
				}
			}
		}
		n := len(p.Lowered)
		for _, k := range sortedKeys(r.tables) { // in one order, as each is numbered
			for _, e := range sortedKeys(r.entries) {
				if fi, err := p.Runtime.WitnessEntry(k, e); err == nil {
					r.lower(fi)
				}
			}
		}
		more = len(p.Lowered) > n
	}
}

func sortedKeys[K cmp.Ordered](m map[K]bool) []K { return slices.Sorted(maps.Keys(m)) }

// lower lowers function fi, unless that was tried before.
func (r *reacher) lower(fi int) {
	p := r.m.prog
	if fi < 0 || fi >= len(p.Funcs) || r.tried[fi] || len(p.Insts) > r.limit {
		return
	}
	r.tried[fi] = true
	if f := p.Funcs[fi]; f.Entry == 0 && f.Native == nil {
		r.m.entryOf(fi)
	}
}

func (r *reacher) inst(in code.Inst) {
	p := r.m.prog
	switch in.Op.First() {
	case code.Call, code.CallTry, code.TailCall, code.FuncHandle, code.BeginApply:
		r.lower(int(in.Imm))
	case code.AllocClass:
		r.class(p.Classes[in.Imm])
	case code.Metadata:
		r.record(int(in.Imm))
	case code.WitnessTableAddr:
		r.tables[int(in.Imm)] = true
	case code.CallWitnessMethod, code.WitnessMethod:
		r.entries[int(in.Imm)] = true
	case code.InitExistential:
		for _, t := range p.Exists[in.Imm].Tables {
			if t >= 0 {
				r.tables[t] = true
			}
		}
	}
}

// record lowers what the objects of a type record call.
func (r *reacher) record(ti int) {
	t := r.m.prog.Types[ti]
	r.lower(t.DestroyObject)
	if t.Class != nil {
		r.class(t.Class)
	}
}

func (r *reacher) class(c *code.Class) {
	if r.classes[c] {
		return
	}
	r.classes[c] = true
	r.lower(c.Dealloc)
	r.lower(c.Destroy)
	for _, fi := range c.VTable {
		r.lower(fi)
	}
}

// LayOut readies a machine whose program is not to run here: somebody makes all of it into a module, whose memory begins as the arena does.
// The machine can't run by itself any more.
func (m *Machine) LayOut(control uint64) *Bridge {
	m.heap.Share(control)
	return newBridge(m)
}

// Settle lowers all that the program may come to, as far as its code shows, and gives an address to whatever the code names.
// It returns the functions.
func (b *Bridge) Settle() ([]*code.Func, *Trap) {
	m := b.m
	p := m.prog
	r := reacher{m: m, limit: maxInsts / 2, tried: map[int]bool{}, classes: map[*code.Class]bool{}, entries: map[int]bool{}, tables: map[int]bool{}}
	s := settler{m: m, r: &r, types: map[*code.TypeInfo]bool{}, slots: map[uint64]bool{}, entries: map[uint64]bool{}, witnesses: map[uint64]bool{}}
	for more := true; more; {
		r.run()
		before := s.size()
		if t := s.settle(); t != nil {
			return nil, t
		}
		more = before != s.size()
	}
	return append(p.Lowered[:len(p.Lowered):len(p.Lowered)], s.made...), nil
}

// settler gives addresses.
type settler struct {
	m      *Machine
	r      *reacher
	done   int // functions of prog.Lowered that were looked at
	errors bool
	types  map[*code.TypeInfo]bool
	made   []*code.Func // code that is made up here
	// Slots of vtables and places in witness tables of which handles are taken while the program runs, and value witnesses that are called by metadata.
	slots, entries, witnesses map[uint64]bool
	protocols                 []*ir.Type // for which the program looks for the witness tables of any type
}

// size grows while there is something to settle.
func (s *settler) size() [9]int {
	p := s.m.prog
	return [...]int{len(p.Lowered), len(p.Funcs), len(p.Types), len(p.Witnesses), len(s.types), len(s.slots), len(s.entries), len(s.witnesses), len(s.protocols)}
}

// settle looks once at everything that was lowered since it was last called, and notes what that refers to.
func (s *settler) settle() *Trap {
	p := s.m.prog
	for ; s.done < len(p.Lowered); s.done++ {
		f := p.Lowered[s.done]
		for pc := f.Entry; pc < f.End && f.Native == nil; pc++ {
			if t := s.inst(p.Insts[pc]); t != nil {
				return t
			}
		}
	}
	if t := s.handles(); t != nil {
		return t
	}
	for k := 0; k < len(p.Funcs); k++ {
		if p.Funcs[k].Handle != 0 {
			s.r.lower(k)
		}
	}
	for _, wt := range p.Witnesses {
		if wt.Addr != 0 {
			s.r.tables[wt.Index] = true
		}
	}
	for k := 0; k < len(p.Types); k++ {
		if ti := p.Types[k]; ti.Addr != 0 && !s.types[ti] {
			s.types[ti] = true
			if t := s.record(ti); t != nil {
				return t
			}
		}
	}
	return nil
}

// handles gives handles to the methods and witnesses that may become values.
func (s *settler) handles() *Trap {
	m, p := s.m, s.m.prog
	give := func(list []int, places map[uint64]bool) *Trap {
		for _, k := range sortedKeys(places) {
			if k < uint64(len(list)) && list[k] >= 0 {
				if _, t := m.handleOf(list[k]); t != nil {
					return t
				}
			}
		}
		return nil
	}
	for k := 0; k < len(p.Types); k++ {
		ti := p.Types[k]
		if ti.Addr == 0 {
			continue
		}
		if ti.Class != nil {
			if t := give(ti.Class.VTable, s.slots); t != nil {
				return t
			}
		}
		if ti.Type == nil || ti.Layout == nil {
			continue
		}
		for _, w := range sortedKeys(s.witnesses) {
			if fi, t := m.valueWitness(ti, code.Witness(w)); t == nil {
				s.r.lower(fi)
			}
		}
		for _, proto := range s.protocols {
			if _, t := m.conformance(ti.Type, proto); t != nil && t.Kind != Unsupported {
				return t
			}
		}
	}
	for _, wt := range p.Witnesses {
		if wt.Addr != 0 {
			if t := give(wt.Entries, s.entries); t != nil {
				return t
			}
		}
	}
	return nil
}

// inst gives an address to what an instruction names. What of it is not supported has none.
func (s *settler) inst(in code.Inst) (t *Trap) {
	m, p := s.m, s.m.prog
	switch in.Op.First() {
	case code.FuncHandle:
		_, t = m.handleOf(int(in.Imm))
	case code.Metadata:
		_, t = m.metadata(int(in.Imm))
	case code.StringAddr:
		_, t = m.stringAddr(int(in.Imm))
	case code.GlobalAddr, code.GlobalObject:
		_, t = m.globalAddr(in.Imm)
	case code.WitnessTableAddr:
		_, t = m.tableAddr(int(in.Imm))
	case code.AllocClass:
		_, t = m.metadata(p.Classes[in.Imm].Type.Index)
	case code.InitExistential:
		for _, k := range p.Exists[in.Imm].Tables {
			if k >= 0 && t == nil {
				_, t = m.tableAddr(k)
			}
		}
	case code.ClassMethod, code.ClassMethodMeta:
		s.slots[in.Imm] = true
	case code.WitnessMethod:
		s.entries[in.Imm] = true
	case code.CallWitness:
		s.witnesses[in.Imm] = true
	case code.FindWitness:
		s.lookFor(p.Types[in.Imm].Type)
	case code.CastDyn:
		s.cast(p.Casts[in.Imm].From.Type)
		s.cast(p.Casts[in.Imm].To.Type)
	case code.AllocErrorBox:
		s.errors = true
	}
	if t != nil && t.Kind == Unsupported {
		return nil
	}
	return t
}

func (s *settler) lookFor(proto *ir.Type) {
	if !slices.Contains(s.protocols, proto) {
		s.protocols = append(s.protocols, proto)
	}
}

// cast readies what a cast may need that names a type: metadata, as far as the type is known, and witness tables for the protocols.
func (s *settler) cast(t *ir.Type) {
	if t == nil {
		return
	}
	if t.Kind == ir.KindExistential {
		if e, err := s.m.prog.Layouts.Existential(t); err == nil {
			for _, proto := range e.Protocols {
				s.lookFor(proto)
			}
			s.errors = s.errors || e.Kind == abi.ExistentialError
		}
	}
	if !t.HasLocal() {
		s.m.metadataOf(t.Object()) // a cast asks for none where there is none
	}
	s.cast(t.Elem)
	for _, part := range t.Args {
		s.cast(part)
	}
}

// record lowers what copies and destroys values of a type, and the boxes that they are put into.
func (s *settler) record(ti *code.TypeInfo) *Trap {
	m := s.m
	s.r.record(ti.Index)
	if c := ti.Class; c != nil {
		s.r.lower(c.IVars)
		for c = c.Super; c != nil; c = c.Super {
			if _, t := m.metadata(c.Type.Index); t != nil {
				return t
			}
		}
		return nil
	}
	if ti.Layout == nil || ti.Object != nil || ti.DestroyObject >= 0 {
		return nil
	}
	if !ti.Layout.Trivial {
		for _, w := range [...]code.Witness{code.WitnessDestroy, code.WitnessInitCopy, code.WitnessInitTake} {
			if fi, t := m.valueWitness(ti, w); t == nil {
				ti.Witness[w] = fi
				s.r.lower(fi)
			}
		}
	}
	if !ti.Layout.IsInline() {
		if fi, t := m.boxDestroyer(ti); t == nil {
			s.made = append(s.made, m.prog.Funcs[fi])
		}
	}
	if s.errors {
		if k, _, err := m.prog.Runtime.ErrorBox(ti.Type); err == nil {
			if _, t := m.metadata(k); t != nil {
				return t
			}
		}
	}
	return nil
}

// TablesOf returns the addresses of a type's witness tables, by the names of the protocols.
func (b *Bridge) TablesOf(ti *code.TypeInfo) map[string]uint64 {
	tables := map[string]uint64{}
	for _, wt := range b.m.prog.Witnesses {
		if wt.Addr != 0 && wt.Type == ti.Type && ti.Type != nil {
			tables[wt.Protocol.String()] = wt.Addr
		}
	}
	return tables
}

// DestroyerOf returns the function that destroys objects with a metadata record, nil for none.
func (b *Bridge) DestroyerOf(ti *code.TypeInfo) *code.Func {
	fi := ti.DestroyObject
	if c := ti.Class; c != nil {
		if fi = c.Dealloc; fi < 0 {
			fi = c.Destroy
		}
	}
	if fi < 0 {
		return nil
	}
	return b.m.prog.Funcs[fi]
}

// Ending is what is said when the program ends by a trap of its own, for somebody who has no machine to ask.
type Ending struct {
	Code, Headline string // of the trap that the program itself raises there
	Status         int
	Pos            source.Pos
	In             string // the function
}

// Ending returns what is to be said of the trap of an instruction.
func (b *Bridge) Ending(pc uint32) Ending {
	m := b.m
	m.pc = pc + 1
	t := m.trapNow(SwiftTrap)
	switch in := m.prog.Insts[pc]; in.Op.First() {
	case code.Trap:
		t = m.programTrap(code.TrapKind(in.Imm))
	case code.Unreachable:
		t = m.trapNow(UnreachableReached)
	}
	t.Place = m.place(pc)
	return Ending{t.Code(), t.headline(), t.ExitCode(), t.Place.Pos, t.Place.FuncName()}
}
