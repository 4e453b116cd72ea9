package wasm

import (
	"encoding/binary"
	"strings"

	"silvm/vm/code"
)

// A whole program is a module for somebody else than package jit to run: all that the program may come to is in it, with the contents of its
// memory. Addresses of constants are numbers in its code, and the tables for indirect calls are filled. It has no sites:
// each operation and each native that is left to the host is a function that the module imports, named for what it does.

// Whole is what a module of a whole program has beside a module.
type Whole struct {
	Imports []*Import
	// Traps says why the module traps, by the number that it hands to HostTrap.
	Traps []TrapSite

	index map[string]int
	first int // number of the first import
}

// Import is an operation or a native that a whole program leaves to its host. The function takes the words that the operation reads, then its constant
// (the field Imm) and its pc; it gives, if Threw is set, a word that is not 0 when it threw, and then what the operation writes.
type Import struct {
	Name   string
	Op     code.Op
	Native *code.NativeRef // nil for an operation
	Params int             // words that it reads
	Writes int
	Threw  bool
	Sites  []*code.Site // that call it
}

// First is the number of the first of Imports among all functions that the module imports.
func (w *Whole) First() int { return w.first }

// Results is the number of words that the function gives.
func (i *Import) Results() int { return i.Writes + flagWords(i.Threw) }

// TrapSite is a place where a module traps.
type TrapSite struct {
	PC   uint32
	Kind TrapKind
}

// TrapKind says why a module traps.
type TrapKind uint8

// The kinds of traps.
const (
	TrapMemory  TrapKind = iota // an address that is none
	TrapProgram                 // the program says so: a condition that failed
	TrapCalls                   // calls nest too deeply
	TrapMissing                 // what an indirect call leads to is not in the module
	TrapThrown                  // an error is thrown through a call that expects none
)

// HostTrap is (number i32): a trap; it does not return.
const HostTrap = "trap"

// translateWhole makes a module of a whole program: a function that it imports has a number only once all are known, so that it is made twice.
func translateWhole(make func() *Module, w *Whole) *Module {
	w.index = map[string]int{}
	for {
		n := len(w.Imports)
		w.Traps = w.Traps[:0]
		for _, i := range w.Imports {
			i.Sites = nil
		}
		if m := make(); len(w.Imports) == n {
			return m
		}
	}
}

// declareWhole imports what the program asks of its host.
func (t *translator) declareWhole() {
	t.host.trap = t.mod.importFunc(HostTrap, []valtype{i32}, nil)
	t.opts.Whole.first = t.mod.nimport
	for _, i := range t.opts.Whole.Imports {
		t.mod.importFunc(i.Name, append(words(i.Params+1), i32), words(i.Results()))
	}
}

// settled returns the address that an instruction gives each time.
func (t *translator) settled(in code.Inst) (addr uint64, ok bool) {
	p := t.prog
	switch in.Op {
	case code.FuncHandle:
		addr = p.Funcs[in.Imm].Handle
	case code.Metadata:
		addr = p.Types[in.Imm].Addr
	case code.StringAddr:
		addr = p.Strings[in.Imm].Addr
	case code.GlobalAddr, code.GlobalObject:
		addr = p.Globals[in.Imm].Addr
	case code.WitnessTableAddr:
		addr = p.Witnesses[in.Imm].Addr
	case code.AllocClass:
		addr = p.Classes[in.Imm].Type.Addr
	}
	return addr, addr != 0
}

// importOf returns the number of the function that does the operation of a site. Where not all are known yet that may be a wrong one.
func (t *translator) importOf(s *code.Site, threw bool) int {
	w := t.opts.Whole
	i := &Import{Name: s.Inst.Op.String(), Op: s.Inst.Op, Params: len(s.Reads), Writes: len(s.Writes), Threw: threw}
	switch s.Inst.Op {
	case code.CallNative:
		i.Native = t.prog.Natives[s.Inst.Imm]
	case code.Call, code.CallTry, code.CallEntry, code.CallTryEntry, code.TailCall:
		if f := t.callee(s.Inst); f != nil {
			i.Native = f.Native
		}
	}
	switch {
	case i.Native != nil:
		i.Name = nativeName(i.Native)
	case i.Op == code.CastDyn:
		i.Name = castName(t.prog.Casts[s.Inst.Imm])
	case i.Op == code.FindWitness:
		i.Name += "<" + t.prog.Types[s.Inst.Imm].Name + ">"
	}
	key := i.Name
	for k := range 3 { // the same native with other shapes
		n, ok := w.index[key]
		if !ok {
			n = len(w.Imports)
			i.Name = key
			w.index[key], w.Imports = n, append(w.Imports, i)
		}
		if x := w.Imports[n]; k == 2 || x.Params == i.Params && x.Writes == i.Writes && x.Threw == threw {
			x.Sites = append(x.Sites, s)
			return w.first + n
		}
		key += "'"
	}
	return 0
}

// nativeName is the symbol of a native with the types that it is called for. A requirement has its type too, as others may have its name.
func nativeName(n *code.NativeRef) string {
	var b strings.Builder
	b.WriteString(n.Symbol)
	if d := n.DeclType.String(); d != "" {
		b.WriteString(" : " + d)
	}
	if len(n.Types) == 0 {
		return b.String()
	}
	for k, t := range n.Types {
		b.WriteByte("<,"[min(k, 1)])
		b.WriteString(t.String())
	}
	b.WriteByte('>')
	return b.String()
}

// castName names a cast by its types and by what else tells it from others.
func castName(c *code.Cast) string {
	name := code.CastDyn.String() + "<" + c.From.Type.String() + "," + c.To.Type.String() + ">"
	for _, x := range [...]struct {
		is   bool
		name string
	}{{c.Unconditional, ".forced"}, {c.Indirect, ".copy"}, {c.Prohibits, ".everywhere"}, {c.ForcesMetatype, ".metatype"}} {
		if x.is {
			name += x.name
		}
	}
	return name
}

// ask has the host do the operation of a site, and leaves 1 on the stack if it threw, else 0.
func (g *fn) ask(s *code.Site, offset uint16) {
	threw := s.Inst.HasOnError() || s.Inst.Op.First() == code.CallTry || s.Inst.Op.First() == code.CallTryEntry
	for _, r := range s.Reads {
		g.get(r + offset)
	}
	g.w.i64(s.Inst.Imm)
	g.w.i32(s.PC)
	if !plain(s.Inst.Op) {
		g.w.call(g.saver)
	}
	g.w.call(g.importOf(s, threw))
	if !plain(s.Inst.Op) {
		g.w.call(g.loader)
	}
	for k := len(s.Writes) - 1; k >= 0; k-- {
		g.set(s.Writes[k] + offset)
	}
	if threw {
		g.w.op(i32WrapI64)
	} else {
		g.w.i32(0)
	}
}

// natives makes functions of the natives that are called indirectly: each has the host do it.
func (t *translator) natives() {
	t.out.natives = map[*code.Func]*signature{}
	shapes := t.witnessShapes()
	for _, f := range t.prog.Funcs {
		c, ok := shapes[f]
		if !ok {
			c = code.Shape{Args: f.Args, Rets: f.Rets, ErrRets: f.ErrRets}
		}
		if f.Native == nil || !t.out.wide[f] || max(c.Args, c.Rets, c.ErrRets) > maxWords {
			continue
		}
		s := &signature{params: c.Args, results: max(c.Rets, c.ErrRets, 1), flag: true, number: t.mod.nimport + len(t.mod.funcs)}
		s.typ = t.mod.typ(words(s.params), words(s.results+1))
		t.out.natives[f] = s
		site := &code.Site{PC: f.Entry, Inst: code.Inst{Op: code.TailCall, Imm: uint64(f.Index)}}
		var w writer
		for k := range c.Args {
			site.Reads = append(site.Reads, uint16(k+1))
			w.get(k)
		}
		for k := range max(c.Rets, c.ErrRets) {
			site.Writes = append(site.Writes, uint16(k+1))
		}
		w.i64(site.Inst.Imm)
		w.i32(site.PC)
		w.call(t.saver)
		w.call(t.importOf(site, true))
		w.call(t.loader)
		for range s.results - len(site.Writes) {
			w.i64(0)
		}
		w.op(opEnd)
		t.used |= w.calls
		t.mod.funcs = append(t.mod.funcs, s.typ)
		t.mod.bodies = append(t.mod.bodies, body(nil, w.b))
	}
}

// witnessShapes returns how the witnesses are called for which there is no more than a requirement: as the calls of it say.
func (t *translator) witnessShapes() map[*code.Func]code.Shape {
	shapes := map[*code.Func]code.Shape{}
	calls := map[uint64]code.Shape{}
	for _, f := range t.prog.Lowered {
		for pc := f.Entry; pc < f.End && f.Native == nil; pc++ {
			if in := t.prog.Insts[pc]; in.Op.First() == code.CallWitnessMethod {
				calls[in.Imm] = f.CallAt(pc)
			}
		}
	}
	for _, wt := range t.prog.Witnesses {
		for k, fi := range wt.Entries {
			if c, ok := calls[uint64(k)]; ok && fi >= 0 && t.prog.Funcs[fi].Native != nil && t.prog.Funcs[fi].Native.Fn == nil {
				shapes[t.prog.Funcs[fi]] = c
			}
		}
	}
	return shapes
}

// plain reports whether an operation has nothing to do with the stack and the accesses of the program, and calls nothing.
func plain(o code.Op) bool {
	switch o {
	case code.CmpMem, code.WideDiv, code.WideMulOver, code.BitReverse, code.TypeSize, code.TypeStride, code.TypeAlign, code.TypeIsPOD,
		code.AtomicAdd, code.AtomicSub, code.AtomicAnd, code.AtomicOr, code.AtomicXor, code.AtomicXchg, code.AtomicCmpXchg:
		return true
	}
	return o >= code.Add && o <= code.Ftrunc3216
}

// globalsHelpers are functions that tell the host the globals, and take what it says of them.
func (t *translator) globalsHelpers() {
	t.saver = t.helper(nil, nil, []valtype{i32}, func(w *writer) { t.save(w, 0) })
	t.loader = t.helper(nil, nil, []valtype{i32}, func(w *writer) { t.load(w, 0) })
}

// trapFor traps for a reason when the i32 on the stack is not 0.
func (g *fn) trapFor(k TrapKind) {
	n := min(g.traps, maxTraps-1)
	if g.opts.Whole != nil {
		n = g.traps
		g.traps++
		g.reasons = append(g.reasons, TrapSite{g.at, k})
	} else if g.traps < maxTraps-1 {
		g.traps++
	}
	g.w.with(opBrIf, len(g.scopes)+n)
}

// trapHere traps for a reason.
func (g *fn) trapHere(k TrapKind) {
	if g.opts.Whole != nil {
		g.tellTrap(&g.w, TrapSite{g.at, k})
	}
	g.w.op(opUnreachable)
}

// tellTrap has the host say why the program traps.
func (t *translator) tellTrap(w *writer, s TrapSite) {
	w.i32(uint32(len(t.opts.Whole.Traps)))
	t.opts.Whole.Traps = append(t.opts.Whole.Traps, s)
	w.call(t.host.trap)
}

// Fill enters what is known of the program into the tables of its module, in the arena: what indirect calls lead to and what destroys objects. held
// says how values of a type lie in existentials, as Known does.
func (m *Module) Fill(prog *code.Program, rec Records, arena []byte, destroyer func(*code.TypeInfo) *code.Func, held func(*code.TypeInfo) byte) {
	put := func(table, number uint64, f *code.Func) {
		s := m.sigs[f]
		if s == nil {
			s = m.natives[f]
		}
		if s != nil && m.wide[f] {
			binary.LittleEndian.PutUint32(arena[table+4*number:], Target(s.number, s.params))
		}
	}
	number := func(kind int, addr uint64, most uint64) (n uint64, ok bool) {
		n = (addr - rec.Bases[kind]) >> recordShifts[kind]
		return n, addr != 0 && n < min(most, rec.Counts[kind])
	}
	entry := func(list []int, k uint64) *code.Func {
		if k < uint64(len(list)) && list[k] >= 0 {
			return prog.Funcs[list[k]]
		}
		return nil
	}
	for _, f := range prog.Funcs {
		if n, ok := number(recordFuncs, f.Handle, rec.Counts[recordFuncs]); ok {
			put(m.area+Handles, n, f)
		}
	}
	for key, k := range m.tables {
		table := m.area + targets + uint64(k)*tableSize
		for _, ti := range prog.Types {
			if n, ok := number(recordTypes, ti.Addr, TargetsLong); ok && key.op == code.CallMethod && ti.Class != nil {
				put(table, n, entry(ti.Class.VTable, key.imm))
			} else if ok && key.op == code.CallWitness {
				put(table, n, entry(ti.Witness[:], key.imm))
			}
		}
		for _, wt := range prog.Witnesses {
			if n, ok := number(recordWitnesses, wt.Addr, TargetsLong); ok && key.op == code.CallWitnessMethod {
				put(table, n, entry(wt.Entries, key.imm))
			}
		}
	}
	for _, ti := range prog.Types {
		n, ok := number(recordTypes, ti.Addr, rec.Counts[recordTypes])
		if !ok {
			continue
		}
		arena[m.area+Known+n] |= KnownRecord | held(ti)
		if f := destroyer(ti); m.Destroys(f) {
			binary.LittleEndian.PutUint32(arena[m.area+Destroyers+4*n:], uint32(m.sigs[f].number))
		}
	}
}

// AddSection adds a section of a name of its own to the module.
func (m *Module) AddSection(name string, text []byte) {
	var w writer
	w.name(name)
	w.b = append(w.b, text...)
	out := writer{b: append(m.Bytes, 0)}
	out.u(uint64(len(w.b)))
	m.Bytes = append(out.b, w.b...)
}

// maxGap is how many zeros may lie inside of a segment of the data.
const maxGap = 32

// AddData adds the first contents of the memory to the module; zeros are left out.
func (m *Module) AddData(arena []byte) {
	var segments writer
	n := 0
	for from := 0; from < len(arena); {
		if arena[from] == 0 {
			from++
			continue
		}
		to := from + 1
		for k := to; k < min(len(arena), to+maxGap); k++ {
			if arena[k] != 0 {
				to = k + 1
			}
		}
		segments.u(0)
		segments.i32(uint32(from))
		segments.op(opEnd)
		segments.u(uint64(to - from))
		segments.b = append(segments.b, arena[from:to]...)
		n++
		from = to
	}
	var w writer
	w.u(uint64(n))
	w.b = append(w.b, segments.b...)
	out := writer{b: m.Bytes}
	out.b = append(out.b, secData)
	out.u(uint64(len(w.b)))
	m.Bytes = append(out.b, w.b...)
}
