package gen

import (
	"fmt"
	"slices"
	"strings"
)

var (
	wInt     = &wideType{kind: wideInt, text: "Int"}
	wBool    = &wideType{kind: wideBool, text: "Bool"}
	wString  = &wideType{kind: wideString, text: "String"}
	wClosure = &wideType{kind: wideClosure, text: "(Int) -> Int", rank: 1}
)

// kind chooses a type for a variable.
func (w *wide) kind() *wideType {
	switch k := w.n(20); {
	case k < 2:
		return wInt
	case k < 3:
		return wString
	case k < 4:
		return wBool
	case k < 8:
		return w.classes[w.n(len(w.classes))]
	case k < 10:
		return w.structs[w.n(len(w.structs))]
	case k < 12:
		return w.enums[w.n(len(w.enums))]
	case k < 14:
		return w.generic[w.n(len(w.generic))]
	case k < 15:
		return wClosure
	}
	return w.lists[w.n(len(w.lists))]
}

// over makes a type over others; the same one for the same others.
func (w *wide) over(kind wideKind, elems ...*wideType) *wideType {
	t := &wideType{kind: kind, elems: elems}
	var texts []string
	for _, e := range elems {
		texts = append(texts, e.text)
		t.rank = max(t.rank, e.rank+1)
	}
	first := texts[0]
	switch kind {
	case wideOptional:
		if elems[0].kind == wideProto || isWideCode(elems[0]) {
			first = "(" + first + ")"
		}
		t.text = first + "?"
	case wideArray:
		t.text = "[" + first + "]"
	case wideDict:
		t.text = "[String: " + first + "]"
	case wideTuple:
		t.text = "(" + strings.Join(texts, ", ") + ")"
	case wideThunk:
		t.text = "() -> " + first
	case wideBox:
		t.text = "Box<" + first + ">"
	case wideTwo:
		t.text = "Two<" + strings.Join(texts, ", ") + ">"
	}
	for _, list := range [][]*wideType{w.generic, w.lists} {
		for _, old := range list {
			if old.text == t.text {
				return old
			}
		}
	}
	if kind == wideBox || kind == wideTwo {
		w.generic = append(w.generic, t)
	} else {
		w.lists = append(w.lists, t)
	}
	return t
}

// types declares the types of the program.
func (w *wide) types() {
	w.over(wideBox, wInt)
	w.over(wideArray, wInt)
	w.over(wideOptional, wInt)
	for range 1 + w.n(2) {
		w.proto()
	}
	for n := range 2 + w.n(3) {
		w.class()
		for _, p := range w.protos {
			if n == 0 {
				w.lists = append(w.lists, &wideType{kind: wideProto, text: "any " + p, protos: []string{p}, rank: w.classes[0].rank + 1})
			}
		}
		w.more()
		if w.chance(2) {
			w.structure()
			w.more()
		}
		if w.chance(2) {
			w.enumeration()
			w.more()
		}
	}
	w.structure()
	w.enumeration()
	for range 4 {
		w.more()
	}
	w.globals()
}

// stored chooses a type for a stored property or a payload, among those that there are.
func (w *wide) stored() *wideType {
	all := []*wideType{wInt, wInt, wString, wBool}
	for _, list := range [][]*wideType{w.classes, w.classes, w.structs, w.enums, w.generic, w.lists} {
		all = append(all, list...)
	}
	for {
		if t := all[w.n(len(all))]; t.rank < 4 && t.kind != wideTuple && !isWideCode(t) {
			return t
		}
	}
}

// isShown reports whether the type conforms to Shown.
func isShown(t *wideType) bool {
	switch t.kind {
	case wideProto, wideTuple, wideClosure, wideThunk:
		return false
	case wideOptional, wideArray, wideDict:
		return isShown(t.elems[0])
	}
	return true
}

func (w *wide) shown() *wideType {
	for {
		if t := w.stored(); isShown(t) {
			return t
		}
	}
}

// more makes types over those that there are.
func (w *wide) more() {
	switch w.n(8) {
	case 0, 1:
		w.over(wideOptional, w.notOptional())
	case 2:
		w.over(wideArray, w.stored())
	case 3:
		w.over(wideDict, w.shown())
	case 4:
		w.over(wideTuple, w.stored(), w.stored())
	case 5:
		w.over(wideThunk, w.stored())
	case 6:
		w.over(wideBox, w.shown())
	case 7:
		w.over(wideTwo, w.shown(), w.shown())
	}
}

func (w *wide) notOptional() *wideType {
	for {
		if t := w.stored(); t.kind != wideOptional {
			return t
		}
	}
}

// proto declares a protocol with a requirement that has a default.
func (w *wide) proto() {
	p := w.name("P")
	w.protos = append(w.protos, p)
	w.line("protocol %s: Shown {", p)
	w.line("  var weight: Int { get }")
	w.line("  func m%s(_ n: Int) -> Int", p)
	w.line("  mutating func change%s(_ n: Int)", p)
	w.line("}")
	w.line("extension %s {", p)
	w.line("  func m%s(_ n: Int) -> Int { return weight &+ n }", p)
	w.line("  mutating func change%s(_ n: Int) { print(\"default change\", n) }", p)
	w.line("  func extra%s(_ n: Int) -> String { return \"\\(m%s(n)) of \\(d)\" }", p, p)
	w.line("}")
	w.line("@inline(never) func use%s<T: %s>(_ x: T, _ n: Int) -> Int { var y = x; y.change%s(n); return y.m%s(n) }", p, p, p, p)
	w.line("@inline(never) func useAny%s(_ x: any %s, _ n: Int) -> Int { var y = x; y.change%s(n); return y.m%s(n) }\n", p, p, p, p)
}

// conforms chooses the protocols of a type; the first class has all.
func (w *wide) conforms() (list []string) {
	for _, p := range w.protos {
		if len(w.classes) == 0 || w.chance(2) {
			list = append(list, p)
		}
	}
	return list
}

func (w *wide) rankOf(fields []wideField) int {
	rank := 0
	for _, f := range fields {
		rank = max(rank, f.t.rank)
	}
	return rank + 1
}

// witnesses writes what the protocols ask for.
func (w *wide) witnesses(t *wideType, inherited bool) {
	word := ""
	if t.kind == wideStruct {
		word = "mutating "
	}
	if !inherited {
		w.line("var weight: Int { return %d }", w.n(20))
	}
	ints := w.fieldsOf(t, wInt)
	for _, p := range t.protos {
		if len(ints) == 0 {
			break
		}
		f := ints[w.n(len(ints))]
		if w.chance(2) {
			w.line("func m%s(_ n: Int) -> Int { return %s &+ n &* 3 }", p, f.name)
		}
		if f.mutable && w.chance(2) {
			w.line("%sfunc change%s(_ n: Int) { %s = %s &+ n }", word, p, f.name, f.name)
		}
	}
}

func (w *wide) fieldsOf(t, of *wideType) (list []wideField) {
	for _, f := range t.fields {
		if f.t == of {
			list = append(list, f)
		}
	}
	return list
}

// class declares a class: properties of all kinds, a deinit that prints, methods, an initializer that may fail.
func (w *wide) class() {
	t := &wideType{kind: wideClass, text: w.name("C"), final: w.chance(3)}
	var bases []*wideType
	for _, c := range w.classes {
		if !c.final {
			bases = append(bases, c)
		}
	}
	if len(bases) > 0 && w.chance(2) {
		t.super = bases[w.n(len(bases))]
		t.fields = slices.Clone(t.super.fields)
		t.protos = slices.Clone(t.super.protos)
	}
	var own []wideField
	for range 1 + w.n(3) {
		own = append(own, wideField{w.name("a"), w.stored(), !w.chance(4)})
	}
	own = append(own, wideField{w.name("a"), wInt, true})
	t.fields = append(t.fields, own...)
	t.rank = w.rankOf(t.fields)
	var from []string
	if t.super != nil {
		from = append(from, t.super.text)
	}
	var fresh []string
	for _, p := range w.conforms() {
		if !slices.Contains(t.protos, p) {
			fresh = append(fresh, p)
			from = append(from, p)
		}
	}
	if len(from) == 0 {
		from = append(from, "Shown")
	}
	head := "class "
	if t.final {
		head = "final class "
	}
	w.line("%s%s: %s {", head, t.text, strings.Join(from, ", "))
	w.indent++
	if t.super == nil {
		w.line("let id = number()")
	}
	for _, f := range own {
		w.property(f)
	}
	w.line("weak var friend%s: %s? = nil", t.text, t.text)
	w.line("var next%s: %s? = nil", t.text, t.text)
	w.line("var act%s: ((Int) -> Int)? = nil", t.text)
	w.line("lazy var late%s: Box<Int> = Box(id)", t.text)
	w.line("static var count%s = 0", t.text)
	w.line("static let shared%s = Box<Int>(%d)", t.text, w.n(9))
	w.initializer(t, own)
	over := "override "
	if t.super == nil {
		over = ""
	}
	text := "\"" + t.text + "#\\(id)"
	for _, f := range w.fieldsOf(t, wInt) {
		text += "/\\(" + f.name + ")"
	}
	w.line("%svar d: String { return %s\" }", over, text)
	protos := t.protos
	t.protos = fresh
	w.witnesses(t, t.super != nil)
	t.protos = append(protos, fresh...)
	ints := w.fieldsOf(t, wInt)
	f := ints[len(ints)-1]
	call := ""
	if t.super != nil && w.chance(2) {
		call = "_ = super.work(n); "
	}
	w.line("%sfunc work(_ n: Int) -> Int { %s%s = %s &+ n; return %s &+ %d }", over, call, f.name, f.name, f.name, w.n(9))
	w.line("%sfunc me() -> %s { return self }", over, t.text)
	w.line("var double%s: Int { get { return %s &* 2 } set { %s = newValue / 2 } }", t.text, f.name, f.name)
	w.line(over+"subscript(n: Int) -> Int { get { return %s &+ n } set { %s = newValue &- n } }", f.name, f.name)
	w.line("deinit { print(\"deinit %s#\\(id)\", %s) }", t.text, f.name)
	w.indent--
	w.line("}\n")
	w.classes = append(w.classes, t)
}

// property declares a stored property, some with observers.
func (w *wide) property(f wideField) {
	word := "let"
	if f.mutable {
		word = "var"
	}
	observer := ""
	if f.mutable && f.t == wInt && w.chance(3) {
		observer = fmt.Sprintf(" { willSet { if newValue > 1000 { fuel -= 1 } } didSet { if %s != oldValue { print(\"changed\", oldValue) } } }", f.name)
	}
	w.line("%s %s: %s%s", word, f.name, f.t.text, observer)
}

func (w *wide) initializer(t *wideType, own []wideField) {
	var params, labels, supers []string
	for _, f := range t.fields {
		params = append(params, f.name+": "+f.t.text)
		labels = append(labels, f.name+": "+f.name)
		if !slices.Contains(own, f) {
			supers = append(supers, f.name+": "+f.name)
		}
	}
	body := func(fails string) {
		for n, f := range own {
			if fails != "" && n == len(own)/2 {
				w.line("  %s", fails)
			}
			w.line("  self.%s = %s", f.name, f.name)
		}
		if t.super != nil {
			w.line("  super.init(%s)", strings.Join(supers, ", "))
		}
	}
	w.line("init(%s) {", strings.Join(params, ", "))
	body("")
	w.line("  %s.count%s += 1", t.text, t.text)
	w.line("}")
	w.line("init(failing%s n: Int, %s) throws {", t.text, strings.Join(params, ", "))
	body("if n & 1 == 0 { throw Failure.code(n) }")
	w.line("  if n & 2 == 0 { throw Failure.plain }")
	w.line("}")
	w.line("convenience init?(maybe%s n: Int, %s) {", t.text, strings.Join(params, ", "))
	w.line("  if n & 1 == 1 { return nil }")
	w.line("  self.init(%s)", strings.Join(labels, ", "))
	w.line("}")
}

// structure declares a structure with methods that change it.
func (w *wide) structure() {
	t := &wideType{kind: wideStruct, text: w.name("S")}
	for range 1 + w.n(3) {
		t.fields = append(t.fields, wideField{w.name("b"), w.shown(), true})
	}
	t.fields = append(t.fields, wideField{w.name("b"), wInt, true})
	t.rank = w.rankOf(t.fields)
	t.protos = w.conforms()
	from := t.protos
	if len(from) == 0 {
		from = []string{"Shown"}
	}
	w.line("struct %s: %s {", t.text, strings.Join(from, ", "))
	w.indent++
	var texts []string
	for _, f := range t.fields {
		w.property(f)
		texts = append(texts, "\\("+f.name+".d)")
	}
	w.line("var d: String { return \"%s(%s)\" }", t.text, strings.Join(texts, " "))
	w.witnesses(t, false)
	f := t.fields[0]
	w.line("mutating func put(_ x: %s) -> %s { let old = %s; %s = x; return old }", f.t.text, f.t.text, f.name, f.name)
	w.line("func with(_ x: %s) -> %s { var copied = self; copied.%s = x; return copied }", f.t.text, t.text, f.name)
	w.line("static func + (a: %s, b: %s) -> %s { var c = a; c.%s = b.%s; return c }", t.text, t.text, t.text, f.name, f.name)
	w.line("static func == (a: %s, b: %s) -> Bool { return a.d == b.d }", t.text, t.text)
	w.indent--
	w.line("}\n")
	w.structs = append(w.structs, t)
}

// enumeration declares an enumeration with payloads, perhaps an indirect one.
func (w *wide) enumeration() {
	t := &wideType{kind: wideEnum, text: w.name("E")}
	for n := range 2 + w.n(4) {
		c := wideCase{name: w.name("c")}
		for range min(n, w.n(3)) {
			p := w.shown()
			c.payload = append(c.payload, p)
			t.rank = max(t.rank, p.rank+1)
		}
		t.cases = append(t.cases, c)
	}
	t.cases[0].payload = nil
	w.line("indirect enum %s: Shown {", t.text)
	w.indent++
	for _, c := range t.cases {
		w.line("case %s%s", c.name, parenthesized(typeTexts(c.payload)))
	}
	w.line("case again(%s, Int)", t.text)
	w.line("var d: String {")
	w.line("  switch self {")
	for _, c := range t.cases {
		var binds, texts []string
		for n := range c.payload {
			binds = append(binds, fmt.Sprintf("let x%d", n))
			texts = append(texts, fmt.Sprintf(" + x%d.d", n))
		}
		w.line("  case .%s%s: return \".%s\"%s", c.name, parenthesized(binds), c.name, strings.Join(texts, " + \" \""))
	}
	w.line("  case .again(let e, let n): return \"(\\(e.d) \\(n))\"")
	w.line("  }")
	w.line("}")
	w.line("mutating func wrap() { self = .again(self, depth) }")
	w.line("mutating func unwrap() -> Bool { if case .again(let e, _) = self { self = e; return true }; return false }")
	w.line("var depth: Int { if case .again(let e, _) = self { return e.depth &+ 1 }; return 0 }")
	w.indent--
	w.line("}\n")
	t.cases = append(t.cases, wideCase{"again", []*wideType{t, wInt}})
	w.enums = append(w.enums, t)
}

func typeTexts(list []*wideType) (texts []string) {
	for _, t := range list {
		texts = append(texts, t.text)
	}
	return texts
}

func parenthesized(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// globals declares variables of the file; they are initialized as it begins.
func (w *wide) globals() {
	w.scopes = [][]wideVar{nil}
	c := w.classes[w.n(len(w.classes))]
	w.line("var globalObject: %s? = nil", c.text)
	w.line("var globalList: [%s] = []", c.text)
	w.line("var globalActs: [(Int) -> Int] = []")
	w.line("@inline(never) func publish(_ x: %s) { globalObject = x; if globalList.count < 4 { globalList.append(x) } }", c.text)
	w.line("@inline(never) func forget() { globalObject = nil; globalList.removeAll(); globalActs.removeAll() }\n")
	w.global = c
}
