package gen

import (
	"fmt"
	"strings"
)

// doCall calls a function that was made before.
func (f *fn) doCall() {
	var list []*signature
	for _, s := range f.g.sigs {
		if f.cost+s.cost*f.factor < f.limit {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		f.mark()
		return
	}
	f.callFunction(pick(f.g, list))
}

// callFunction calls a function with values that fit, and prints what it returns. Memory for the call is made last and goes first.
func (f *fn) callFunction(s *signature) {
	c := &call{f: f, locked: map[*place]bool{}}
	for _, p := range s.params {
		c.prepare(p)
	}
	if s.out != nil {
		c.out = f.def("alloc_stack $%s", s.out.name)
		c.args = append(c.args, c.out)
	}
	for _, open := range c.opens {
		c.args = append(c.args, open())
	}
	f.cost += (s.cost + 5) * f.factor
	t := s.fnType()
	r := f.def("function_ref @%s : %s", s.name, t)
	args := strings.Join(c.args, ", ")
	if s.throws != nil {
		c.try(s, r, args, t)
		return
	}
	result := f.def("apply %s(%s) : %s", r, args, t)
	c.close()
	c.results(s, result)
}

// call is a call under way.
type call struct {
	f      *fn
	args   []string
	opens  []func() string // each returns an argument, in order
	closes []func()        // what to do after the call, the last first
	values []*value        // borrowed for the call
	locked map[*place]bool
	out    string
}

// prepare gets the value for a parameter.
func (c *call) prepare(p param) {
	f := c.f
	switch p.conv {
	case "@inout ":
		list := f.places(func(x *place) bool { return x.t == p.t && x.access == "static" && x.locks == 0 && !c.locked[x] })
		var x *place
		if len(list) > 0 {
			x = pick(f.g, list)
		} else {
			x = f.variable(p.t, f.loose(p.t))
		}
		c.locked[x] = true
		c.opens = append(c.opens, func() string {
			a, end := f.begin(x, "modify")
			c.closes = append(c.closes, end)
			return a
		})
	case "@in ", "@in_guaranteed ":
		name := f.loose(p.t)
		c.opens = append(c.opens, func() string {
			a := f.def("alloc_stack $%s", p.t.name)
			f.initialize(a, name, p.t)
			c.closes = append(c.closes, func() {
				if p.conv == "@in_guaranteed " && !p.t.isTrivial() {
					f.op("destroy_addr %s : $*%s", a, p.t.name)
				}
				f.op("dealloc_stack %s : $*%s", a, p.t.name)
			})
			return a
		})
	case "@owned ":
		name := f.loose(p.t)
		c.opens = append(c.opens, func() string { return name })
	default:
		v := f.some(p.t)
		v.locks++
		c.values = append(c.values, v)
		c.opens = append(c.opens, func() string { return v.name })
	}
}

// close ends what the call needed, but for the memory of the @out result.
func (c *call) close() {
	for n := len(c.closes) - 1; n >= 0; n-- {
		c.closes[n]()
	}
}

// results takes the results of the call.
func (c *call) results(s *signature, result string) {
	f := c.f
	for _, v := range c.values {
		v.locks--
	}
	c.values = nil
	if c.out != "" {
		got := f.taken(c.out, s.out)
		f.op("dealloc_stack %s : $*%s", c.out, s.out.name)
		f.own(got, s.out)
	}
	if s.result != nil {
		v := f.own(result, s.result)
		if f.g.chance(2) {
			f.show(v)
		}
	}
}

// try calls a function that throws.
func (c *call) try(s *signature, r, args, t string) {
	f := c.f
	normal, failed, join := f.newBlock(), f.newBlock(), f.newBlock()
	f.op("try_apply %s(%s) : %s, normal %s, error %s", r, args, t, normal, failed)
	rt := s.result
	if rt == nil {
		rt = &typ{kind: tupleKind, name: "()"}
	}
	arg, e := f.blockArg(s.throws, true)
	f.startBlock(failed, arg)
	f.push()
	f.add(e)
	f.letGo(e)
	c.close()
	if c.out != "" {
		f.op("dealloc_stack %s : $*%s", c.out, s.out.name)
	}
	f.show(e)
	f.pop()
	f.op("br %s", join)
	arg, v := f.blockArg(rt, true)
	f.startBlock(normal, arg)
	f.push()
	c.close()
	c.results(s, v.name)
	f.pop()
	f.op("br %s", join)
	f.startBlock(join)
}

// leakKinds are the ways by which an argument leaves a function.
var leakKinds = []string{"result", "out", "tuple", "optional", "struct", "thrown", "field", "closure", "global", "inout"}

// doLeak passes an object to a function that returns it in some way, changes it through what came back, and looks at it again.
func (f *fn) doLeak() {
	v := f.object()
	kind := pick(f.g, leakKinds)
	if kind == "closure" && f.g.depth > 0 {
		kind = "result" // the code of a closure may not come to the function that makes it
	}
	owned := f.g.chance(2)
	if f.g.chance(2) {
		f.changeNumber(v)
	}
	v.locks++
	if f.g.chance(2) {
		through := f.g.through(kind, v.t, owned)
		arg := v.name
		if owned {
			arg = f.copied(v).name
		}
		f.call(through.name, through.fnType(), arg)
		v.locks--
		f.field(v, v.t.root().fields[1], func(p *place) { f.print(f.load(p).name) })
		return
	}
	l := f.g.leaker(kind, v.t, owned)
	arg := v.name
	if owned {
		arg = f.copied(v).name
	}
	back := f.comeBack(kind, l, v.t, arg)
	v.locks--
	if back != nil {
		f.changeNumber(back)
	}
	f.field(v, v.t.root().fields[1], func(p *place) { f.print(f.load(p).name) })
}

// through returns a function that hands its argument to a leaker and changes what comes back: whoever calls it sees nothing of that.
func (g *generator) through(kind string, t *typ, owned bool) *signature {
	l := g.leaker(kind, t, owned)
	key := "through " + l.name
	if g.leakers[key] != nil {
		return g.leakers[key]
	}
	s := &signature{name: g.symbol("through_" + kind), params: l.params[:1]}
	g.leakers[key] = s
	f := g.begin(s, pick(g, []string{"[noinline]", "[noinline]", ""}), g.isOSSA())
	v := f.scopes[0].values[0]
	arg := v.name
	if owned {
		arg = f.take(v)
	}
	if back := f.comeBack(kind, l, t, arg); back != nil {
		f.changeNumber(back)
	}
	f.finish()
	return s
}

// changeNumber writes to the number of an object.
func (f *fn) changeNumber(v *value) {
	n := f.int()
	f.field(v, v.t.root().fields[1], func(p *place) { f.set(p, n) })
}

// leaker returns a function through which an object of a class leaves.
func (g *generator) leaker(kind string, t *typ, owned bool) *signature {
	conv := "@guaranteed "
	if owned {
		conv = "@owned "
	}
	key := fmt.Sprint(kind, t.name, owned, g.n(2))
	if g.leakers[key] != nil {
		return g.leakers[key]
	}
	s := &signature{name: g.symbol("leak_" + kind), params: []param{{conv, t}}}
	g.leakers[key] = s
	switch kind {
	case "result":
		s.result = t
	case "out":
		s.out = t
	case "tuple":
		s.result = g.pair(t, intType)
	case "optional":
		s.result = g.optional(t)
	case "struct":
		s.result = g.pair(intType, g.optional(t))
	case "thrown":
		s.throws = g.failure
	case "field":
		s.params = append(s.params, param{"@guaranteed ", g.holder(t)})
	case "closure":
		s.result = closure
	case "inout":
		s.params = append(s.params, param{"@inout ", g.optional(t)})
	}
	f := g.begin(s, pick(g, []string{"[noinline]", "[noinline]", ""}), g.isOSSA())
	g.depth++
	f.leak(kind, t)
	g.depth--
	return s
}

// holder is the class whose objects hold others of a class.
func (g *generator) holder(t *typ) *typ {
	name := "H" + t.name
	if g.derived[name] == nil {
		h := &typ{kind: classKind, name: name, fields: []field{{name: "held", t: g.optional(t)}}}
		g.derived[name] = h
		fmt.Fprintf(&g.decls, "final class %s {\n  @_hasStorage final var held: %s { get set }\n  deinit\n}\n\n", name, h.fields[0].t.name)
		fmt.Fprintf(&g.body, `sil @%[3]s : $@convention(method) (@owned %[1]s) -> () {
bb0(%%0 : $%[1]s):
  %%1 = ref_element_addr %%0 : $%[1]s, #%[1]s.held
  destroy_addr %%1 : $*%[2]s
  dealloc_ref %%0 : $%[1]s
  %%4 = tuple ()
  return %%4 : $()
}

`, name, h.fields[0].t.name, dealloc(name))
		fmt.Fprintf(&g.tables, "sil_vtable %[1]s {\n  #%[1]s.deinit!deallocator: @%[2]s\n}\n\n", name, dealloc(name))
	}
	return g.derived[name]
}

// leak is the body of a leaker.
func (f *fn) leak(kind string, t *typ) {
	v := f.scopes[0].values[0]
	give := func() string {
		if v.owned {
			return f.take(v)
		}
		return f.copied(v).name
	}
	some := func(name string) string {
		return f.def("enum $Optional<%s>, #Optional.some!enumelt, %s : $%s", t.name, name, t.name)
	}
	if f.g.chance(3) {
		f.mark()
	}
	switch kind {
	case "result":
		f.finishWith(give())
	case "out":
		f.initialize(f.outer, give(), t)
		f.outer = ""
		f.finishWith("")
	case "tuple":
		f.finishWith(f.def("tuple (%s : $%s, %s : $Int)", give(), t.name, f.integer(2)))
	case "optional":
		f.finishWith(some(give()))
	case "struct":
		f.finishWith(f.def("tuple (%s : $Int, %s : $Optional<%s>)", f.integer(3), some(give()), t.name))
	case "thrown":
		f.leakThrown(t, give)
	case "field":
		h := f.scopes[0].values[0]
		if h == v || h.t == t {
			h = f.scopes[0].values[len(f.scopes[0].values)-1]
		}
		name := some(give())
		f.field(h, h.t.fields[0], func(p *place) { f.set(p, name) })
		f.finishWith("")
	case "closure":
		name, ft := f.closureCode([]capture{{"@guaranteed ", t, ""}})
		f.finishWith(f.def("partial_apply [callee_guaranteed] %s(%s) : %s", f.def("function_ref @%s : %s", name, ft), give(), ft))
	case "inout":
		name := some(give())
		f.set(f.scopes[0].places[0], name)
		f.finishWith("")
	case "global":
		f.leakGlobal(t, some, give)
	}
}

// leakThrown throws an error with the object in it, upcast to the first class if it is one.
func (f *fn) leakThrown(t *typ, give func() string) {
	first := f.g.classes[0]
	if t.root() != first {
		f.finishWith("")
		return
	}
	name := give()
	if t != first {
		name = f.def("upcast %s : $%s to $%s", name, t.name, first.name)
	}
	fail, fine := f.newBlock(), f.newBlock()
	f.op("cond_br %s, %s, %s", f.rarely(), fine, fail)
	f.startBlock(fail)
	f.push()
	e := f.def("struct $Failure (%s : $%s)", name, first.name)
	f.unwind(0)
	f.op("throw %s : $Failure", e)
	f.drop()
	f.startBlock(fine)
	f.destroy(&value{name: name, t: first})
	f.finishWith("")
}

// leakGlobal puts the object into a global variable of its type if there is one.
func (f *fn) leakGlobal(t *typ, some func(string) string, give func() string) {
	for _, x := range f.g.globals {
		if x.t == f.g.optional(t) {
			name := some(give())
			f.set(&place{addr: f.def("global_addr @%s : $*%s", x.name, x.t.name), t: x.t, access: "dynamic", shared: true}, name)
			break
		}
	}
	f.finishWith("")
}

// comeBack calls a leaker and returns the object as it came back, nil if it did not.
func (f *fn) comeBack(kind string, s *signature, t *typ, arg string) *value {
	ft := s.fnType()
	apply := func(args ...string) string { return f.call(s.name, ft, args...) }
	payload := func(name string, ot *typ) *value {
		if !f.ossa {
			return f.own(f.def("unchecked_enum_data %s : $%s, #Optional.some!enumelt", name, ot.name), t)
		}
		return f.own(f.def("unchecked_enum_data %s : $%s, #Optional.some!enumelt", name, ot.name), t)
	}
	switch kind {
	case "result":
		return f.own(apply(arg), t)
	case "out":
		a := f.def("alloc_stack $%s", t.name)
		apply(a, arg)
		got := f.taken(a, t)
		f.op("dealloc_stack %s : $*%s", a, t.name)
		return f.own(got, t)
	case "optional":
		return payload(apply(arg), s.result)
	case "tuple", "struct":
		return f.fromTuple(apply(arg), s.result, t, payload)
	case "thrown":
		return f.caught(s, ft, arg, t)
	case "field":
		h := f.own(f.newHolder(s.params[1].t), s.params[1].t)
		apply(arg, h.name)
		var got *value
		f.field(h, h.t.fields[0], func(p *place) { got = f.load(p) })
		return payload(f.take(got), got.t)
	case "closure":
		c := f.own(apply(arg), closure)
		f.print(f.applied(c))
	case "inout":
		ot := s.params[1].t
		p := f.variable(ot, f.newCase(ot, ot.cases[1]))
		a, end := f.begin(p, "modify")
		apply(arg, a)
		end()
		got := f.load(p)
		return payload(f.take(got), ot)
	case "global":
		apply(arg)
	}
	return nil
}

// newHolder makes an object that holds nothing.
func (f *fn) newHolder(h *typ) string {
	none := f.newCase(h.fields[0].t, h.fields[0].t.cases[1])
	o := f.def("alloc_ref $%s", h.name)
	f.borrowed(&value{name: o, t: h, owned: true}, func(name string) {
		f.initialize(f.fieldAddr(name, h, h.fields[0]), none, h.fields[0].t)
	})
	return o
}

// fromTuple takes the object out of a tuple.
func (f *fn) fromTuple(name string, tt, t *typ, payload func(string, *typ) *value) *value {
	n := 0
	if tt.fields[0].t == intType {
		n = 1
	}
	var part string
	if f.ossa {
		names := []string{f.name(), f.name()}
		f.op("(%s, %s) = destructure_tuple %s : $%s", names[0], names[1], name, tt.name)
		part = names[n]
	} else {
		part = f.def("tuple_extract %s : $%s, %d", name, tt.name, n)
	}
	if n == 0 {
		return f.own(part, t)
	}
	return payload(part, tt.fields[1].t)
}

// caught calls a leaker that throws, and changes the object in the error.
func (f *fn) caught(s *signature, ft, arg string, t *typ) *value {
	normal, failed, join := f.newBlock(), f.newBlock(), f.newBlock()
	f.op("try_apply %s(%s) : %s, normal %s, error %s", f.def("function_ref @%s : %s", s.name, ft), arg, ft, normal, failed)
	a, e := f.blockArg(s.throws, true)
	f.startBlock(failed, a)
	f.push()
	first := f.g.classes[0]
	var held string
	if f.ossa {
		held = f.def("destructure_struct %s : $Failure", e.name)
	} else {
		held = f.def("struct_extract %s : $Failure, #Failure.held", e.name)
	}
	f.changeNumber(f.own(held, first))
	f.pop()
	f.op("br %s", join)
	f.startBlock(normal, f.name()+" : $()")
	f.op("br %s", join)
	f.startBlock(join)
	return nil
}
