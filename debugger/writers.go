package debugger

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Which instructions may change a word of an object. A search for the last change of a stored property looks only at these, and leaves
// out the stretches of the past in which none of them ran; everything between runs at full speed.
//
// An instruction may change the word when it writes through an address that may lead there, or when it runs code without boundaries that
// may do anything: a native. An address that a function makes of a stored property (ref_element_addr), of a stack location or of a global
// leads nowhere else, as long as SIL is what the compiler makes; any other (of a parameter, of a pointer) may lead everywhere. Where a
// search finds the word changed before an instruction that it looks at, something else did it, and the search is made anew with a look
// at each boundary.

// target is the part of an object that a word belongs to, or the global.
type target struct {
	field  string // of a stored property; "" for elements after them
	global string // the symbol of a global
	class  string // of the objects whose property it is, "" where one object is meant
	other  bool   // memory that is none of these: boxes, raw memory
}

// targetAt tells which part of an object, or which global, lies at an address; ok is false where that is not known, for what lies on the
// stack and the like.
func (d *Debugger) targetAt(a uint64) (t target, ok bool) {
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 && g.Object == nil && a >= g.Addr && a < g.Addr+max(g.Layout.Size, 1) {
			return target{global: g.Global.Name}, true
		}
	}
	o, ok := d.m.Heap().BlockContaining(a)
	if !ok || o.Kind != heap.KindObject {
		return t, false
	}
	ti := d.m.TypeAt(o.Metadata)
	if ti == nil || ti.Class == nil {
		return t, false
	}
	for c := ti.Class; c != nil; c = c.Super {
		for _, f := range c.Layout.Fields {
			if a-o.Ref >= f.Offset && a-o.Ref < f.Offset+f.Layout.Size {
				return target{field: f.Name}, true
			}
		}
	}
	return t, a-o.Ref >= ti.Class.Layout.Size
}

// writers lists the boundaries of a function whose instructions may change a part of an object.
func (d *Debugger) writers(t target) func(f *code.Func) []uint32 {
	prog := d.m.Program()
	wild := false // a call whose callee is known at run time only may run a native
	for _, f := range prog.Lowered {
		wild = wild || f.Fn == nil && hasNative(prog.Insts[f.Entry:f.End])
	}
	for _, f := range prog.Funcs {
		wild = wild || f.Native != nil
	}
	return func(f *code.Func) (out []uint32) {
		for n, pc := range f.Bounds {
			if i := d.m.PlaceOf(pc).Inst; i != nil && t.class != "" && i.Op == op.AllocRef && !d.makes(i, f, t.class) {
				continue
			}
			end := f.End
			if n+1 < len(f.Bounds) {
				end = f.Bounds[n+1]
			}
			i := d.m.PlaceOf(pc).Inst
			if i == nil || hasNative(prog.Insts[pc:end]) || t.mayWrite(i, wild) {
				out = append(out, pc)
			}
		}
		return out
	}
}

// makes reports whether an alloc_ref may make an object of a class or one that inherits from it.
func (d *Debugger) makes(i *ir.Inst, f *code.Func, class string) bool {
	t := d.concrete(i.Results[0].Type, f)
	name := t.String()
	for _, ti := range d.m.Program().Types {
		if ti.Class != nil && ti.Name == name {
			return isClass(ti, class)
		}
	}
	return true
}

// hasNative reports whether code calls a native, whose writes have no boundary of their own.
func hasNative(list []code.Inst) bool {
	for k := range list {
		if o := list[k].Op; o == code.CallNative || o == code.NativeRun {
			return true
		}
	}
	return false
}

// mayWrite reports whether an instruction without natives of its own may change the target.
func (t target) mayWrite(i *ir.Inst, wild bool) bool {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply, op.EndApply, op.AbortApply: // what a body does has boundaries of its own
		return wild && !isDirect(i)
	case op.Load, op.BeginAccess, op.EndAccess, op.DestroyAddr, op.DeallocStack, op.DebugValue:
		return false // the bytes stay
	case op.AllocRef, op.AllocRefDynamic, op.AllocBox:
		return t.global == "" && !t.other // it may make the object
	case op.Builtin:
		if b, ok := i.Aux.(*ir.BuiltinAux); ok && b.Row() != nil && !b.Row().Mem.MayWrite() {
			return false
		}
	default:
		if !i.Row().Mem.MayWrite() {
			return false
		}
	}
	for n := range i.Operands {
		v := i.Arg(n)
		switch {
		case v == nil || v.Type == nil:
		case v.Type.IsAddress():
			if t.mayBe(v) {
				return true
			}
		case v.Type.Kind == ir.KindBuiltin && v.Type.Builtin().Kind == ir.BuiltinRawPointer:
			return true
		}
	}
	return false
}

// isDirect reports whether a call names its callee.
func isDirect(i *ir.Inst) bool {
	if len(i.Operands) == 0 || i.Arg(0) == nil || i.Arg(0).Inst() == nil {
		return false
	}
	return i.Arg(0).Inst().Op == op.FunctionRef
}

// mayBe reports whether an address may lead to the target.
func (t target) mayBe(v *ir.Value) bool {
	for range 64 {
		i := v.Inst()
		if i == nil {
			return true
		}
		switch i.Op {
		case op.RefElementAddr:
			m, ok := i.Aux.(*ir.MemberAux)
			return !ok || t.field != "" && m.Name == t.field
		case op.RefTailAddr:
			return t.field == "" && t.global == "" && !t.other
		case op.GlobalAddr:
			m, ok := i.Aux.(*ir.SymbolAux)
			return !ok || m.Name == t.global
		case op.AllocStack, op.ProjectBox:
			return t.other
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess, op.MarkUninitialized, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr,
			op.OpenExistentialAddr, op.InitExistentialAddr, op.UncheckedAddrCast:
			v = i.Arg(0)
		default:
			return true
		}
	}
	return true
}

// thinOut lets a search for changes of words look only where they may change, if that is known of all of them and it looks for nothing else
// that needs a look everywhere.
func (d *Debugger) thinOut(s *search) {
	if s.dense || s.pred != nil {
		return
	}
	var all []func(f *code.Func) []uint32
	add := func(w *watcher) bool {
		if w.writers != nil {
			all = append(all, w.writers)
		}
		return w.writers != nil || w.ear != nil
	}
	if s.watch != nil && !add(s.watch) {
		return
	}
	for _, b := range d.breaks {
		if s.breaks && b.Enabled && b.watch != nil && !add(b.watch) {
			return
		}
	}
	if len(all) == 0 {
		return
	}
	s.sparse, s.at = true, map[uint32]bool{}
	s.grow = func(f *code.Func) (out []uint32) {
		for _, of := range all {
			out = append(out, of(f)...)
		}
		return out
	}
	for _, f := range d.m.Program().Lowered {
		for _, pc := range s.grow(f) {
			s.at[pc] = true
		}
	}
}

// A search for changes of a word comes to the same instructions again and again, most of which write elsewhere. What an instruction writes
// through plain stores is known by its operands; only where that meets a watched word, or where more may happen, the word is looked at.

// hit is what is known of a boundary.
type hit struct {
	fn    *code.Func
	look  bool // always
	makes bool // it makes an object
	at    code.Location
	size  uint64 // of the memory at at that it writes
}

// plainStores are the instructions that write through one operand and do nothing else to memory, but what has boundaries of its own.
var plainStores = map[op.Op]int{
	op.Store: 1, op.Assign: 1, op.StoreBorrow: 1, op.CopyAddr: 1, op.ExplicitCopyAddr: 1, op.StoreWeak: 1, op.StoreUnowned: 1, op.InjectEnumAddr: 0,
}

// noteWrites tells the machine what the instructions of a function write through plain stores.
func (d *Debugger) noteWrites(f *code.Func) {
	for _, pc := range f.Bounds {
		if h := d.hitAt(pc); h.size > 0 {
			d.m.NoteWrites(pc, h.at, h.size)
		}
	}
}

// mayHit reports whether the next instruction may change one of the watched words.
func (c *scanner) mayHit() bool {
	d, pc := c.d, c.d.m.PC()
	if c.s.breaks && d.planted[pc] > 0 {
		return true
	}
	h := c.hits[pc]
	if h == nil {
		h = d.hitAt(pc)
		c.hits[pc] = h
	}
	if h.look {
		return true
	}
	regs, _ := d.m.Top(h.fn)
	for _, w := range c.watch {
		switch {
		case w.to == 0 || w.stack != nil:
			return true
		case h.makes:
			if w.part == nil || w.part.serial > c.made {
				return true
			}
		default:
			if at := h.at.Address(regs); at < w.to && at+h.size > w.from {
				return true
			}
		}
	}
	return false
}

// onlyMakes reports whether an instruction is looked at because it may make the object of a word, which was there before: it can't.
func (c *scanner) onlyMakes(pc uint32) bool {
	w := c.s.watch
	if c.s.breaks || w == nil || w.to == 0 || w.part == nil || w.part.serial > c.made {
		return false
	}
	p := c.d.m.PlaceOf(pc)
	return p.Inst != nil && (p.Inst.Op == op.AllocRef || p.Inst.Op == op.AllocRefDynamic)
}

// hitAt finds out what an instruction writes.
func (d *Debugger) hitAt(pc uint32) *hit {
	p := d.m.PlaceOf(pc)
	h := &hit{fn: p.Func, look: true}
	i := p.Inst
	if i == nil || p.Func == nil || p.Func.Values == nil || hasNative(d.m.Program().Insts[pc:boundaryEnd(p.Func, pc)]) {
		return h
	}
	if i.Op == op.AllocRef || i.Op == op.AllocRefDynamic {
		h.makes, h.look = true, false
		return h
	}
	n, plain := plainStores[i.Op]
	if !plain || i.Has(op.QualTake) {
		return h
	}
	v := i.Arg(n)
	l, ok := p.Func.Values[v]
	lay := d.layout(d.concrete(v.Type.Object(), p.Func))
	if ok && l.IsAddress && lay != nil {
		h.at, h.size, h.look = l, lay.Size, false
	}
	return h
}
