package gen

import (
	"fmt"
	"strings"
)

// The statements that are not about control flow.

// anything is a value of a random type.
func (f *fn) anything() *value { return f.some(pick(f.g, f.g.all)) }

// object is an object of a random class.
func (f *fn) object() *value { return f.some(pick(f.g, f.g.classes)) }

func (f *fn) doShow() { f.show(f.anything()) }

func (f *fn) doMake() {
	t := pick(f.g, f.g.all)
	f.own(f.construct(t), t)
}

func (f *fn) doCopy() {
	v := f.anything()
	f.own(f.copied(v).name, v.t)
}

// doDrop lets a value go before its scope ends.
func (f *fn) doDrop() {
	for _, t := range f.g.all {
		for _, v := range f.visible(t) {
			if f.isTakable(v) && f.g.chance(2) {
				f.take(v)
				f.destroy(v)
				return
			}
		}
	}
	f.mark()
}

// doField reads or writes a stored property of an object.
func (f *fn) doField() {
	v := f.object()
	fields := v.t.allFields()
	x := fields[f.g.n(len(fields))]
	if x.let || f.g.chance(2) {
		var read *value
		f.field(v, x, func(p *place) { read = f.load(p) })
		f.show(read)
		return
	}
	v.locks++
	name := f.loose(x.t)
	v.locks--
	f.field(v, x, func(p *place) { f.set(p, name) })
	if f.g.chance(2) {
		f.show(v)
	}
}

// target runs code with memory to change and a loose value for it.
func (f *fn) target(code func(p *place, name string)) {
	if f.g.chance(2) {
		v := f.object()
		fields := v.t.allFields()
		x := fields[1+f.g.n(len(fields)-1)]
		v.locks++
		name := f.loose(x.t)
		v.locks--
		f.field(v, x, func(p *place) { code(p, name) })
		return
	}
	list := f.places(func(p *place) bool { return p.t.kind != anyKind })
	if len(list) == 0 {
		f.doVariable()
		return
	}
	p := pick(f.g, list)
	code(p, f.loose(p.t))
}

func (f *fn) doExchange() {
	var old *value
	f.target(func(p *place, name string) { old = f.exchange(p, name) })
	if old != nil && f.g.chance(2) {
		f.show(old)
	}
}

func (f *fn) doAssign() { f.target(f.set) }

func (f *fn) doVariable() {
	t := pick(f.g, f.g.all)
	f.variable(t, f.loose(t))
}

func (f *fn) doBox() {
	t := pick(f.g, f.g.all)
	f.boxed(t, f.loose(t))
}

// doCopyAddr copies or moves from one memory to another.
func (f *fn) doCopyAddr() {
	list := f.places(func(p *place) bool { return true })
	if len(list) == 0 {
		f.doVariable()
		return
	}
	from := pick(f.g, list)
	to := f.def("alloc_stack $%s", from.t.name)
	a, end := f.begin(from, "read")
	f.op("copy_addr %s to [init] %s : $*%s", a, to, from.t.name)
	end()
	f.atEnd(func() {
		if !from.t.isTrivial() {
			f.op("destroy_addr %s : $*%s", to, from.t.name)
		}
		f.op("dealloc_stack %s : $*%s", to, from.t.name)
	})
	p := f.addPlace(&place{addr: to, t: from.t, access: "static"})
	if from.t.kind != anyKind && f.g.chance(2) {
		f.set(p, f.loose(p.t))
		a, end := f.begin(p, "read")
		b, endB := f.begin(from, "modify")
		if from.access != "" {
			f.op("copy_addr %s to %s : $*%s", a, b, p.t.name)
		}
		endB()
		end()
	}
}

// doInout passes a number in memory to a function that changes it.
func (f *fn) doInout() {
	list := f.places(func(p *place) bool { return p.t == intType && p.access != "" })
	if len(list) == 0 || f.g.chance(3) {
		v := f.object()
		f.field(v, v.t.root().fields[1], f.bump)
		return
	}
	f.bump(pick(f.g, list))
}

func (f *fn) bump(p *place) {
	a, end := f.begin(p, "modify")
	f.call("bump", "$@convention(thin) (@inout Int) -> ()", a)
	end()
}

// doTakeApart destructures a value, or reads a part of it.
func (f *fn) doTakeApart() {
	var list []*typ
	for _, t := range f.g.all {
		if (t.kind == structKind || t.kind == tupleKind) && !t.isTrivial() {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		f.doShow()
		return
	}
	v := f.some(pick(f.g, list))
	if f.ossa && f.isTakable(v) && f.g.chance(2) {
		word := "struct"
		if v.t.kind == tupleKind {
			word = "tuple"
		}
		var names []string
		for range v.t.fields {
			names = append(names, f.name())
		}
		f.op("(%s) = destructure_%s %s : $%s", strings.Join(names, ", "), word, f.take(v), v.t.name)
		for n, x := range v.t.fields {
			f.own(names[n], x.t)
		}
		return
	}
	n := f.g.n(len(v.t.fields))
	v.locks++
	f.push()
	b := &value{name: v.name, t: v.t}
	if f.ossa && v.owned {
		b.name = f.def("begin_borrow %s : $%s", v.name, v.t.name)
		f.atEnd(func() { f.op("end_borrow %s : $%s", b.name, v.t.name) })
	}
	part := f.extract(b, n, v.t.fields[n])
	kept := f.copied(part)
	f.pop()
	v.locks--
	f.own(kept.name, kept.t)
	f.show(kept)
}

// doGlobal reads or writes a global variable.
func (f *fn) doGlobal() {
	x := pick(f.g, f.g.globals)
	name := ""
	write := f.g.chance(2)
	if write {
		name = f.loose(x.t)
	}
	p := &place{addr: f.def("global_addr @%s : $*%s", x.name, x.t.name), t: x.t, access: "dynamic", shared: true}
	if write {
		f.set(p, name)
		return
	}
	f.show(f.load(p))
}

// doMethod calls a method through the vtable.
func (f *fn) doMethod() {
	v := f.object()
	root := v.t.root()
	f.borrowed(v, func(name string) {
		if root != v.t {
			name = f.def("upcast %s : $%s to $%s", name, v.t.name, root.name)
		}
		t := fmt.Sprintf("$@convention(method) (Int, @guaranteed %s) -> Int", root.name)
		m := f.def("class_method %s : $%s, #%s.tell : (%s) -> (Int) -> Int, %s", name, root.name, root.name, root.name, t)
		f.print(f.def("apply %s(%s, %s) : %s", m, f.int(), name, t))
	})
}

// doCoroutine changes the number of an object through a coroutine, or breaks that off.
func (f *fn) doCoroutine() {
	v := f.object()
	t := fmt.Sprintf("$@yield_once @convention(method) (@guaranteed %s) -> @yields @inout Int", v.t.name)
	r := f.def("function_ref @%s_modify : %s", v.t.name, t)
	n := f.int()
	f.borrowed(v, func(name string) {
		a, token := f.name(), f.name()
		f.op("(%s, %s) = begin_apply %s(%s) : %s", a, token, r, name, t)
		p := &place{addr: a, t: intType}
		f.set(p, n)
		if f.g.chance(4) {
			f.op("abort_apply %s", token)
		} else {
			f.op("end_apply %s", token)
		}
	})
	f.show(v)
}

// doWeak keeps a weak reference to an object that lives on.
func (f *fn) doWeak() {
	v := f.object()
	t := f.g.optional(v.t)
	w := "@sil_weak " + t.name
	a := f.def("alloc_stack $%s", w)
	strong := f.copied(v)
	o := f.def("enum $%s, #Optional.some!enumelt, %s : $%s", t.name, strong.name, v.t.name)
	f.op("store_weak %s to [init] %s : $*%s", o, a, w)
	f.destroy(&value{name: o, t: t})
	var read string
	if f.ossa {
		read = f.def("load_weak %s : $*%s", a, w)
	} else {
		read = f.def("load_weak %s : $*%s", a, w)
	}
	got := f.own(read, t)
	f.show(got)
	f.op("destroy_addr %s : $*%s", a, w)
	f.op("dealloc_stack %s : $*%s", a, w)
	f.show(v)
}

// doUnowned makes a strong reference from an unowned or unmanaged one.
func (f *fn) doUnowned() {
	v := f.object()
	u, kind := "@sil_unowned "+v.t.name, "unowned"
	if f.g.chance(2) {
		u, kind = "@sil_unmanaged "+v.t.name, "unmanaged"
	}
	v.locks++
	if f.ossa && kind == "unowned" {
		c := f.def("copy_value %s : $%s", f.refTo(v, kind, u), u)
		f.mark()
		s := f.def("strong_copy_unowned_value %s : $%s", c, u)
		f.op("destroy_value %s : $%s", c, u)
		f.own(s, v.t)
	} else {
		r := f.refTo(v, kind, u)
		if kind == "unowned" {
			f.op("unowned_retain %s : $%s", r, u)
		}
		f.mark()
		f.own(f.def("strong_copy_%s_value %s : $%s", kind, r, u), v.t)
		if kind == "unowned" {
			f.op("unowned_release %s : $%s", r, u)
		}
	}
	v.locks--
	f.show(v)
}

func (f *fn) refTo(v *value, kind, u string) string {
	return f.def("ref_to_%s %s : $%s to $%s", kind, v.name, v.t.name, u)
}

// conforming is a type that conforms to P.
func (f *fn) conforming() *typ {
	if f.g.chance(2) {
		return pick(f.g, f.g.structs)
	}
	return pick(f.g, f.g.classes)
}

// doExistential makes an existential, or asks one.
func (f *fn) doExistential() {
	list := f.places(func(p *place) bool { return p.t.kind == anyKind })
	if len(list) == 0 || f.g.chance(3) {
		t := f.conforming()
		name := f.loose(t)
		a := f.def("alloc_stack $any P")
		f.initialize(f.def("init_existential_addr %s : $*any P, $%s", a, t.name), name, t)
		f.atEnd(func() {
			f.op("destroy_addr %s : $*any P", a)
			f.op("dealloc_stack %s : $*any P", a)
		})
		f.addPlace(&place{addr: a, t: anyP})
		return
	}
	f.g.opened++
	opened := fmt.Sprintf("@opened(\"A0000000-0000-0000-0000-%012X\", any P) Self", f.g.opened)
	a := pick(f.g, list).addr
	o := f.def("open_existential_addr immutable_access %s : $*any P to $*%s", a, opened)
	const witness = "#P.tell : <Self where Self : P> (Self) -> (Int) -> Int"
	const t = "$@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (Int, @in_guaranteed τ_0_0) -> Int"
	w := f.def("witness_method $%s, %s, %s : $*%s : %s", opened, witness, o, opened, t)
	f.print(f.def("apply %s<%s>(%s, %s) : %s", w, opened, f.int(), o, t))
	f.cost += 100 * f.factor
}

// doGeneric passes a value through generic code.
func (f *fn) doGeneric() {
	t := pick(f.g, f.g.all)
	if t.kind == funcKind {
		t = pick(f.g, f.g.classes)
	}
	name := f.loose(t)
	if t.conforms() && f.g.chance(3) {
		a := f.def("alloc_stack $%s", t.name)
		f.initialize(a, name, t)
		const ft = "$@convention(thin) <τ_0_0 where τ_0_0 : P> (@in_guaranteed τ_0_0) -> Int"
		f.print(f.def("apply %s<%s>(%s) : %s", f.def("function_ref @told : %s", ft), t.name, a, ft))
		if !t.isTrivial() {
			f.op("destroy_addr %s : $*%s", a, t.name)
		}
		f.op("dealloc_stack %s : $*%s", a, t.name)
		f.cost += 100 * f.factor
		return
	}
	var p *place
	swap := f.g.chance(3)
	if swap {
		p = f.variable(t, f.loose(t))
	}
	out := f.def("alloc_stack $%s", t.name)
	in := f.def("alloc_stack $%s", t.name)
	f.initialize(in, name, t)
	switch {
	case swap:
		const ft = "$@convention(thin) <τ_0_0> (@inout τ_0_0, @in τ_0_0) -> @out τ_0_0"
		a, end := f.begin(p, "modify")
		f.def("apply %s<%s>(%s, %s, %s) : %s", f.def("function_ref @exchanged : %s", ft), t.name, out, a, in, ft)
		end()
	case f.g.chance(2):
		const ft = "$@convention(thin) <τ_0_0> (@in τ_0_0) -> @out τ_0_0"
		f.def("apply %s<%s>(%s, %s) : %s", f.def("function_ref @passed_on : %s", ft), t.name, out, in, ft)
	default:
		const ft = "$@convention(thin) <τ_0_0> (@in_guaranteed τ_0_0) -> @out τ_0_0"
		f.def("apply %s<%s>(%s, %s) : %s", f.def("function_ref @copy_of : %s", ft), t.name, out, in, ft)
		if !t.isTrivial() {
			f.op("destroy_addr %s : $*%s", in, t.name)
		}
	}
	f.op("dealloc_stack %s : $*%s", in, t.name)
	got := f.taken(out, t)
	f.op("dealloc_stack %s : $*%s", out, t.name)
	f.show(f.own(got, t))
}

// taken moves out of memory.
func (f *fn) taken(a string, t *typ) string {
	switch {
	case !f.ossa:
		return f.def("load %s : $*%s", a, t.name)
	case t.isTrivial():
		return f.def("load [trivial] %s : $*%s", a, t.name)
	}
	return f.def("load [take] %s : $*%s", a, t.name)
}

// doNoescape makes a closure that captures local variables by address, and calls it here and there.
func (f *fn) doNoescape() {
	if f.g.isFull() {
		f.mark()
		return
	}
	list := f.places(func(p *place) bool { return p.access == "static" && p.t.kind != anyKind })
	if len(list) == 0 || f.g.chance(4) {
		t := pick(f.g, f.g.all)
		list = append(list, f.variable(t, f.loose(t)))
	}
	var captures []capture
	seen := map[*place]bool{}
	for range 1 + f.g.n(2) {
		p := pick(f.g, list)
		if !seen[p] {
			seen[p] = true
			p.locks++
			captures = append(captures, capture{"@inout_aliasable ", p.t, p.addr})
		}
	}
	f.g.depth++
	name, t := f.closureCode(captures)
	f.g.depth--
	var args []string
	for _, c := range captures {
		args = append(args, c.arg)
	}
	const ne = "@noescape @callee_guaranteed (Int) -> Int"
	made := f.def("partial_apply [callee_guaranteed] [on_stack] %s(%s) : %s", f.def("function_ref @%s : %s", name, t), strings.Join(args, ", "), t)
	c := made
	for _, x := range captures {
		c = f.def("mark_dependence %s : $%s on %s : $*%s", c, ne, x.arg, x.t.name)
	}
	f.push()
	f.atEnd(func() {
		if f.ossa {
			f.op("destroy_value %s : $%s", c, ne)
		} else {
			f.op("dealloc_stack %s : $%s", made, ne)
		}
	})
	for range 1 + f.g.n(3) {
		if f.g.chance(2) {
			f.print(f.call("twice", "$@convention(thin) (@guaranteed @noescape @callee_guaranteed (Int) -> Int) -> Int", c))
			f.cost += 2 * closureCost * f.factor
		} else {
			f.borrowed(&value{name: c, t: &typ{kind: funcKind, name: ne}, owned: true}, func(name string) {
				f.print(f.def("apply %s(%s) : $%s", name, f.int(), ne))
			})
			f.cost += closureCost * f.factor
		}
		if f.g.chance(2) {
			p := pick(f.g, list)
			f.set(p, f.loose(p.t))
		} else {
			f.show(f.load(pick(f.g, list)))
		}
	}
	f.pop()
	for p := range seen {
		p.locks--
	}
}

// doCast casts an object down.
func (f *fn) doCast() {
	for _, c := range f.g.classes {
		if c.super == nil {
			continue
		}
		v := f.some(c.super)
		yes, no, join := f.newBlock(), f.newBlock(), f.newBlock()
		v.locks++
		f.push()
		name := v.name
		if f.ossa {
			name = f.def("begin_borrow %s : $%s", v.name, v.t.name)
			f.atEnd(func() { f.op("end_borrow %s : $%s", name, v.t.name) })
		}
		f.op("checked_cast_br %s in %s : $%s to %s, %s, %s", v.t.name, name, v.t.name, c.name, yes, no)
		arg, got := f.blockArg(c, false)
		f.startBlock(yes, arg)
		f.add(got)
		f.show(got)
		f.op("br %s", join)
		if f.ossa {
			arg, _ := f.blockArg(v.t, false)
			f.startBlock(no, arg)
		} else {
			f.startBlock(no)
		}
		f.mark()
		f.op("br %s", join)
		f.startBlock(join)
		f.pop()
		v.locks--
		return
	}
	f.mark()
}

// doKeep says that a value lives up to here.
func (f *fn) doKeep() {
	v := f.object()
	f.op("fix_lifetime %s : $%s", v.name, v.t.name)
}
