package gen

import (
	"fmt"
)

// show prints what there is to see of a value.
func (f *fn) show(v *value) {
	f.cost += 30 * f.factor
	switch v.t.kind {
	case intKind:
		f.print(v.name)
	case funcKind:
		f.print(f.applied(v))
	default:
		f.call("show_"+f.g.showName(v.t), fmt.Sprintf("$@convention(thin) (%s%s) -> ()", guaranteedWord(v.t), v.t.name), v.name)
	}
}

func guaranteedWord(t *typ) string {
	if t.isTrivial() {
		return ""
	}
	return "@guaranteed "
}

// applied calls a closure and returns the result.
func (f *fn) applied(v *value) string {
	f.cost += closureCost * f.factor
	arg := f.int()
	if v.t.kind == funcKind && v.owned && f.ossa {
		var r string
		f.borrowed(v, func(name string) { r = f.def("apply %s(%s) : $%s", name, arg, v.t.name) })
		return r
	}
	return f.def("apply %s(%s) : $%s", v.name, arg, v.t.name)
}

// showName is the last part of the name of the function that shows values of a type, which is made when it is first asked for.
func (g *generator) showName(t *typ) string {
	if name, ok := g.shows[t.name]; ok {
		return name
	}
	name := t.name
	if t.kind == tupleKind || t.isOptional() {
		name = fmt.Sprintf("t%d", len(g.shows))
	}
	g.shows[t.name] = name
	conv := guaranteedWord(t)
	f := g.begin(&signature{name: "show_" + name, params: []param{{conv, t}}}, pick(g, []string{"", "[noinline]"}), g.isOSSA())
	f.parts(f.scopes[0].values[0])
	f.finish()
	return name
}

// parts shows what a value consists of, each part by the function for its type.
func (f *fn) parts(v *value) {
	switch t := v.t; t.kind {
	case classKind:
		for _, x := range t.allFields() {
			if x.t.kind == classKind && f.g.chance(2) {
				continue
			}
			if x.t.kind == funcKind {
				f.unlessSpent(func() { f.showField(v, x) })
				continue
			}
			f.showField(v, x)
		}
	case structKind, tupleKind:
		for n, x := range t.fields {
			f.show(f.extract(v, n, x))
		}
	case enumKind:
		f.switchOver(v, false, func(_ int, payload *value) {
			f.mark()
			if payload != nil {
				f.show(payload)
			}
		})
	default:
		f.show(v)
	}
}

func (f *fn) showField(v *value, x field) {
	f.field(v, x, func(p *place) {
		f.push()
		f.show(f.load(p))
		f.pop()
	})
}

// unlessSpent runs code that may come back to itself: a closure in an object may show an object that has the same closure. It stops when that
// happened often.
func (f *fn) unlessSpent(code func()) {
	spent := f.def("apply %s() : $@convention(thin) () -> Builtin.Int1", f.def("function_ref @spent : $@convention(thin) () -> Builtin.Int1"))
	on, join := f.newBlock(), f.newBlock()
	skip := f.newBlock()
	f.op("cond_br %s, %s, %s", spent, skip, on)
	f.startBlock(on)
	code()
	f.op("br %s", join)
	f.startBlock(skip)
	f.op("br %s", join)
	f.startBlock(join)
}

// extract returns a part of a struct or tuple that is not owned, or trivial.
func (f *fn) extract(v *value, n int, x field) *value {
	var name string
	if v.t.kind == structKind {
		name = f.def("struct_extract %s : $%s, #%s.%s", v.name, v.t.name, v.t.name, x.name)
	} else {
		name = f.def("tuple_extract %s : $%s, %d", v.name, v.t.name, n)
	}
	return f.add(&value{name: name, t: x.t})
}

// switchOver runs code for each case of an enum; the code after it follows all of them. The enum is consumed if it says so.
func (f *fn) switchOver(v *value, consume bool, code func(n int, payload *value)) {
	t := v.t
	names := make([]string, len(t.cases))
	cases := ""
	for n, c := range t.cases {
		names[n] = f.newBlock()
		cases += fmt.Sprintf(", case #%s!enumelt: %s", c.ref, names[n])
	}
	join := f.newBlock()
	name := v.name
	f.push()
	switch {
	case consume:
		f.drop()
		name = f.take(v)
		f.push()
	case f.ossa && v.owned:
		name = f.def("begin_borrow %s : $%s", v.name, t.name)
		f.atEnd(func() { f.op("end_borrow %s : $%s", name, t.name) })
	}
	v.locks++
	f.op("switch_enum %s : $%s%s", name, t.name, cases)
	for n, c := range t.cases {
		f.push()
		switch {
		case c.payload == nil:
			f.startBlock(names[n])
			code(n, nil)
		case c.indirect:
			bt := boxOf(c.payload)
			arg, b := f.blockArg(bt, consume)
			f.startBlock(names[n], arg)
			if consume {
				f.letGo(b)
			}
			name := b.name
			if f.ossa && consume {
				name = f.def("begin_borrow %s : $%s", b.name, bt.name)
				f.atEnd(func() { f.op("end_borrow %s : $%s", name, bt.name) })
			}
			code(n, f.loadAddr(f.def("project_box %s : $%s, 0", name, bt.name), c.payload))
		default:
			arg, p := f.blockArg(c.payload, consume)
			f.startBlock(names[n], arg)
			f.add(p)
			if p.owned {
				f.letGo(p)
			}
			code(n, p)
		}
		f.pop()
		f.op("br %s", join)
	}
	f.startBlock(join)
	f.pop()
	v.locks--
}
