package debugger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
)

// What expressions mean.

// Eval returns the value that an expression names in a frame. The error says what there is not.
func (d *Debugger) Eval(text string, frame int) (Value, error) {
	e, err := parseExpr(text)
	if err != nil {
		return Value{}, err
	}
	r, err := d.eval(e, frame)
	if err != nil {
		return Value{}, err
	}
	if r.kind != 'v' {
		return Value{Note: d.resultText(r), Bytes: nil}, nil
	}
	return r.Value, nil
}

func (d *Debugger) resultText(r result) string {
	switch r.kind {
	case 'i':
		return strconv.FormatInt(r.i, 10)
	case 'f':
		return swiftFloat(r.f, 64)
	case 's':
		if r.raw {
			return r.s
		}
		return quoted(r.s)
	case 'b':
		return strconv.FormatBool(r.i != 0)
	case 'n':
		return "nil"
	}
	return d.Text(r.Value)
}

func (d *Debugger) eval(e expr, frame int) (result, error) {
	f, _ := d.Frame(frame)
	return d.evalIn(e, f)
}

func (d *Debugger) evalIn(e expr, f Frame) (result, error) {
	switch e := e.(type) {
	case exprLit:
		return e.v, nil
	case exprName:
		return d.named(e.name, f)
	case exprField:
		if of, ok := e.of.(exprName); ok {
			for _, g := range d.m.Program().Globals {
				if g.Addr != 0 && d.globalPath(g.Global) == of.name+"."+e.name {
					return result{kind: 'v', Value: d.global(g)}, nil
				}
			}
		}
		x, err := d.evalIn(e.of, f)
		if err != nil {
			return x, err
		}
		return d.field(x, e.name)
	case exprIndex:
		x, err := d.evalIn(e.of, f)
		if err != nil {
			return x, err
		}
		i, err := d.evalIn(e.index, f)
		if err != nil {
			return i, err
		}
		return d.indexed(x, i)
	case exprType:
		x, err := d.evalIn(e.of, f)
		if err != nil {
			return x, err
		}
		return result{kind: 's', s: d.dynamicType(x), raw: true}, nil
	case exprUnary:
		x, err := d.evalIn(e.x, f)
		if err != nil {
			return x, err
		}
		return d.unary(e.op, x)
	case exprBinary:
		x, err := d.evalIn(e.x, f)
		if err != nil {
			return x, err
		}
		if b := d.plain(x); e.op == "&&" && !b.isTrue() || e.op == "||" && b.isTrue() {
			return b, nil
		}
		y, err := d.evalIn(e.y, f)
		if err != nil {
			return y, err
		}
		if e.op == "===" || e.op == "!==" {
			a, okA := d.Ref(x.Value)
			b, okB := d.Ref(y.Value)
			return truth((okA == okB && a == b) == (e.op == "===")), nil
		}
		return apply(e.op, d.plain(x), d.plain(y))
	}
	if _, ok := e.(exprCall); ok {
		return result{}, errNoCall
	}
	return result{}, fmt.Errorf("nothing to evaluate")
}

// named finds what a name means: a value of the text, a variable of the source, an object, a global.
func (d *Debugger) named(name string, f Frame) (result, error) {
	if name == "$step" {
		return result{kind: 'i', i: int64(d.Step())}, nil
	}
	if strings.ContainsAny(name, "#@") && (objectRE.MatchString(name) || stackRE.MatchString(name)) {
		o, err := d.ObjectNamed(name)
		if err != nil {
			return result{}, err
		}
		return d.objectResult(o), nil
	}
	if strings.HasPrefix(name, "%") {
		return d.silValue(name, f)
	}
	for _, v := range d.localsCalled(f, name) {
		return result{kind: 'v', Value: v.Value}, nil
	}
	for _, v := range d.localsCalled(f, "self") {
		for _, k := range d.Children(v.Value, 64) {
			if k.Name == name {
				return result{kind: 'v', Value: k.Value}, nil
			}
		}
	}
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 && (g.Global.Name == name || d.globalName(g.Global) == name) {
			return result{kind: 'v', Value: d.global(g)}, nil
		}
	}
	if d.isTold(name, f) {
		return result{}, fmt.Errorf("no value of %s is known here: it is not set yet, or the optimizer did not keep it", name)
	}
	if d.unasked {
		return result{}, &NoSuch{What: variable, Name: name}
	}
	var names []string
	for _, v := range d.Locals(f) {
		names = append(names, v.Name)
	}
	for _, g := range d.mod.Globals {
		if d.globalName(g) == name || g.Name == name {
			return result{}, fmt.Errorf("the global %s has no memory yet", name)
		}
		names = append(names, d.globalName(g))
	}
	return result{}, &NoSuch{What: variable, Name: name, Near: nearest(name, names), Elsewhere: d.whoHas(name, f)}
}

// mostSearched bounds the frames in which a name is looked for that the frame asked about doesn't have.
const mostSearched = 100

// whoHas says which other frame has a variable with a name, or which object a field; "" for none.
func (d *Debugger) whoHas(name string, f Frame) string {
	for _, other := range d.Frames(mostSearched) {
		if other.Index != f.Index && len(d.localsCalled(other, name)) > 0 {
			return fmt.Sprintf("%s has one: frame %d", other.Name(), other.Index)
		}
	}
	for _, class := range d.Classes() {
		if !slices.Contains(d.FieldsOf(class), name) {
			continue
		}
		if live, _ := d.LiveFrom(class, 0, 1); len(live) > 0 {
			return fmt.Sprintf("%s has a field of that name: %s.%s", class, live[0].Name, name)
		}
	}
	return ""
}

func (d *Debugger) objectResult(o Object) result {
	if o.Counts.State == heap.Freed { // its memory may hold something else by now
		return result{kind: 'v', named: o.Name, Value: Value{Note: o.Name + " (freed)"}}
	}
	meta, _ := d.m.Heap().Load64(o.Ref)
	r := result{kind: 'v', named: o.Name, Value: Value{Note: o.Name}}
	if ti := d.m.TypeAt(meta); ti != nil {
		b := make([]byte, 8)
		le.PutUint64(b, o.Ref)
		r.Value = Value{Type: ti.Type, Layout: d.layout(ti.Type), Bytes: b}
		if r.Value.Layout == nil || ti.Class == nil {
			r.Value.Type = d.mod.Types.Builtin(ir.BuiltinNativeObject)
			r.Value.Layout = d.layout(r.Value.Type)
		}
	}
	return r
}

// silValue finds a value of the running function's text.
func (d *Debugger) silValue(name string, f Frame) (result, error) {
	if f.Inst == nil {
		return result{}, &NoSuch{What: "SIL function that runs here, so no", Name: name}
	}
	for _, b := range f.Inst.Block().Func.Blocks {
		for _, a := range b.Args {
			if d.nameOf(a) == name {
				return d.frameValue(a, name, f)
			}
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				if d.nameOf(r) == name {
					return d.frameValue(r, name, f)
				}
			}
		}
	}
	return result{}, &NoSuch{What: "value in " + f.Name(), Name: name}
}

func (d *Debugger) frameValue(v *ir.Value, name string, f Frame) (result, error) {
	if !d.isDefined(v, f) {
		return result{}, fmt.Errorf("%s is not computed here", name)
	}
	l, ok := f.Func.Values[v]
	if !ok {
		return result{}, fmt.Errorf("%s is not kept: its code was removed", name)
	}
	return result{kind: 'v', Value: d.located(v, l, f)}, nil
}

// field finds a part of a value by its name: a stored property, a count of the object when it has none of that name, or what the library
// computes.
func (d *Debugger) field(x result, name string) (result, error) {
	v := x.Value
	if v.Layout == nil && v.Note != "" && v.Type == nil { // a value that is not there, for the reason noted
		if o, err := d.ObjectNamed(x.named); err == nil && o.Counts.State == heap.Freed {
			return result{}, fmt.Errorf("%s is freed: last %s goes back to where it was still there", o.Name, o.Name)
		}
		return result{}, fmt.Errorf("its .%s is not known here: %s", name, strings.TrimPrefix(v.Note, "not known here: "))
	}
	for range 4 { // through optionals and references
		kids := d.Children(v, 64)
		for _, k := range kids {
			if k.Name == name || ir.PropertyName(k.Name) == name {
				return result{kind: 'v', Value: k.Value}, nil
			}
		}
		if len(kids) != 1 || d.isCollection(v.Type) {
			break
		}
		v = kids[0].Value
	}
	if r, ok := d.countNamed(x.Value, name); ok {
		return r, nil
	}
	if r, ok := d.virtualField(x.Value, name); ok {
		return r, nil
	}
	var names []string
	for _, k := range d.Children(v, 64) {
		names = append(names, k.Name)
	}
	return result{}, &NoSuch{What: "stored field", Name: name, Near: nearest(name, names)}
}

// countNamed returns a count of the object that a value refers to, by its name.
func (d *Debugger) countNamed(x Value, name string) (result, bool) {
	ref, ok := d.Ref(x)
	if !ok {
		return result{}, false
	}
	part := countPartNamed(name)
	if part == nil {
		return result{}, false
	}
	count := part.of(d.countsAt(ref))
	if part.text == nil {
		return result{kind: 'i', i: int64(count)}, true
	}
	return result{kind: 's', s: part.text(count)}, true
}

// virtualField finds what the library computes: of collections, strings and pointers.
func (d *Debugger) virtualField(x Value, name string) (result, bool) {
	x = d.unwrapped(x)
	if x.Layout == nil {
		return result{}, false
	}
	if name == "pointee" {
		return d.pointee(x)
	}
	count := uint64(0)
	list, n, kind := d.elements(x, 1)
	switch {
	case kind != 0:
		count = n
	default:
		text, more, ok := d.textOf(x, maxWhole)
		if !ok || name != "count" && name != "isEmpty" {
			return result{}, false
		}
		if count, ok = characters(text); more || !ok {
			if name == "isEmpty" {
				return truth(text == ""), true
			}
			return result{kind: 's', s: "not known: not all of the text is ASCII", raw: true}, true
		}
	}
	switch {
	case name == "count":
		return result{kind: 'i', i: int64(count)}, true
	case name == "isEmpty":
		return truth(count == 0), true
	case name == "first" && len(list) > 0 && kind != 'd':
		return result{kind: 'v', Value: list[0]}, true
	case name == "last" && count > 0 && kind == 'a':
		return result{kind: 'v', Value: d.elementAfter(list[0], count-1)}, true
	}
	return result{}, false
}

// maxIndexed is how many elements of a dictionary or set are looked at for one.
const maxIndexed = 1 << 20

// elementAfter returns the element of an array that lies n after the first.
func (d *Debugger) elementAfter(first Value, n uint64) Value {
	return d.memory(first.Type, first.Addr+n*first.stride())
}

// unwrapped returns the payload of an optional.
func (d *Debugger) unwrapped(x Value) Value {
	for x.Layout != nil && x.Layout.Enum != nil && x.Bytes != nil && x.Type.IsOptional() {
		kids := d.Children(x, 1)
		if len(kids) != 1 {
			break
		}
		x = kids[0].Value
	}
	return x
}

// pointee returns what a typed pointer points to.
func (d *Debugger) pointee(x Value) (result, bool) {
	if !d.isLibrary(x.Type, "UnsafePointer", "UnsafeMutablePointer") || len(x.Type.Args) != 1 {
		return result{}, false
	}
	return result{kind: 'v', Value: d.memory(x.Type.Args[0], x.word(0))}, true
}

// dynamicType names the type that a value has when it runs.
func (d *Debugger) dynamicType(x result) string {
	switch x.kind {
	case 'i':
		return "Int"
	case 'f':
		return "Double"
	case 's':
		return "String"
	case 'b':
		return "Bool"
	case 'n':
		return "nil"
	}
	v := x.Value
	if v.Type != nil && v.Type.Kind == ir.KindExistential {
		if p, ok := d.opened(v); ok {
			v = p
		}
	}
	if d.isPlainRef(v) {
		if ref, ok := d.Ref(v); ok {
			if meta, ok := d.m.Heap().Load64(ref); ok {
				if ti := d.m.TypeAt(meta); ti != nil {
					return ti.Name
				}
			}
		}
	}
	return d.typeName(v.Type)
}

func (d *Debugger) indexed(x, i result) (result, error) {
	v := d.unwrapped(x.Value)
	n := d.plain(i)
	if p, ok := d.pointee(v); ok && n.kind == 'i' {
		at := v.word(0) + uint64(n.i)*p.Value.stride()
		return result{kind: 'v', Value: d.memory(p.Value.Type, at)}, nil
	}
	_, count, kind := d.elements(v, 0)
	switch {
	case kind == 'd':
		kids, _ := d.collection(v, maxIndexed)
		key := d.resultText(i)
		for _, k := range kids {
			if k.Name == key {
				return result{kind: 'v', Value: k.Value}, nil
			}
		}
		return result{}, &NoSuch{What: "key", Name: key}
	case kind != 0 && n.kind == 'i':
		if n.i < 0 || uint64(n.i) >= count {
			return result{}, fmt.Errorf("index %d is out of range: %d elements", n.i, count)
		}
		if list, _, _ := d.elements(v, 1); kind == 'a' && len(list) == 1 {
			return result{kind: 'v', Value: d.elementAfter(list[0], uint64(n.i))}, nil
		}
		list, _, _ := d.elements(v, int(min(n.i, maxIndexed))+1)
		if n.i < int64(len(list)) {
			return result{kind: 'v', Value: list[n.i]}, nil
		}
	}
	return result{}, &NoSuch{What: "element", Name: d.resultText(i)}
}

func (d *Debugger) unary(op string, x result) (result, error) {
	if op == "unwrap" {
		if x.kind != 'v' {
			return x, nil
		}
		y := d.unwrapped(x.Value)
		if d.plain(result{kind: 'v', Value: y}).kind == 'n' {
			return x, fmt.Errorf("it is nil")
		}
		x.Value = y
		return x, nil
	}
	p := d.plain(x)
	switch {
	case op == "!":
		return truth(!p.isTrue()), nil
	case op == "-" && p.kind == 'i':
		return result{kind: 'i', i: -p.i}, nil
	case op == "-" && p.kind == 'f':
		return result{kind: 'f', f: -p.f}, nil
	case op == "&" && x.kind == 'v':
		addr := x.Value.Addr
		if ref, ok := d.Ref(x.Value); addr == 0 && ok {
			addr = ref
		}
		if addr == 0 {
			return result{}, fmt.Errorf("it is in registers and has no address")
		}
		return result{kind: 's', s: d.Pointee(addr), raw: true}, nil
	case op == "*":
		addr := uint64(p.i)
		if x.kind == 'v' {
			if r, ok := d.pointee(d.unwrapped(x.Value)); ok {
				return r, nil
			}
			if _, ok := d.Ref(x.Value); ok || x.Value.Pointer {
				return x, nil
			}
			addr = x.Value.word(0)
		}
		return result{kind: 'v', Value: d.memory(d.mod.Types.BuiltinInt(64), addr)}, nil
	}
	return result{}, fmt.Errorf("%s needs a number", op)
}

func truth(b bool) result {
	if b {
		return result{kind: 'b', i: 1}
	}
	return result{kind: 'b'}
}

// plain makes a number, text or truth of a value of the program where it is one.
func (d *Debugger) plain(x result) result {
	if x.kind != 'v' {
		return x
	}
	if text, more, ok := d.textOf(x.Value, maxWhole); ok && !more {
		return result{kind: 's', s: text}
	}
	text := d.Text(x.Value)
	switch {
	case text == "nil", text == weakNil && x.Value.Type != nil && x.Value.Type.Kind == ir.KindStorage:
		return result{kind: 'n'}
	case text == "true" || text == "false":
		return truth(text == "true")
	case strings.HasPrefix(text, `"`):
		if s, err := strconv.Unquote(text); err == nil {
			return result{kind: 's', s: s}
		}
		return result{kind: 's', s: strings.Trim(text, `"`)}
	}
	if inner, ok := strings.CutPrefix(text, "Optional("); ok {
		text = strings.TrimSuffix(inner, ")")
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return result{kind: 'i', i: n}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return result{kind: 'f', f: f}
	}
	return result{kind: 's', s: text}
}

func apply(op string, x, y result) (result, error) {
	if x.kind == 'f' && y.kind == 'i' {
		y = result{kind: 'f', f: float64(y.i)}
	}
	if x.kind == 'i' && y.kind == 'f' {
		x = result{kind: 'f', f: float64(x.i)}
	}
	switch op {
	case "&&", "||":
		return truth(y.isTrue()), nil
	case "==":
		return truth(x.kind == y.kind && x.i == y.i && x.f == y.f && x.s == y.s), nil
	case "!=":
		return truth(!(x.kind == y.kind && x.i == y.i && x.f == y.f && x.s == y.s)), nil
	}
	if x.kind != y.kind {
		return result{}, fmt.Errorf("%s of things of different kinds", op)
	}
	less, more := x.i < y.i || x.f < y.f || x.s < y.s, x.i > y.i || x.f > y.f || x.s > y.s
	switch op {
	case "<":
		return truth(less), nil
	case ">":
		return truth(more), nil
	case "<=":
		return truth(!more), nil
	case ">=":
		return truth(!less), nil
	}
	switch x.kind {
	case 'i':
		n, err := arithmetic(op, x.i, y.i)
		return result{kind: 'i', i: n}, err
	case 'f':
		f := map[string]float64{"+": x.f + y.f, "-": x.f - y.f, "*": x.f * y.f, "/": x.f / y.f}[op]
		return result{kind: 'f', f: f}, nil
	}
	return result{}, fmt.Errorf("%s needs numbers", op)
}

func arithmetic(op string, x, y int64) (int64, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	if y == 0 {
		return 0, fmt.Errorf("division by zero")
	}
	if op == "/" {
		return x / y, nil
	}
	return x % y, nil
}
