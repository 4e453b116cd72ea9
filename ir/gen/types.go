package gen

import (
	"fmt"
	"slices"
	"strings"
)

type kind uint8

const (
	intKind kind = iota
	classKind
	structKind
	enumKind
	tupleKind
	funcKind // a closure from Int to Int
	anyKind  // an existential; address-only
	boxKind  // a box with a variable
	bufKind  // a struct with a reference to a tail-allocated buffer, which is copied on writes
)

// typ is a type of the module.
type typ struct {
	kind   kind
	name   string // as SIL writes it after $
	fields []field
	cases  []enumCase
	super  *typ
	number int
	elem   *typ // what a box holds
}

// field is a stored property, or an element of a tuple.
type field struct {
	name string
	t    *typ
	let  bool
}

// enumCase is a case with its payload, nil for none.
type enumCase struct {
	ref      string // such as Optional.some
	payload  *typ
	indirect bool
}

var intType = &typ{kind: intKind, name: "Int"}

// closure is the one type of closures.
var closure = &typ{kind: funcKind, name: "@callee_guaranteed (Int) -> Int"}

// anyP is the one type of existentials.
var anyP = &typ{kind: anyKind, name: "any P"}

func (t *typ) isTrivial() bool {
	switch t.kind {
	case intKind:
		return true
	case structKind, tupleKind:
		for _, f := range t.fields {
			if !f.t.isTrivial() {
				return false
			}
		}
		return true
	case enumKind:
		for _, c := range t.cases {
			if c.indirect || c.payload != nil && !c.payload.isTrivial() {
				return false
			}
		}
		return true
	}
	return false
}

// conforms reports whether the type conforms to P.
func (t *typ) conforms() bool { return t.kind == classKind || t.kind == structKind }

func (t *typ) isOptional() bool { return strings.HasPrefix(t.name, "Optional<") }

// allFields are those of a class with those that it inherits.
func (t *typ) allFields() []field {
	if t.super == nil {
		return slices.Clone(t.fields)
	}
	return append(t.super.allFields(), t.fields...)
}

// owner is the class that declares the field.
func (t *typ) owner(f field) *typ {
	for _, x := range t.fields {
		if x == f {
			return t
		}
	}
	return t.super.owner(f)
}

// root is the class at the top.
func (t *typ) root() *typ {
	for t.super != nil {
		t = t.super
	}
	return t
}

// boxOf returns the type of a box with one variable.
func boxOf(t *typ) *typ { return &typ{kind: boxKind, name: "{ var " + t.name + " }", elem: t} }

// optional returns Optional<t>.
func (g *generator) optional(t *typ) *typ {
	return g.derive("Optional<"+t.name+">", func(name string) *typ {
		return &typ{kind: enumKind, name: name, cases: []enumCase{{ref: "Optional.some", payload: t}, {ref: "Optional.none"}}}
	})
}

// pair returns the type of a tuple.
func (g *generator) pair(a, b *typ) *typ {
	return g.derive("("+a.name+", "+b.name+")", func(name string) *typ {
		return &typ{kind: tupleKind, name: name, fields: []field{{t: a}, {t: b}}}
	})
}

func (g *generator) derive(name string, make func(name string) *typ) *typ {
	if g.derived[name] == nil {
		g.derived[name] = make(name)
	}
	return g.derived[name]
}

// types makes up the types of the module and declares them. A stored property is of a type that was made before its own, which keeps rings
// of references rare.
func (g *generator) types() {
	g.derived, g.shows = map[string]*typ{}, map[string]string{}
	g.decls.WriteString("protocol P {\n  func tell(_ x: Int) -> Int\n}\n\n")
	g.all = []*typ{intType}
	for range 2 + g.n(3) {
		g.class()
		if g.buffer == nil {
			g.buffer = &typ{kind: bufKind, name: "Arr"}
			g.shows["Arr"] = "Arr"
			g.all = append(g.all, g.buffer)
		}
		if g.chance(2) {
			g.structure()
		}
		if g.chance(2) {
			g.enumeration()
		}
	}
	g.failure = &typ{kind: structKind, name: "Failure", fields: []field{{name: "held", t: g.classes[0]}}}
	if len(g.structs) == 0 {
		g.structure()
	}
	g.all = append(g.all, closure, g.optional(pick(g, g.classes)), g.pair(pick(g, g.classes), intType), g.pair(pick(g, g.classes), pick(g, g.all)))
	if g.chance(2) {
		g.all = append(g.all, g.optional(pick(g, g.structs)))
	}
	for n := range 1 + g.n(3) {
		t := intType
		if n > 0 {
			t = g.optional(pick(g, g.classes))
		}
		g.globals = append(g.globals, global{fmt.Sprintf("g%d", n), t})
	}
}

func (g *generator) class() {
	t := &typ{kind: classKind, number: len(g.classes)}
	t.name = fmt.Sprintf("C%d", t.number)
	final := "final "
	if t.number > 0 && g.chance(3) {
		t.super = g.classes[g.n(t.number)]
	}
	names := "xyzw"
	if t.super != nil {
		names = fmt.Sprintf("%d", t.number)
	} else {
		t.fields = append(t.fields, field{name: "id", t: intType, let: true}, field{name: "v", t: intType})
	}
	for n := range min(1+g.n(3), len(names)) {
		ft := pick(g, g.all)
		if ft.kind == classKind && g.chance(2) {
			ft = g.optional(ft)
		}
		if g.chance(6) {
			ft = closure
		}
		t.fields = append(t.fields, field{name: "f" + names[n:n+1], t: ft})
	}
	above := "P"
	if t.super != nil {
		above = t.super.name
	}
	fmt.Fprintf(&g.decls, "class %s : %s {\n", t.name, above)
	for _, f := range t.fields {
		if f.let {
			fmt.Fprintf(&g.decls, "  @_hasStorage %slet %s: %s { get }\n", final, f.name, swiftName(f.t))
			continue
		}
		fmt.Fprintf(&g.decls, "  @_hasStorage %svar %s: %s { get set }\n", final, f.name, swiftName(f.t))
	}
	if t.super == nil {
		g.decls.WriteString("  func tell(_ x: Int) -> Int\n")
	} else {
		g.decls.WriteString("  override func tell(_ x: Int) -> Int\n")
	}
	g.decls.WriteString("  deinit\n}\n\n")
	g.classes = append(g.classes, t)
	g.all = append(g.all, t, t)
}

func (g *generator) structure() {
	t := &typ{kind: structKind, name: fmt.Sprintf("S%d", len(g.structs))}
	for n := range 1 + g.n(3) {
		ft := pick(g, g.all)
		if n == 0 && g.chance(3) {
			ft = pick(g, g.classes)
		}
		t.fields = append(t.fields, field{name: fmt.Sprintf("s%d", n), t: ft})
	}
	fmt.Fprintf(&g.decls, "struct %s : P {\n", t.name)
	for _, f := range t.fields {
		fmt.Fprintf(&g.decls, "  @_hasStorage var %s: %s { get set }\n", f.name, swiftName(f.t))
	}
	g.decls.WriteString("  func tell(_ x: Int) -> Int\n}\n\n")
	g.structs = append(g.structs, t)
	g.all = append(g.all, t)
}

func (g *generator) enumeration() {
	t := &typ{kind: enumKind, name: fmt.Sprintf("E%d", len(g.enums))}
	fmt.Fprintf(&g.decls, "enum %s {\n", t.name)
	for n := range 2 + g.n(3) {
		c := enumCase{ref: fmt.Sprintf("%s.k%d", t.name, n)}
		switch g.n(4) {
		case 0:
		case 1:
			c.payload = g.pair(pick(g, g.classes), intType)
		default:
			c.payload = pick(g, g.all)
			c.indirect = g.chance(4)
		}
		word, payload := "case", ""
		if c.indirect {
			word = "indirect case"
		}
		if c.payload != nil {
			payload = "(" + strings.Trim(swiftName(c.payload), "()") + ")"
			if c.payload.kind != tupleKind {
				payload = "(" + swiftName(c.payload) + ")"
			}
		}
		fmt.Fprintf(&g.decls, "  %s k%d%s\n", word, n, payload)
		t.cases = append(t.cases, c)
	}
	g.decls.WriteString("}\n\n")
	g.enums = append(g.enums, t)
	g.all = append(g.all, t)
}

// swiftName is the type as a declaration writes it.
func swiftName(t *typ) string {
	if t.kind == funcKind {
		return "(Int) -> Int"
	}
	return t.name
}
