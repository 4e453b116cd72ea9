package debugger

import (
	"fmt"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Watchpoints on accesses: they stop before an instruction that reads a place, or reads or writes it. They are in the code, at each
// instruction that is given an address which may lead to the place; there the addresses are compared. What the library does without SIL is
// known by the memory that it is handed. To destroy a value, or to count a reference, is no access of the program's.

// AccessKind says which accesses a watchpoint waits for.
type AccessKind uint8

// The kinds.
const (
	AnyChange AccessKind = iota // no access: the place holds something else than before
	AnyRead
	AnyAccess // reads and writes
)

// Touch is an access to a watched place.
type Touch struct {
	What  string
	Write bool
	Value string // what the place holds before it, as shown
}

// WatchAccess makes a watchpoint on reads, or on reads and writes, of a place in memory.
func (d *Debugger) WatchAccess(spec, cond string, kind AccessKind) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakWatch, Spec: spec, Cond: cond, Enabled: true, Access: kind}
	return b, d.add(b)
}

// watchedPlace is the memory whose accesses a watchpoint waits for.
type watchedPlace struct {
	what   string
	value  Value // what lies there, of the type that it has
	serial uint64
	stack  *stackVar // where it lies in one
	target target
	known  bool        // target is
	field  *fieldWatch // of a property of all objects of a class; the rest is not set then
	writes bool        // writes count too
}

// placeOf finds the memory that a watchpoint on accesses is to watch. The error says why there is none.
func (d *Debugger) placeOf(spec string, kind AccessKind) (*watchedPlace, error) {
	p := &watchedPlace{what: spec, writes: kind == AnyAccess}
	if field, ok, err := d.fieldOfClass(spec); ok {
		if err != nil {
			return nil, err
		}
		field.places = map[uint64]fieldPlace{}
		p.field, p.target, p.known = field, target{field: field.field}, true
		return p, nil
	}
	v, err := d.Eval(spec, d.selected)
	switch {
	case err != nil:
		return nil, err
	case v.Type == nil:
		for _, count := range countParts {
			if strings.HasSuffix(spec, "."+count.name) {
				return nil, fmt.Errorf("%s is a count: what changes it can be watched (watch %s), not what reads it", spec, spec)
			}
		}
		return nil, fmt.Errorf("%s is computed: it lies nowhere", spec)
	case v.Addr == 0:
		return nil, fmt.Errorf("%s is a value of SIL, in no memory: the instructions that use it read it", spec)
	case v.Layout == nil || v.Layout.Size == 0:
		return nil, fmt.Errorf("%s can't be watched: it has no layout or no size", spec)
	}
	p.value = v
	p.target, p.known = d.targetAt(v.Addr)
	if o, ok := d.m.Heap().BlockContaining(v.Addr); ok {
		p.serial = o.Serial
		p.stack, err = d.stackVarAt(v)
	}
	return p, err
}

// touch is an operand through which an instruction reads or writes memory.
type touch struct {
	operand     int
	read, write bool
}

// touchesOf lists the operands through which an instruction accesses memory; native says that it runs library code without SIL.
func touchesOf(i *ir.Inst, native bool) []touch {
	var out []touch
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply:
		if !native {
			return nil
		}
		for n := 1; n < len(i.Operands); n++ {
			out = append(out, touch{n, true, true})
		}
	case op.Builtin:
		a, ok := i.Aux.(*ir.BuiltinAux)
		if !ok || a.Row() == nil {
			return nil
		}
		for n := range i.Operands {
			out = append(out, touch{n, a.Row().Mem.MayRead(), a.Row().Mem.MayWrite()})
		}
	case op.OpenExistentialAddr: // reads which type lies there, no value
	default:
		for n := range i.Operands {
			if m := i.OperandMem(n); m != op.MemNone {
				out = append(out, touch{n, m.MayRead(), m.MayWrite()})
			}
		}
	}
	return out
}

// mayTouch reports whether an instruction is one to look at.
func (p *watchedPlace) mayTouch(i *ir.Inst, native bool) bool {
	for _, t := range touchesOf(i, native) {
		v := i.Arg(t.operand)
		switch {
		case !t.read && !(t.write && p.writes) || v == nil || v.Type == nil:
		case v.Type.IsAddress():
			if !p.known || p.target.mayBe(v) {
				return true
			}
		case i.Op == op.Builtin && isRawPointer(v.Type):
			return true
		}
	}
	return false
}

func isRawPointer(t *ir.Type) bool {
	return t.Kind == ir.KindBuiltin && t.Builtin().Kind == ir.BuiltinRawPointer
}

// stops lists the boundaries of a function at which the place may be accessed. A call whose callee is known when it runs only may run
// library code.
func (p *watchedPlace) stops(d *Debugger, f *code.Func) []place {
	var out []uint32
	for _, pc := range f.Bounds {
		i := d.m.PlaceOf(pc).Inst
		if i != nil && p.mayTouch(i, !isDirect(i) || hasNative(d.m.Program().Insts[pc:boundaryEnd(f, pc)])) {
			out = append(out, pc)
		}
	}
	return placed(out...)
}

// accessAt describes the access that the instruction at which the run stands makes; ok is false when it makes none to the place.
func (d *Debugger) accessAt(p *watchedPlace) (a Touch, ok bool) {
	f, _ := d.call(0)
	if f.Inst == nil || f.Func == nil || !p.isThere(d) {
		return a, false
	}
	native := d.runsNative(f)
	for _, t := range touchesOf(f.Inst, native) {
		if !t.read && !p.writes {
			continue
		}
		from, to, ok := d.operandMemory(f, t.operand)
		if !ok {
			continue
		}
		at, what, hit := p.meets(d, from, to)
		if !hit {
			continue
		}
		return Touch{What: what, Write: !t.read, Value: d.Text(at)}, true
	}
	return a, false
}

// isThere reports whether the place is still what it was.
func (p *watchedPlace) isThere(d *Debugger) bool {
	if p.stack != nil {
		return p.stack.isThere(d)
	}
	if p.serial == 0 {
		return true
	}
	o, ok := d.m.Heap().BlockContaining(p.value.Addr)
	return ok && o.Serial == p.serial && o.State != heap.Freed
}

// meets tells what of the place lies in a stretch of memory, and its name.
func (p *watchedPlace) meets(d *Debugger, from, to uint64) (v Value, what string, ok bool) {
	if p.field == nil {
		if end := p.value.Addr + p.value.Layout.Size; from >= end || to <= p.value.Addr {
			return v, "", false
		}
		return d.memory(p.value.Type, p.value.Addr), p.what, true
	}
	o, ok := d.m.Heap().BlockContaining(from)
	if !ok || o.Kind != heap.KindObject {
		return v, "", false
	}
	at := p.field.placeIn(d, o.Ref)
	addr := o.Ref + at.off
	if !at.ok || from >= addr+at.value.Layout.Size || to <= addr {
		return v, "", false
	}
	return d.memory(at.value.Type, addr), d.bareName(o.Ref) + "." + p.field.field, true
}

// runsNative reports whether the next instruction runs library code without SIL: that it calls, or that a value calls for it.
func (d *Debugger) runsNative(f Frame) bool {
	if hasNative(d.m.Program().Insts[f.PC:boundaryEnd(f.Func, f.PC)]) {
		return true
	}
	if isDirect(f.Inst) || len(f.Inst.Operands) == 0 {
		return false
	}
	l, ok := f.Func.Values[f.Inst.Arg(0)]
	if !ok || l.IsAddress || len(l.Parts) == 0 {
		return false
	}
	callee := d.m.FuncAt(l.Parts[0].In(f.Regs))
	return callee != nil && callee.Native != nil
}

// operandMemory returns the memory that an operand of the next instruction is the address of.
func (d *Debugger) operandMemory(f Frame, n int) (from, to uint64, ok bool) {
	v := f.Inst.Arg(n)
	if v == nil || v.Type == nil {
		return 0, 0, false
	}
	l, ok := f.Func.Values[v]
	if !ok {
		return 0, 0, false
	}
	switch {
	case v.Type.IsAddress() && l.IsAddress:
		from = l.Address(f.Regs)
	case (v.Type.IsAddress() || isRawPointer(v.Type)) && len(l.Parts) == 1:
		from = l.Parts[0].In(f.Regs)
	default:
		return 0, 0, false
	}
	size := uint64(0)
	if v.Type.IsAddress() {
		if lay := d.layout(d.concrete(v.Type.Object(), f.Func)); lay != nil {
			size = lay.Size
		}
	} else {
		size = d.builtinSize(f)
	}
	return from, from + size, size > 0
}

// builtinSize is how many bytes a builtin accesses through its pointers: so many values of a type, or what the type in its name takes.
func (d *Debugger) builtinSize(f Frame) uint64 {
	i := f.Inst
	a := i.Aux.(*ir.BuiltinAux)
	if len(a.Subs) == 1 {
		lay := d.layout(d.concrete(a.Subs[0], f.Func))
		last := i.Arg(len(i.Operands) - 1)
		if l, ok := f.Func.Values[last]; ok && lay != nil && !l.IsAddress && len(l.Parts) == 1 && !isRawPointer(last.Type) {
			if n := l.Parts[0].In(f.Regs); n < 1<<40 {
				return n * max(lay.Stride, 1)
			}
		}
	}
	for _, v := range i.Operands {
		if t := v.Value().Type; t != nil && !isRawPointer(t) {
			if lay := d.layout(d.concrete(t.Object(), f.Func)); lay != nil {
				return lay.Size
			}
		}
	}
	if len(i.Results) > 0 {
		if lay := d.layout(d.concrete(i.Results[0].Type.Object(), f.Func)); lay != nil {
			return lay.Size
		}
	}
	return 8
}
