package gen

import (
	"fmt"
	"strings"
)

// How functions come by values. A loose value is one that the code that asked for it owns, and that no scope lets go.

// visible lists the values of a type that code may use here.
func (f *fn) visible(t *typ) (list []*value) {
	for _, s := range f.scopes {
		for _, v := range s.values {
			if v.t == t {
				list = append(list, v)
			}
		}
	}
	return list
}

// places lists the memory that code may use here.
func (f *fn) places(is func(p *place) bool) (list []*place) {
	for _, s := range f.scopes {
		for _, p := range s.places {
			if is(p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// boxes lists the boxes that closures may capture here.
func (f *fn) boxes() (list []*value) {
	for _, s := range f.scopes {
		list = append(list, s.boxes...)
	}
	return list
}

// int returns some number.
func (f *fn) int() string {
	if list := f.visible(intType); len(list) > 0 && !f.g.chance(3) {
		v := pick(f.g, list)
		if f.g.chance(3) {
			return f.binary(pick(f.g, []string{"add", "sub", "mul", "xor", "and"}), v.name, f.integer(f.g.n(9)))
		}
		return v.name
	}
	return f.integer(f.g.n(10))
}

// some returns a value of a type to use; there is one in this scope at least when it returns.
func (f *fn) some(t *typ) *value {
	if list := f.visible(t); len(list) > 0 && !f.g.chance(4) {
		return pick(f.g, list)
	}
	return f.own(f.loose(t), t)
}

// loose returns an owned value of a type: a new one, a copy, or one that nobody needs any more.
func (f *fn) loose(t *typ) string {
	if t.kind == intKind {
		return f.int()
	}
	if list := f.visible(t); len(list) > 0 && !f.g.chance(3) {
		v := pick(f.g, list)
		if f.isTakable(v) && f.g.chance(2) {
			return f.take(v)
		}
		return f.copied(v).name
	}
	if list := f.places(func(p *place) bool { return p.t == t }); len(list) > 0 && f.g.chance(3) {
		return f.take(f.load(pick(f.g, list)))
	}
	return f.construct(t)
}

// construct makes a new value.
func (f *fn) construct(t *typ) string {
	switch t.kind {
	case classKind:
		return f.newObject(t)
	case structKind, tupleKind:
		var parts []string
		for _, x := range t.fields {
			parts = append(parts, f.loose(x.t)+" : $"+x.t.name)
		}
		if t.kind == tupleKind {
			return f.def("tuple (%s)", strings.Join(parts, ", "))
		}
		return f.def("struct $%s (%s)", t.name, strings.Join(parts, ", "))
	case enumKind:
		c := pick(f.g, t.cases)
		e := f.newCase(t, c)
		if f.ossa && !t.isTrivial() && !c.indirect && (c.payload == nil || c.payload.isTrivial()) {
			e = f.def("copy_value %s : $%s", e, t.name) // it has no ownership, and a switch over it would be odd
		}
		return e
	case funcKind:
		return f.escaping()
	case bufKind:
		c := f.g.classes[0]
		a, b := f.loose(c), f.loose(c)
		f.cost += 60 * f.factor
		return f.call("arr_make", fmt.Sprintf("$@convention(thin) (@owned %[1]s, @owned %[1]s) -> @owned Arr", c.name), a, b)
	}
	return f.int()
}

// newCase injects a payload.
func (f *fn) newCase(t *typ, c enumCase) string {
	if c.payload == nil {
		return f.def("enum $%s, #%s!enumelt", t.name, c.ref)
	}
	payload, pt := f.loose(c.payload), c.payload.name
	if c.indirect {
		bt := boxOf(c.payload).name
		b := f.def("alloc_box $%s", bt)
		inner := b
		if f.ossa {
			inner = f.def("begin_borrow %s : $%s", b, bt)
		}
		f.initialize(f.def("project_box %s : $%s, 0", inner, bt), payload, c.payload)
		if f.ossa {
			f.op("end_borrow %s : $%s", inner, bt)
		}
		payload, pt = b, bt
	}
	return f.def("enum $%s, #%s!enumelt, %s : $%s", t.name, c.ref, payload, pt)
}

// isMaker reports whether the function is one that makes objects: makers call makers of classes that were declared before only.
func (f *fn) isMaker() bool { return strings.HasPrefix(f.sig.name, "make_") }

// newObject makes an object of a class, or of one below it.
func (f *fn) newObject(t *typ) string {
	var below []*typ
	for _, c := range f.g.classes {
		if c.super == t {
			below = append(below, c)
		}
	}
	if len(below) > 0 && f.g.chance(3) && !f.isMaker() {
		c := pick(f.g, below)
		return f.def("upcast %s : $%s to $%s", f.newObject(c), c.name, t.name)
	}
	f.cost += 40 * f.factor
	if f.isMaker() || !f.g.chance(3) {
		return f.call("make_"+t.name, fmt.Sprintf("$@convention(thin) (Int) -> @owned %s", t.name), f.int())
	}
	return f.allocate(t, f.int())
}

// allocate makes an object of exactly this class in place.
func (f *fn) allocate(t *typ, id string) string {
	fields := t.allFields()
	var values []string
	for n, x := range fields {
		if n == 0 {
			values = append(values, id)
			continue
		}
		values = append(values, f.loose(x.t))
	}
	o := f.def("alloc_ref $%s", t.name)
	f.borrowed(&value{name: o, t: t, owned: true}, func(name string) {
		for n, x := range fields {
			of, owner := name, t.owner(x)
			if owner != t {
				of = f.def("upcast %s : $%s to $%s", name, t.name, owner.name)
			}
			f.initialize(f.def("ref_element_addr %s : $%s, #%s.%s", of, owner.name, owner.name, x.name), values[n], x.t)
		}
	})
	return o
}

// capture is what a closure takes with it.
type capture struct {
	conv string
	t    *typ
	arg  string
}

// closureCode makes the function behind a closure and returns its name and type.
func (f *fn) closureCode(captures []capture) (name, t string) {
	s := &signature{name: f.g.symbol("closure"), params: []param{{"", intType}}, result: intType}
	for _, c := range captures {
		s.params = append(s.params, param{c.conv, c.t})
	}
	c := f.g.begin(s, pick(f.g, []string{"", "[noinline]", "private"}), f.g.isOSSA())
	if strings.Contains(c.lines[0], "private") {
		c.lines[0] = strings.Replace(strings.Replace(c.lines[0], "private ", "", 1), "sil ", "sil private ", 1)
	}
	c.limit = closureCost
	c.statements(1+f.g.n(3), 1)
	c.finish()
	return s.name, s.fnType()
}

// closureCost is about the most steps of a call of a closure.
const closureCost = 200

// valueCaptures picks some values to capture.
func (f *fn) valueCaptures(most int) (list []capture) {
	for range f.g.n(most + 1) {
		t := pick(f.g, f.g.all)
		if t.kind == funcKind {
			continue
		}
		conv := "@guaranteed "
		if t.isTrivial() {
			conv = ""
		}
		list = append(list, capture{conv, t, ""})
	}
	for n := range list {
		list[n].arg = f.loose(list[n].t)
	}
	return list
}

// escaping makes a closure that owns what it captures.
func (f *fn) escaping() string {
	if f.g.isFull() || f.isMaker() {
		return f.def("thin_to_thick_function %s : $@convention(thin) (Int) -> Int to $%s", f.def("function_ref @same : $@convention(thin) (Int) -> Int"), closure.name)
	}
	f.g.depth++
	defer func() { f.g.depth-- }()
	list := f.valueCaptures(2)
	for _, b := range f.boxes() {
		if f.g.chance(2) {
			arg := b.name
			if f.ossa {
				arg = f.def("copy_value %s : $%s", b.name, b.t.name)
			} else {
				f.op("strong_retain %s : $%s", b.name, b.t.name)
			}
			list = append(list, capture{"@guaranteed ", b.t, arg})
		}
	}
	if len(list) == 0 && f.g.chance(2) {
		name, t := f.closureCode(nil)
		return f.def("thin_to_thick_function %s : %s to $%s", f.def("function_ref @%s : %s", name, t), t, closure.name)
	}
	name, t := f.closureCode(list)
	var args []string
	for _, c := range list {
		args = append(args, c.arg)
	}
	return f.def("partial_apply [callee_guaranteed] %s(%s) : %s", f.def("function_ref @%s : %s", name, t), strings.Join(args, ", "), t)
}
