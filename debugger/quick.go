package debugger

import (
	"math"
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Expressions made ready for one boundary. Which variable a name means and where that lies is the same each time that the run comes to a
// boundary; so a search that comes there millions of times looks it up once, and then reads a few words. What is made here answers as
// isTrue does, or says that it can't: whatever is not a number, a truth or a reference is left to the slow way.

// quickly computes an expression in a frame with the registers; ok is false where it can't.
type quickly func(regs []uint64) (x quick, ok bool)

// quick is a result: a number or a truth, or the word of a reference.
type quick struct {
	kind byte // as of result; 'r' is a reference, which can be compared only
	i    int64
	f    float64
	ref  uint64
}

// quickPlace says where a value of a type lies.
type quickPlace struct {
	t     *ir.Type
	lay   *abi.Layout
	addr  func(regs []uint64) (a uint64, ok bool) // nil for one in registers
	loc   *code.Location                          // of the whole value that it is a part of, in registers
	whole *abi.Layout                             // of loc
	off   uint64
}

// readied is an expression that is made ready for boundaries as the run comes to them.
type readied struct {
	d  *Debugger
	e  expr
	at []quickAt // by boundary
}

type quickAt struct {
	ask   quickly
	tries uint8
}

// maxTries is how often it is tried for a boundary: what a reference leads to is known only where it is not nil.
const maxTries = 16

// ready makes it ready for the boundary where the run stands, if it isn't.
func (q *readied) ready(pc uint32) {
	if n := int(pc) + 1; n > len(q.at) {
		q.at = append(q.at, make([]quickAt, n-len(q.at))...)
	}
	if x := &q.at[pc]; x.ask == nil && x.tries < maxTries {
		x.tries++
		x.ask = q.d.quicken(q.e, q.d.ShownFrame())
	}
}

// ask tells whether it is true at a boundary; ok is false where that is not known quickly.
func (q *readied) ask(pc uint32, regs []uint64) (yes, ok bool) {
	if pc >= uint32(len(q.at)) || q.at[pc].ask == nil {
		return false, false
	}
	x, ok := q.at[pc].ask(regs)
	return x.isTrue(), ok && (x.kind == 'b' || x.kind == 'i')
}

// quicken makes an expression ready for the boundary at which a frame stands; nil where it can't.
func (d *Debugger) quicken(e expr, f Frame) quickly {
	switch e := e.(type) {
	case exprLit:
		x := quick{kind: e.v.kind, i: e.v.i, f: e.v.f}
		if x.kind == 'n' {
			x = quick{kind: 'r'}
		} else if x.kind == 's' {
			return nil
		}
		return func([]uint64) (quick, bool) { return x, true }
	case exprName, exprField:
		if p, ok := d.quickPlaceOf(e, f); ok {
			return d.quickRead(p)
		}
		switch e := e.(type) {
		case exprName:
			return d.quickConstant(e.name, f)
		case exprField:
			return d.quickCount(e, f)
		}
	case exprUnary:
		x := d.quicken(e.x, f)
		switch {
		case x == nil:
		case e.op == "!":
			return func(r []uint64) (quick, bool) {
				v, ok := x(r)
				return quickTruth(!v.isTrue()), ok && v.kind != 'r'
			}
		case e.op == "-":
			return func(r []uint64) (quick, bool) {
				v, ok := x(r)
				v.i, v.f = -v.i, -v.f
				return v, ok && (v.kind == 'i' || v.kind == 'f')
			}
		}
	case exprBinary:
		x, y := d.quicken(e.x, f), d.quicken(e.y, f)
		if x == nil || y == nil {
			return nil
		}
		return quickBinary(e.op, x, y)
	}
	return nil
}

func quickTruth(b bool) quick {
	if b {
		return quick{kind: 'b', i: 1}
	}
	return quick{kind: 'b'}
}

func (x quick) isTrue() bool { return x.kind == 'b' && x.i != 0 || x.kind == 'i' && x.i != 0 }

// quickBinary is what apply does, and evalIn with && and ||.
func quickBinary(op string, x, y quickly) quickly {
	switch op {
	case "&&", "||":
		return func(r []uint64) (quick, bool) {
			a, ok := x(r)
			if !ok || a.kind == 'r' || a.isTrue() == (op == "||") {
				return a, ok && a.kind != 'r'
			}
			b, ok := y(r)
			return quickTruth(b.isTrue()), ok && b.kind != 'r'
		}
	case "==", "!=", "===", "!==":
		same := op == "==" || op == "==="
		return func(r []uint64) (quick, bool) {
			a, okA := x(r)
			b, okB := y(r)
			if !okA || !okB {
				return quick{}, false
			}
			if a.kind == 'r' && b.kind == 'r' {
				// Two references that are equal are one object; a reference and nil are equal or not.
				return quickTruth((a.ref == b.ref) == same), len(op) == 3 || a.ref == 0 || b.ref == 0
			}
			a, b = alike(a, b)
			ok := a.kind != 'r' && b.kind != 'r' && len(op) == 2
			return quickTruth((a.kind == b.kind && a.i == b.i && a.f == b.f) == same), ok
		}
	}
	test, ok := map[string]func(less, more bool) bool{
		"<":  func(less, _ bool) bool { return less },
		">":  func(_, more bool) bool { return more },
		"<=": func(_, more bool) bool { return !more },
		">=": func(less, _ bool) bool { return !less },
	}[op]
	return func(r []uint64) (quick, bool) {
		a, okA := x(r)
		b, okB := y(r)
		if !okA || !okB {
			return quick{}, false
		}
		if a, b = alike(a, b); a.kind != b.kind || a.kind == 'r' {
			return quick{}, false
		}
		if ok {
			return quickTruth(test(a.i < b.i || a.f < b.f, a.i > b.i || a.f > b.f)), true
		}
		switch a.kind {
		case 'i':
			n, err := arithmetic(op, a.i, b.i)
			return quick{kind: 'i', i: n}, err == nil
		case 'f':
			v, err := apply(op, result{kind: 'f', f: a.f}, result{kind: 'f', f: b.f})
			return quick{kind: 'f', f: v.f}, err == nil
		}
		return quick{}, false
	}
}

// alike makes a number that stands beside a floating one floating too.
func alike(a, b quick) (x, y quick) {
	switch {
	case a.kind == 'f' && b.kind == 'i':
		b = quick{kind: 'f', f: float64(b.i)}
	case a.kind == 'i' && b.kind == 'f':
		a = quick{kind: 'f', f: float64(a.i)}
	}
	return a, b
}

// quickConstant is a variable that the optimizer knew the value of.
func (d *Debugger) quickConstant(name string, f Frame) quickly {
	for _, v := range d.localsCalled(f, name) {
		if v.Value.Note == "" || v.Value.at != nil || v.Value.Layout != nil || v.Value.Parts != nil {
			return nil
		}
		if p := d.plain(result{kind: 'v', Value: v.Value}); p.kind == 'i' || p.kind == 'f' || p.kind == 'b' {
			x := quick{kind: p.kind, i: p.i, f: p.f}
			return func([]uint64) (quick, bool) { return x, true }
		}
	}
	return nil
}

// quickPlaceOf finds where the value of a name or a field lies, by the rules of named and field.
func (d *Debugger) quickPlaceOf(e expr, f Frame) (p quickPlace, ok bool) {
	switch e := e.(type) {
	case exprName:
		if !isPlainName(e.name) {
			return p, false
		}
		for _, v := range d.localsCalled(f, e.name) {
			return d.quickLocal(v.Value)
		}
		for _, v := range d.localsCalled(f, "self") {
			if p, ok = d.quickLocal(v.Value); ok {
				if p, ok = d.quickProperty(p, e.name, f); ok {
					return p, true
				}
			}
			if slices.ContainsFunc(d.Children(v.Value, 64), func(k Child) bool { return k.Name == e.name }) {
				return p, false
			}
		}
		return d.quickGlobal(func(g *ir.Global) bool { return g.Name == e.name || d.globalName(g) == e.name })
	case exprField:
		if of, isName := e.of.(exprName); isName {
			if p, ok = d.quickGlobal(func(g *ir.Global) bool { return d.globalPath(g) == of.name+"."+e.name }); ok {
				return p, true
			}
		}
		if p, ok = d.quickPlaceOf(e.of, f); !ok {
			return p, false
		}
		return d.quickProperty(p, e.name, f)
	}
	return p, false
}

// isPlainName reports whether a name is a word, and none of a step, an object or a value of the text.
func isPlainName(name string) bool {
	for n := range len(name) {
		if !isWordByte(name[n]) || name[n] == '$' {
			return false
		}
	}
	return true
}

func (d *Debugger) quickLocal(v Value) (p quickPlace, ok bool) {
	if v.at == nil || v.Layout == nil || v.Parts != nil || v.Type == nil {
		return p, false
	}
	p = quickPlace{t: v.Type, lay: v.Layout, whole: v.Layout, loc: v.at}
	if v.at.IsAddress {
		at := *v.at
		p.addr = func(regs []uint64) (uint64, bool) { return at.Address(regs), true }
	}
	return p, true
}

// quickGlobal finds the only global that is meant: of several the first that has memory is, which changes.
func (d *Debugger) quickGlobal(meant func(*ir.Global) bool) (p quickPlace, ok bool) {
	var found *code.Global
	for _, g := range d.m.Program().Globals {
		if meant(g.Global) {
			if found != nil {
				return p, false
			}
			found = g
		}
	}
	if found == nil || found.Object != nil || found.Layout == nil || found.Layout.Type == nil {
		return p, false
	}
	return quickPlace{t: found.Layout.Type, lay: found.Layout, addr: func([]uint64) (uint64, bool) { return found.Addr, found.Addr != 0 }}, true
}

// quickProperty finds a stored property of a value: of a struct, or of the object that a reference means.
func (d *Debugger) quickProperty(p quickPlace, name string, f Frame) (out quickPlace, ok bool) {
	if p.lay.Enum == nil && len(p.lay.Fields) > 0 && !d.isCollection(p.t) {
		for _, x := range p.lay.Fields {
			if x.Name == name {
				p.t, p.lay, p.off = x.Layout.Type, x.Layout, p.off+x.Offset
				return p, p.t != nil
			}
		}
		return out, false
	}
	ref := d.quickReference(p)
	if ref == nil {
		return out, false
	}
	first, ok := ref(f.Regs)
	if !ok || first == 0 {
		return out, false
	}
	// Where the property lies depends on the class of the object, which is nearly always that of the one before.
	known, _ := d.m.Heap().Load64(first)
	x, ok := d.quickField(known, name)
	if !ok {
		return out, false
	}
	return quickPlace{t: x.Layout.Type, lay: x.Layout, addr: func(regs []uint64) (uint64, bool) {
		a, ok := ref(regs)
		if !ok {
			return 0, false
		}
		o, ok := d.m.Heap().BlockContaining(a)
		if !ok || o.Ref != a {
			return 0, false
		}
		if o.Metadata != known {
			y, ok := d.quickField(o.Metadata, name)
			if !ok || y.Layout.Type != x.Layout.Type {
				return 0, false
			}
			known, x = o.Metadata, y
		}
		return a + x.Offset, true
	}}, true
}

// quickField finds the property of a name in objects with some metadata.
func (d *Debugger) quickField(meta uint64, name string) (f abi.ClassField, ok bool) {
	ti := d.m.TypeAt(meta)
	if ti == nil || ti.Class == nil {
		return f, false
	}
	for _, f := range ti.Class.Layout.Fields {
		if f.Name == name || ir.PropertyName(f.Name) == name {
			return f, f.Name == name && f.Layout.Type != nil
		}
	}
	return f, false
}

// quickCount is how many elements an array has.
func (d *Debugger) quickCount(e exprField, f Frame) quickly {
	p, ok := d.quickPlaceOf(e.of, f)
	if !ok || e.name != "count" && e.name != "isEmpty" || !d.isLibrary(p.t, "Array", "ContiguousArray") || d.layout(p.t.Args[0]) == nil {
		return nil
	}
	word, h := d.quickWord(p), d.m.Heap()
	if word == nil {
		return nil
	}
	return func(regs []uint64) (quick, bool) {
		w, ok := word(regs)
		if !ok {
			return quick{}, false
		}
		w &^= tagBits
		if o, is := h.BlockContaining(w); is && o.Kind != heap.KindObject {
			return quick{}, false // it may not say how many there are
		}
		n, ok := h.Load64(w + arrayCount)
		if e.name == "isEmpty" {
			return quickTruth(n == 0), ok
		}
		return quick{kind: 'i', i: int64(n)}, ok
	}
}

// isCollection reports whether the debugger shows the library's view of a type in place of its parts.
func (d *Debugger) isCollection(t *ir.Type) bool {
	return d.isLibrary(t, "Array", "ContiguousArray", "ArraySlice", "Dictionary", "Set", "String", "Substring", "Character")
}

// quickWord reads the scalar that a place is, of so many bytes; nil when it isn't one.
func (d *Debugger) quickWord(p quickPlace) func(regs []uint64) (uint64, bool) {
	size := p.lay.Size
	if size == 0 || size > 8 || len(p.lay.Scalars) != 1 || p.lay.Scalars[0].Offset != 0 {
		return nil
	}
	mask := ^uint64(0) >> (64 - 8*size)
	if p.addr == nil {
		for n, s := range p.whole.Scalars {
			if s.Offset == p.off && uint64(s.Width) == size && len(p.loc.Parts) == len(p.whole.Scalars) {
				part := p.loc.Parts[n]
				return func(regs []uint64) (uint64, bool) { return part.In(regs) & mask, true }
			}
		}
		return nil
	}
	h := d.m.Heap()
	return func(regs []uint64) (w uint64, ok bool) {
		a, ok := p.addr(regs)
		if !ok {
			return 0, false
		}
		a += p.off
		if size == 8 {
			return h.Load64(a)
		}
		b, ok := h.View(a, size)
		for k := range b {
			w |= uint64(b[k]) << (8 * k)
		}
		return w, ok
	}
}

// quickReference reads a strong reference, optional or not: an address, 0 for nil. It is nil when a place is none.
func (d *Debugger) quickReference(p quickPlace) func(regs []uint64) (uint64, bool) {
	if p.lay.Size != 8 || p.t.Kind != ir.KindNominal || !d.isClassType(p.t) || p.t.OptionalPayload() != nil && p.t.OptionalPayload().OptionalPayload() != nil {
		return nil
	}
	word := d.quickWord(p)
	if word == nil {
		return nil
	}
	optional := p.t.OptionalPayload() != nil
	return func(regs []uint64) (uint64, bool) {
		w, ok := word(regs)
		return w, ok && w&tagBits == 0 && (w != 0 || optional)
	}
}

// quickRead reads what a place holds.
func (d *Debugger) quickRead(p quickPlace) quickly {
	if ref := d.quickReference(p); ref != nil {
		h := d.m.Heap()
		return func(regs []uint64) (x quick, ok bool) {
			if x.ref, ok = ref(regs); ok && x.ref != 0 {
				o, is := h.BlockContaining(x.ref)
				ok = is && o.Ref == x.ref && o.Kind == heap.KindObject
			}
			x.kind = 'r'
			return x, ok
		}
	}
	word := d.quickWord(p)
	if word == nil {
		return nil
	}
	sh := 64 - 8*p.lay.Size
	as := func(make func(w uint64) (quick, bool)) quickly {
		return func(regs []uint64) (quick, bool) {
			w, ok := word(regs)
			if !ok {
				return quick{}, false
			}
			return make(w)
		}
	}
	switch {
	case p.t.Kind == ir.KindBuiltin && p.t.Builtin().Kind == ir.BuiltinInt && p.t.Builtin().Bits == 64,
		d.isLibrary(p.t, "Int", "Int8", "Int16", "Int32", "Int64"):
		return as(func(w uint64) (quick, bool) { return quick{kind: 'i', i: int64(w<<sh) >> sh}, true })
	case d.isLibrary(p.t, "UInt", "UInt8", "UInt16", "UInt32", "UInt64"):
		return as(func(w uint64) (quick, bool) { return quick{kind: 'i', i: int64(w)}, int64(w) >= 0 })
	case d.isLibrary(p.t, "Bool"):
		return as(func(w uint64) (quick, bool) { return quickTruth(w&1 != 0), true })
	case d.isLibrary(p.t, "Double"):
		return as(func(w uint64) (quick, bool) {
			f := math.Float64frombits(w)
			return quick{kind: 'f', f: f}, !math.IsNaN(f) && !math.IsInf(f, 0)
		})
	}
	return nil
}
