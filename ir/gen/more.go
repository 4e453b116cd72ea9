package gen

import (
	"fmt"
	"strings"
)

// Statements for instructions that compilers print and the others leave out: each is one way to hand a value on under another name.

// plain is a random type other than closures, buffers and existentials.
func (f *fn) plain(is func(t *typ) bool) *typ {
	for _, n := range f.g.r.Perm(len(f.g.all)) {
		if t := f.g.all[n]; is(t) {
			return t
		}
	}
	return nil
}

// doMove ends the name of a value and gives it another one, as variables do whose lifetime is lexical.
func (f *fn) doMove() {
	t := pick(f.g, f.g.all)
	name := f.loose(t)
	if f.ossa && !t.isTrivial() {
		name = f.def("move_value%s %s : $%s", pick(f.g, []string{"", " [lexical]", " [var_decl]", " [lexical] [var_decl]"}), name, t.name)
	}
	f.op("debug_value %s : $%s, let, name \"moved\"", name, t.name)
	f.show(f.own(name, t))
}

// doParts reads and replaces one part of a tuple or structure in memory.
func (f *fn) doParts() {
	t := f.plain(func(t *typ) bool { return t.kind == tupleKind || t.kind == structKind && len(t.fields) > 0 })
	if t == nil {
		a, b := pick(f.g, f.g.classes), pick(f.g, f.g.all)
		t = f.g.pair(a, b)
	}
	p := f.variable(t, f.loose(t))
	n := f.g.n(len(t.fields))
	x := t.fields[n]
	name := f.loose(x.t)
	a, end := f.begin(p, "modify")
	part := ""
	if t.kind == tupleKind {
		part = f.def("tuple_element_addr %s : $*%s, %d", a, t.name, n)
	} else {
		part = f.def("struct_element_addr %s : $*%s, #%s.%s", a, t.name, t.name, x.name)
	}
	old := f.loadAddr(part, x.t)
	f.assign(part, name, x.t)
	end()
	f.show(old)
	if f.g.chance(2) {
		f.show(f.load(p))
	}
}

// doEnumMemory makes a case in memory, looks which one it is there, and takes the payload out.
func (f *fn) doEnumMemory() {
	t := f.plain(func(t *typ) bool { return t.kind == enumKind })
	if t == nil {
		t = f.g.optional(pick(f.g, f.g.classes))
	}
	a := f.def("alloc_stack $%s", t.name)
	if c := pick(f.g, t.cases); !c.indirect && f.g.chance(2) {
		if c.payload != nil {
			payload := f.loose(c.payload)
			f.initialize(f.def("init_enum_data_addr %s : $*%s, #%s!enumelt", a, t.name, c.ref), payload, c.payload)
		}
		f.op("inject_enum_addr %s : $*%s, #%s!enumelt", a, t.name, c.ref)
	} else {
		f.initialize(a, f.loose(t), t)
	}
	join := f.newBlock()
	names, cases := make([]string, len(t.cases)), ""
	for n, c := range t.cases {
		names[n] = f.newBlock()
		cases += fmt.Sprintf(", case #%s!enumelt: %s", c.ref, names[n])
	}
	f.op("switch_enum_addr %s : $*%s%s", a, t.name, cases)
	for n, c := range t.cases {
		f.startBlock(names[n])
		f.push()
		switch {
		case c.payload == nil:
			f.mark()
		case c.indirect:
			f.op("destroy_addr %s : $*%s", a, t.name)
		default:
			part := f.def("unchecked_take_enum_data_addr %s : $*%s, #%s!enumelt", a, t.name, c.ref)
			how := ""
			if f.ossa {
				how = " [take]"
				if c.payload.isTrivial() {
					how = " [trivial]"
				}
			}
			f.show(f.own(f.def("load%s %s : $*%s", how, part, c.payload.name), c.payload))
		}
		f.pop()
		f.op("br %s", join)
	}
	f.startBlock(join)
	f.op("dealloc_stack %s : $*%s", a, t.name)
}

// doSelect chooses a number by the case of an enumeration.
func (f *fn) doSelect() {
	t := f.plain(func(t *typ) bool { return t.kind == enumKind })
	if t == nil {
		f.mark()
		return
	}
	v := f.some(t)
	a, b := f.int(), f.int()
	f.borrowed(v, func(name string) {
		f.print(f.def("select_enum %s : $%s, case #%s!enumelt: %s, default %s : $Int", name, t.name, pick(f.g, t.cases).ref, a, b))
	})
}

// doCheck traps never, which nobody but the optimizer can tell.
func (f *fn) doCheck() {
	n := f.int()
	low := f.binary("and", n, f.integer(7))
	f.op("cond_fail %s : $Builtin.Int1, \"too large\"", f.compare("sgt", low, f.integer(7+f.g.n(2))))
	f.print(low)
}

// doCastBack casts an object to its superclass and back.
func (f *fn) doCastBack() {
	t := f.plain(func(t *typ) bool { return t.kind == classKind && t.super != nil })
	if t == nil {
		f.doShow()
		return
	}
	up := f.def("upcast %s : $%s to $%s", f.loose(t), t.name, t.super.name)
	if f.g.chance(2) {
		f.own(f.def("unconditional_checked_cast %s : $%s to %s", up, t.super.name, t.name), t)
		return
	}
	f.show(f.own(f.def("unchecked_ref_cast %s : $%s to $%s", up, t.super.name, t.name), t))
}

// doLend lends a value to memory, where code that wants an address finds it.
func (f *fn) doLend() {
	t := pick(f.g, f.g.all)
	if !f.ossa || t.isTrivial() {
		f.doVariable()
		return
	}
	v := f.some(t)
	a := f.def("alloc_stack $%s", t.name)
	f.borrowed(v, func(name string) {
		lent := f.def("store_borrow %s to %s : $*%s", name, a, t.name)
		f.push()
		f.show(f.loadAddr(lent, t))
		f.pop()
		f.op("end_borrow %s : $*%s", lent, t.name)
	})
	f.op("dealloc_stack %s : $*%s", a, t.name)
}

// doPointer writes a variable through a pointer to it.
func (f *fn) doPointer() {
	t := pick(f.g, f.g.all)
	a := f.def("alloc_stack $%s", t.name)
	f.initialize(a, f.loose(t), t)
	name := f.loose(t)
	p := f.def("address_to_pointer %s : $*%s to $Builtin.RawPointer", a, t.name)
	if f.g.chance(2) {
		p = f.def("index_raw_pointer %s : $Builtin.RawPointer, %s : $Builtin.Word", p, f.def("integer_literal $Builtin.Word, 0"))
	}
	q := f.def("pointer_to_address %s : $Builtin.RawPointer to [strict] $*%s", p, t.name)
	before := f.loadAddr(a, t)
	f.assign(q, name, t)
	f.show(f.loadAddr(a, t))
	f.show(before)
	if !t.isTrivial() {
		f.op("destroy_addr %s : $*%s", a, t.name)
	}
	f.op("dealloc_stack %s : $*%s", a, t.name)
}

// doRetainAddr copies what memory holds by the address alone.
func (f *fn) doRetainAddr() {
	list := f.places(func(p *place) bool { return !p.t.isTrivial() && p.t.kind != anyKind })
	if f.ossa || len(list) == 0 {
		f.doVariable()
		return
	}
	p := pick(f.g, list)
	a, end := f.begin(p, "read")
	f.op("retain_value_addr %s : $*%s", a, p.t.name)
	name := f.def("load %s : $*%s", a, p.t.name)
	end()
	f.own(name, p.t)
}

// doUnownedMemory keeps an unowned reference in memory.
func (f *fn) doUnownedMemory() {
	v := f.object()
	t := "@sil_unowned " + v.t.name
	a := f.def("alloc_stack $%s", t)
	f.borrowed(v, func(name string) {
		f.op("store_unowned %s to [init] %s : $*%s", name, a, t)
		f.push()
		f.show(f.own(f.def("load_unowned %s : $*%s", a, t), v.t))
		f.pop()
		f.op("fix_lifetime %s : $%s", name, v.t.name) // else nothing keeps it alive that long
	})
	f.op("destroy_addr %s : $*%s", a, t)
	f.op("dealloc_stack %s : $*%s", a, t)
}

// doConvert calls a closure as one that does not escape.
func (f *fn) doConvert() {
	v := f.some(closure)
	n := f.int()
	f.cost += closureCost * f.factor
	thin := strings.TrimPrefix(closure.name, "@callee_guaranteed ")
	f.borrowed(v, func(name string) {
		c := f.def("convert_escape_to_noescape %s : $%s to $@noescape @callee_guaranteed %s", name, closure.name, thin)
		r := f.def("apply %s(%s) : $@noescape @callee_guaranteed %s", c, n, thin)
		if f.ossa {
			f.op("destroy_value %s : $@noescape @callee_guaranteed %s", c, thin)
		}
		f.print(r)
	})
}
