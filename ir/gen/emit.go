package gen

import (
	"fmt"
	"slices"
	"strings"
)

// value is a value that a function may use.
type value struct {
	name  string
	t     *typ
	owned bool // this function has to let it go; else it is trivial or borrowed
	locks int  // borrows of it that have not ended
	scope int  // depth of the scope that lets it go
}

// place is initialized memory that a function may use, through accesses that begin and end where it is used.
type place struct {
	addr   string
	t      *typ
	access string // enforcement of its accesses, "" when it needs none
	shared bool   // code elsewhere may use it too: no call while it is accessed
	locks  int    // closures that captured it and live
}

// signature is what a caller knows about a function.
type signature struct {
	name   string
	conv   string // convention, "" is thin
	params []param
	result *typ // direct; nil is none
	out    *typ // @out; nil is none
	throws *typ // nil is nothing
	cost   int  // about the steps of a call
}

// param is a parameter; conv is SIL's word with a blank, "" for trivial ones.
type param struct {
	conv string
	t    *typ
}

func (p param) isAddress() bool { return strings.HasPrefix(p.conv, "@in") }

// fnType is the type of the function, with the $.
func (s *signature) fnType() string {
	var in, out []string
	for _, p := range s.params {
		in = append(in, p.conv+p.t.name)
	}
	if s.out != nil {
		out = append(out, "@out "+s.out.name)
	}
	if s.result != nil {
		out = append(out, ownedWord(s.result)+s.result.name)
	}
	if s.throws != nil {
		out = append(out, "@error "+s.throws.name)
	}
	results := strings.Join(out, ", ")
	if len(out) != 1 || s.throws != nil {
		results = "(" + results + ")"
	}
	conv := s.conv
	if conv == "" {
		conv = "thin"
	}
	return "$@convention(" + conv + ") (" + strings.Join(in, ", ") + ") -> " + results
}

func ownedWord(t *typ) string {
	if t.isTrivial() {
		return ""
	}
	return "@owned "
}

// fn writes down one function.
type fn struct {
	g       *generator
	ossa    bool
	sig     *signature
	lines   []string
	last    int // number of the last value
	blocks  int
	scopes  []*scope
	cost    int    // steps of the function so far
	limit   int    // of cost
	factor  int    // how often the code that is written now may run
	outer   string // address of the @out result
	level   int    // how deep statements may still go
	leaves  bool   // ways out before the end are fine here
	threw   bool
	returns string // block where all paths out come together, "" when there is one only
}

// scope is a stretch of code. What it makes it lets go at its end, the last first.
type scope struct {
	values []*value
	places []*place
	boxes  []*value
	ends   []*ending
}

// ending is what one thing needs at the end of its scope. v is nil for what can't be consumed.
type ending struct {
	v    *value
	emit func()
}

// begin starts a function: its head and the values of its parameters.
func (g *generator) begin(s *signature, attrs string, ossa bool) *fn {
	f := &fn{g: g, ossa: ossa, sig: s, factor: 1, last: -1, limit: mostCost}
	if ossa {
		attrs = strings.TrimSpace("[ossa] " + attrs)
	}
	if attrs != "" {
		attrs += " "
	}
	f.lines = append(f.lines, "sil "+attrs+"@"+s.name+" : "+s.fnType()+" {")
	f.push()
	var args []string
	var boxes []*value
	if s.out != nil {
		f.outer = f.name()
		args = append(args, f.outer+" : $*"+s.out.name)
	}
	for _, p := range s.params {
		n := f.name()
		switch {
		case p.isAddress():
			args = append(args, n+" : $*"+p.t.name)
		case p.t.kind == boxKind:
			word := ""
			if ossa {
				word = p.conv
			}
			args = append(args, n+" : "+word+"$"+p.t.name)
			boxes = append(boxes, &value{name: n, t: p.t})
		case p.t.isTrivial():
			args = append(args, n+" : $"+p.t.name)
			f.add(&value{name: n, t: p.t})
		default:
			word := ""
			if ossa {
				word = p.conv
			}
			args = append(args, n+" : "+word+"$"+p.t.name)
			if v := f.add(&value{name: n, t: p.t, owned: p.conv == "@owned "}); v.owned {
				f.letGo(v)
			}
		}
	}
	head := "bb0"
	if len(args) > 0 {
		head += "(" + strings.Join(args, ", ") + ")"
	}
	f.lines = append(f.lines, head+":")
	f.blocks = 1
	for _, b := range boxes {
		f.addPlace(&place{addr: f.def("project_box %s : $%s, 0", b.name, b.t.name), t: b.t.elem, access: "dynamic", shared: true})
		f.top().boxes = append(f.top().boxes, b)
	}
	for n, p := range s.params {
		if p.isAddress() {
			f.address(p, f.argument(n))
		}
	}
	return f
}

// argument is the name of the n-th parameter.
func (f *fn) argument(n int) string {
	if f.sig.out != nil {
		n++
	}
	return fmt.Sprintf("%%%d", n)
}

// address is a parameter in memory.
func (f *fn) address(p param, addr string) {
	switch p.conv {
	case "@inout ", "@inout_aliasable ":
		f.addPlace(&place{addr: addr, t: p.t, access: "static"})
	case "@in ":
		f.addPlace(&place{addr: addr, t: p.t})
		f.atEnd(func() { f.op("destroy_addr %s : $*%s", addr, p.t.name) })
	case "@in_guaranteed ":
		if p.t.kind == anyKind {
			f.addPlace(&place{addr: addr, t: p.t})
			return
		}
		f.load(&place{addr: addr, t: p.t})
	}
}

func (f *fn) op(format string, args ...any) {
	f.lines = append(f.lines, "  "+fmt.Sprintf(format, args...))
	f.cost += f.factor
}

func (f *fn) name() string { f.last++; return fmt.Sprintf("%%%d", f.last) }

// def writes an instruction with one result.
func (f *fn) def(format string, args ...any) string {
	n := f.name()
	f.op("%s = %s", n, fmt.Sprintf(format, args...))
	return n
}

// newBlock names a block that startBlock begins later.
func (f *fn) newBlock() string { f.blocks++; return fmt.Sprintf("bb%d", f.blocks-1) }

func (f *fn) startBlock(name string, args ...string) {
	if len(args) > 0 {
		name += "(" + strings.Join(args, ", ") + ")"
	}
	f.lines = append(f.lines, "", name+":")
}

// blockArg returns the text of an argument and the value.
func (f *fn) blockArg(t *typ, owned bool) (string, *value) {
	v := &value{name: f.name(), t: t, owned: owned && !t.isTrivial()}
	word := ""
	if f.ossa && !t.isTrivial() {
		word = "@guaranteed "
		if owned {
			word = "@owned "
		}
	}
	return v.name + " : " + word + "$" + t.name, v
}

func (f *fn) push() { f.scopes = append(f.scopes, &scope{}) }

// pop ends the innermost scope.
func (f *fn) pop() {
	f.unwind(len(f.scopes) - 1)
	f.scopes = f.scopes[:len(f.scopes)-1]
}

// drop forgets the innermost scope, whose code does not reach its end.
func (f *fn) drop() { f.scopes = f.scopes[:len(f.scopes)-1] }

// unwind lets everything go that scopes from a depth on made, for a way out of them; they stay as they are.
func (f *fn) unwind(depth int) {
	for n := len(f.scopes) - 1; n >= depth; n-- {
		for _, e := range slices.Backward(f.scopes[n].ends) {
			e.emit()
		}
	}
}

func (f *fn) top() *scope { return f.scopes[len(f.scopes)-1] }

func (f *fn) atEnd(emit func()) { f.top().ends = append(f.top().ends, &ending{emit: emit}) }

// add makes a value known to the code that follows in this scope.
func (f *fn) add(v *value) *value {
	v.scope = len(f.scopes) - 1
	f.top().values = append(f.top().values, v)
	return v
}

func (f *fn) addPlace(p *place) *place {
	f.top().places = append(f.top().places, p)
	return p
}

// letGo makes the end of the scope destroy an owned value, unless somebody takes it before.
func (f *fn) letGo(v *value) {
	v.scope = len(f.scopes) - 1
	f.top().ends = append(f.top().ends, &ending{v: v, emit: func() { f.destroy(v) }})
}

// own makes a new value known that this function has to let go.
func (f *fn) own(name string, t *typ) *value {
	v := f.add(&value{name: name, t: t, owned: !t.isTrivial()})
	if v.owned {
		f.letGo(v)
	}
	return v
}

// take consumes an owned value: it is not known any more.
func (f *fn) take(v *value) string {
	if v.owned {
		s := f.scopes[v.scope]
		s.ends = slices.DeleteFunc(s.ends, func(e *ending) bool { return e.v == v })
		for _, s := range f.scopes {
			s.values = slices.DeleteFunc(s.values, func(x *value) bool { return x == v })
		}
	}
	return v.name
}

// isTakable reports whether the value may be given away here.
func (f *fn) isTakable(v *value) bool {
	return !v.t.isTrivial() && v.owned && v.locks == 0 && v.scope == len(f.scopes)-1
}

func (f *fn) destroy(v *value) {
	switch {
	case v.t.isTrivial():
	case f.ossa:
		f.op("destroy_value %s : $%s", v.name, v.t.name)
	case v.t.kind == classKind || v.t.kind == funcKind:
		f.op("strong_release %s : $%s", v.name, v.t.name)
	default:
		f.op("release_value %s : $%s", v.name, v.t.name)
	}
}

// copied returns one more reference to a value, which the caller owns and nobody knows of yet.
func (f *fn) copied(v *value) *value {
	c := &value{name: v.name, t: v.t, owned: !v.t.isTrivial()}
	switch {
	case v.t.isTrivial():
	case f.ossa:
		c.name = f.def("copy_value %s : $%s", v.name, v.t.name)
	case v.t.kind == classKind || v.t.kind == funcKind:
		f.op("strong_retain %s : $%s", v.name, v.t.name)
	default:
		f.op("retain_value %s : $%s", v.name, v.t.name)
	}
	return c
}

// borrowed runs code with a value that is borrowed meanwhile.
func (f *fn) borrowed(v *value, code func(name string)) {
	if !f.ossa || !v.owned {
		code(v.name)
		return
	}
	v.locks++
	b := f.def("begin_borrow %s : $%s", v.name, v.t.name)
	code(b)
	f.op("end_borrow %s : $%s", b, v.t.name)
	v.locks--
}

// integer returns a literal.
func (f *fn) integer(n int) string {
	return f.def("struct $Int (%s : $Builtin.Int64)", f.def("integer_literal $Builtin.Int64, %d", n))
}

// raw takes the number out of an Int.
func (f *fn) raw(name string) string {
	return f.def("struct_extract %s : $Int, #Int._value", name)
}

// binary does wrapping arithmetic on two Ints.
func (f *fn) binary(op, a, b string) string {
	r := f.def("builtin \"%s_Int64\"(%s : $Builtin.Int64, %s : $Builtin.Int64) : $Builtin.Int64", op, f.raw(a), f.raw(b))
	return f.def("struct $Int (%s : $Builtin.Int64)", r)
}

// compare returns a bit from two Ints.
func (f *fn) compare(op, a, b string) string {
	return f.def("builtin \"cmp_%s_Int64\"(%s : $Builtin.Int64, %s : $Builtin.Int64) : $Builtin.Int1", op, f.raw(a), f.raw(b))
}

// print shows a number.
func (f *fn) print(name string) {
	f.call("line", "$@convention(thin) (Int) -> ()", name)
}

// call applies a function by name and returns its direct result.
func (f *fn) call(name, t string, args ...string) string {
	r := f.def("function_ref @%s : %s", name, t)
	return f.def("apply %s(%s) : %s", r, strings.Join(args, ", "), t)
}

// mark prints a number that says where the run is.
func (f *fn) mark() { f.print(f.integer(f.g.n(90) + 10)) }
