package gen

// How functions read and write memory.

// begin opens an access to a place and returns the address to use; the closure ends it.
func (f *fn) begin(p *place, kind string) (addr string, end func()) {
	if p.access == "" {
		return p.addr, func() {}
	}
	mark := ""
	if p.access == "dynamic" && f.g.chance(2) {
		mark = " [no_nested_conflict]"
	}
	if kind == "read" || kind == "modify" {
		a := f.def("begin_access [%s] [%s]%s %s : $*%s", kind, p.access, mark, p.addr, p.t.name)
		return a, func() { f.op("end_access %s : $*%s", a, p.t.name) }
	}
	return p.addr, func() {}
}

// load reads a copy of what a place holds.
func (f *fn) load(p *place) *value {
	a, end := f.begin(p, "read")
	defer end()
	return f.loadAddr(a, p.t)
}

// loadAddr reads a copy from an address.
func (f *fn) loadAddr(a string, t *typ) *value {
	switch {
	case !f.ossa:
		n := f.def("load %s : $*%s", a, t.name)
		v := f.own(n, t)
		if !t.isTrivial() {
			f.copied(v)
		}
		return v
	case t.isTrivial():
		return f.own(f.def("load [trivial] %s : $*%s", a, t.name), t)
	case f.g.chance(3):
		b := f.def("load_borrow %s : $*%s", a, t.name)
		c := f.def("copy_value %s : $%s", b, t.name)
		f.op("end_borrow %s : $%s", b, t.name)
		return f.own(c, t)
	}
	return f.own(f.def("load [copy] %s : $*%s", a, t.name), t)
}

// initialize stores into memory that holds nothing.
func (f *fn) initialize(a string, name string, t *typ) {
	switch {
	case !f.ossa:
		f.op("store %s to %s : $*%s", name, a, t.name)
	case t.isTrivial():
		f.op("store %s to [trivial] %s : $*%s", name, a, t.name)
	default:
		f.op("store %s to [init] %s : $*%s", name, a, t.name)
	}
}

// assign stores over what memory holds.
func (f *fn) assign(a string, name string, t *typ) {
	switch {
	case t.isTrivial():
		f.initialize(a, name, t)
	case f.ossa && f.g.chance(3):
		old := f.def("load [take] %s : $*%s", a, t.name)
		f.op("store %s to [init] %s : $*%s", name, a, t.name)
		f.destroy(&value{name: old, t: t})
	case f.ossa:
		f.op("store %s to [assign] %s : $*%s", name, a, t.name)
	default:
		old := f.def("load %s : $*%s", a, t.name)
		f.op("store %s to %s : $*%s", name, a, t.name)
		f.destroy(&value{name: old, t: t})
	}
}

// set stores an owned value over what a place holds.
func (f *fn) set(p *place, name string) {
	a, end := f.begin(p, "modify")
	f.assign(a, name, p.t)
	end()
}

// exchange takes what a place holds and puts another value there.
func (f *fn) exchange(p *place, name string) *value {
	a, end := f.begin(p, "modify")
	var old string
	switch {
	case !f.ossa:
		old = f.def("load %s : $*%s", a, p.t.name)
	case p.t.isTrivial():
		old = f.def("load [trivial] %s : $*%s", a, p.t.name)
	default:
		old = f.def("load [take] %s : $*%s", a, p.t.name)
	}
	f.initialize(a, name, p.t)
	end()
	return f.own(old, p.t)
}

// variable makes a local variable with a value of its type in it.
func (f *fn) variable(t *typ, owned string) *place {
	a := f.def("alloc_stack $%s", t.name)
	f.initialize(a, owned, t)
	f.atEnd(func() {
		if !t.isTrivial() {
			f.op("destroy_addr %s : $*%s", a, t.name)
		}
		f.op("dealloc_stack %s : $*%s", a, t.name)
	})
	return f.addPlace(&place{addr: a, t: t, access: "static"})
}

// boxed makes a variable in a box, which closures may capture.
func (f *fn) boxed(t *typ, owned string) *place {
	bt := boxOf(t)
	b := f.def("alloc_box $%s", bt.name)
	box := &value{name: b, t: bt, owned: true, scope: len(f.scopes) - 1}
	f.letGo(box)
	inner := b
	if f.ossa {
		inner = f.def("begin_borrow [lexical] %s : $%s", b, bt.name)
		f.atEnd(func() { f.op("end_borrow %s : $%s", inner, bt.name) })
	}
	a := f.def("project_box %s : $%s, 0", inner, bt.name)
	f.initialize(a, owned, t)
	box.locks++
	b2 := &value{name: inner, t: bt}
	f.top().boxes = append(f.top().boxes, b2)
	return f.addPlace(&place{addr: a, t: t, access: "dynamic", shared: true})
}

// fieldAddr is the address of a stored property.
func (f *fn) fieldAddr(name string, t *typ, fl field) string {
	owner := t.owner(fl)
	if owner != t {
		name = f.def("upcast %s : $%s to $%s", name, t.name, owner.name)
	}
	return f.def("ref_element_addr %s : $%s, #%s.%s", name, owner.name, owner.name, fl.name)
}

// field runs code with the place of a stored property of an object.
func (f *fn) field(v *value, fl field, code func(p *place)) {
	f.borrowed(v, func(name string) {
		p := &place{addr: f.fieldAddr(name, v.t, fl), t: fl.t, access: "dynamic", shared: true}
		if fl.let || f.g.chance(8) {
			p.access = ""
		}
		code(p)
	})
}
