package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// SwiftOptions choose a Swift program.
type SwiftOptions struct {
	Seed     uint64
	Size     int  // functions besides the helpers; 0 is 6
	Wide     bool // uses the language widely, with types made at random
	Embedded bool // for Embedded Swift: no existentials, weak references or untyped errors
}

// Swift returns the source of a random program whose SIL the compiler makes: native code then is a judge of silvm, too. It ends, traps nowhere
// and prints values only. Deinits print; where they do it is the compiler's affair.
func Swift(o SwiftOptions) []byte {
	if o.Size <= 0 {
		o.Size = 6
	}
	if o.Wide {
		return wideSwift(o)
	}
	s := &swift{o: o}
	s.r = rand.New(rand.NewPCG(o.Seed, 0x5111f7))
	s.head()
	for range o.Size {
		s.function()
	}
	s.line("func test() {")
	s.block(func() {
		for _, f := range s.funcs {
			s.callStatement(f)
		}
	})
	s.line("}")
	s.line("test()")
	s.line("show(ended)")
	return []byte(s.out.String())
}

// swift is a program under way.
type swift struct {
	swiftWriter[string]
	o      SwiftOptions
	funcs  []swiftFunc
	loops  int    // loops around the code that is written now
	result string // type of the function's result, "" for none
	throws bool   // the function may throw
	fixed  bool   // within a closure: no exit from the function
}

// swiftFunc is a function that later ones may call.
type swiftFunc struct {
	name   string
	params []swiftVar[string] // mutable ones are inout
	result string
	throws bool
}

var swiftTypes = []string{"Int", "Int", "A", "A", "B", "Pair", "Shape", "A?", "(Int) -> Int", "[A]", "[Int]", "Box<Int>", "Box<A>"}

func (s *swift) kind() string { return swiftTypes[s.n(len(swiftTypes))] }

func (s *swift) head() {
	kind, weak := "ordinary", "  weak var friend: A? = nil\n"
	if s.o.Embedded {
		kind, weak = "embedded", ""
	}
	fmt.Fprintf(&s.out, `// silvm gen --swift %s --seed %d --size %d
var ended = 0

@inline(never) func show(_ n: Int) { print(n & 0xffff) }

protocol Tells { func tell(_ n: Int) -> Int }

class A: Tells {
  let id: Int
  var v: Int
  var next: A? = nil
%s  init(_ id: Int) { self.id = id; v = id }
  func tell(_ n: Int) -> Int { v = v &+ n; return v }
  deinit { ended = ended &+ 1; show(1000 &+ v) }
}

final class B: A {
  var held: [A] = []
  override func tell(_ n: Int) -> Int { return held.count &+ n }
}

struct Pair: Tells {
  var a: A
  var n: Int
  func tell(_ n: Int) -> Int { return a.v &+ n }
  mutating func swapIn(_ b: A) -> A { let old = a; a = b; n = n &+ 1; return old }
}

enum Shape {
  case none
  case one(A)
  case two(A, Int)
  case number(Int)
  indirect case more(Pair)
  var size: Int {
    switch self {
    case .none: return 0
    case .one(let a): return a.v
    case .two(let a, let n): return a.v &+ n
    case .number(let n): return n
    case .more(let p): return p.tell(1)
    }
  }
}

struct Box<T> {
  var value: T
  var count = 0
  init(_ value: T) { self.value = value }
  mutating func replace(_ with: T) -> T { let old = value; value = with; count = count &+ 1; return old }
}

struct Failure: Error { let a: A }

final class Keeper { var kept: A? = nil; var act: ((Int) -> Int)? = nil }

@inline(never) func same(_ c: __owned A) -> A { return c }
@inline(never) func paired(_ c: A) -> (A, Int) { return (c, c.id) }
@inline(never) func maybe(_ c: A) -> A? { return c }
@inline(never) func cased(_ c: A) -> Shape { return .one(c) }
@inline(never) func keep(_ c: A, in k: Keeper) { k.kept = c }
@inline(never) func act(_ c: A) -> (Int) -> Int { return { n in c.v = c.v &+ n; return c.v } }
@inline(never) func passOn<T>(_ x: T) -> T { return x }
@inline(never) func exchange<T>(_ x: inout T, _ y: T) -> T { let old = x; x = y; return old }
@inline(never) func twice(_ f: (Int) -> Int) -> Int { return f(f(2)) }
@inline(never) func told<T: Tells>(_ x: T, _ n: Int) -> Int { return x.tell(n) }
@inline(never) func failing(_ c: A, _ n: Int) throws(Failure) -> Int { if n & 1 == 0 { throw Failure(a: c) }; return n }
@inline(never) func write(_ c: A, _ n: Int, through way: Int) {
  switch way {
  case 0: same(c).v = n
  case 1: paired(c).0.v = n
  case 2: maybe(c)!.v = n
  case 3: if case .one(let d) = cased(c) { d.v = n }
  case 4: let k = Keeper(); keep(c, in: k); k.kept!.v = n
  case 5: show(act(c)(n))
  case 6: do throws(Failure) { show(try failing(c, 2)) } catch { error.a.v = n }
  default: var b = Box(c); show(b.replace(A(7)).v); b.value.v = n; c.v = c.v &+ n
  }
}

`, kind, s.o.Seed, s.o.Size, weak)
	if !s.o.Embedded {
		s.out.WriteString("@inline(never) func any(_ x: any Tells, _ n: Int) -> Int { return x.tell(n) }\n\n")
	}
}

// expr returns an expression of a type.
func (s *swift) expr(t string, depth int) string {
	if list := s.vars(t, false); len(list) > 0 && (depth > 2 || !s.chance(3)) {
		return list[s.n(len(list))]
	}
	if depth > 3 && t == "Int" {
		return fmt.Sprint(s.n(10))
	}
	d := depth + 1
	one := func(list ...func() string) string { return list[s.n(len(list))]() }
	switch t {
	case "Int":
		return one(
			func() string { return fmt.Sprint(s.n(10)) },
			func() string { return fmt.Sprintf("(%s &+ %s)", s.expr("Int", d), s.expr("Int", d)) },
			func() string { return s.expr("A", d) + ".v" },
			func() string { return s.expr("Shape", d) + ".size" },
			func() string { return fmt.Sprintf("told(%s, %s)", s.expr("Pair", d), s.expr("Int", d)) },
			func() string { return fmt.Sprintf("(%s)(%s)", s.expr("(Int) -> Int", d), s.expr("Int", d)) },
			func() string { return s.expr("[A]", d) + ".count" },
			func() string { return s.expr("A", d) + ".tell(3)" })
	case "A":
		return one(
			func() string { return fmt.Sprintf("A(%s)", s.expr("Int", d)) },
			func() string { return fmt.Sprintf("same(%s)", s.expr("A", d)) },
			func() string { return fmt.Sprintf("(%s ?? A(%d))", s.expr("A?", d), s.n(10)) },
			func() string { return s.expr("Pair", d) + ".a" },
			func() string { return fmt.Sprintf("passOn(%s)", s.expr("A", d)) })
	case "B":
		return fmt.Sprintf("B(%s)", s.expr("Int", d))
	case "Pair":
		return fmt.Sprintf("Pair(a: %s, n: %s)", s.expr("A", d), s.expr("Int", d))
	case "Shape":
		return one(
			func() string { return "Shape.none" },
			func() string { return fmt.Sprintf("Shape.one(%s)", s.expr("A", d)) },
			func() string { return fmt.Sprintf("Shape.two(%s, %s)", s.expr("A", d), s.expr("Int", d)) },
			func() string { return fmt.Sprintf("Shape.number(%s)", s.expr("Int", d)) },
			func() string { return fmt.Sprintf("Shape.more(%s)", s.expr("Pair", d)) })
	case "A?":
		return one(
			func() string { return "nil as A?" },
			func() string { return fmt.Sprintf("maybe(%s)", s.expr("A", d)) },
			func() string { return s.expr("A", d) + ".next" })
	case "(Int) -> Int":
		return one(
			func() string { return fmt.Sprintf("act(%s)", s.expr("A", d)) },
			func() string { return fmt.Sprintf("{ n in n &+ %d }", s.n(9)) })
	case "[A]":
		return fmt.Sprintf("[%s, %s]", s.expr("A", d), s.expr("A", d))
	case "[Int]":
		return fmt.Sprintf("[%s, %s]", s.expr("Int", d), s.expr("Int", d))
	case "Box<Int>":
		return fmt.Sprintf("Box(%s)", s.expr("Int", d))
	}
	return fmt.Sprintf("Box<A>(%s)", s.expr("A", d))
}

// show prints something of a value.
func (s *swift) show(e, t string) {
	switch t {
	case "Int":
		s.line("show(%s)", e)
	case "A", "B":
		s.line("show(%s.v)", e)
	case "Pair":
		s.line("show((%s).tell(2))", e)
	case "Shape":
		s.line("show((%s).size)", e)
	case "A?":
		s.line("show((%s)?.id ?? 99)", e)
	case "(Int) -> Int":
		s.line("show((%s)(4))", e)
	case "[A]":
		s.line("for x in %s { show(x.id) }", e)
	case "[Int]":
		s.line("for x in %s { show(x) }", e)
	case "Box<Int>":
		s.line("show((%s).value &+ (%s).count)", e, e)
	case "Box<A>":
		s.line("show((%s).value.v)", e)
	}
}

// statements of a body; deep says how many levels there may be below.
func (s *swift) statements(n, deep int) {
	for range n {
		s.statement(deep)
	}
}

func (s *swift) statement(deep int) {
	t := s.kind()
	switch k := s.n(24); {
	case k < 4:
		v := swiftVar[string]{s.name("x"), t, s.chance(2)}
		word := "let"
		if v.mutable {
			word = "var"
		}
		s.line("%s %s: %s = %s", word, v.name, t, s.expr(t, 1))
		s.declare(v.name, v.t, v.mutable)
		if v.mutable {
			s.line("_ = exchange(&%s, %s)", v.name, v.name)
		}
	case k < 7:
		if list := s.vars(t, true); len(list) > 0 {
			s.assign(list[s.n(len(list))], s.expr(t, 1))
			return
		}
		s.show(s.variable(t), t)
	case k < 9:
		s.assign(s.variable("A")+".v", s.expr("Int", 1))
	case k < 11:
		a := s.variable("A")
		s.line("write(%s, %s, through: %d)", a, s.expr("Int", 2), s.n(8))
		s.show(a, "A")
	case k < 12:
		s.mutation()
	case k < 13 && len(s.funcs) > 0 && s.loops == 0 && !s.fixed:
		s.callStatement(s.funcs[s.n(len(s.funcs))])
	case k < 14:
		s.closure()
	case k < 15 && !s.o.Embedded:
		s.line("show(any(%s, %d))", s.expr("Pair", 2), s.n(9))
	case k < 16:
		a := s.variable("A")
		s.line("do throws(Failure) { show(try failing(%s, %s)) } catch { error.a.v = error.a.v &+ 5; show(error.a.v) }", a, s.expr("Int", 2))
		s.show(a, "A")
	case k < 21 && deep > 0:
		s.control(deep - 1)
	default:
		s.show(s.variable(t), t)
	}
}

// assign writes an assignment; the compiler wants nothing to be assigned to itself.
func (s *swift) assign(to, e string) {
	if e == to {
		e = "passOn(" + e + ")"
	}
	s.line("%s = %s", to, e)
}

// variable is the name of a variable of a type, a new one if there is none.
func (s *swift) variable(t string) string {
	if list := s.vars(t, false); len(list) > 0 {
		return list[s.n(len(list))]
	}
	name := s.name("x")
	s.line("let %s: %s = %s", name, t, s.expr(t, 2))
	s.declare(name, t, false)
	return name
}

// mutation changes a value in place, and looks at a copy that was made before.
func (s *swift) mutation() {
	t := []string{"Pair", "[A]", "[Int]", "Box<Int>", "Box<A>"}[s.n(5)]
	name := s.name("x")
	s.line("var %s: %s = %s", name, t, s.expr(t, 1))
	copied := s.name("x")
	s.line("let %s = %s", copied, name)
	switch t {
	case "Pair":
		s.line("show(%s.swapIn(%s).id)", name, s.expr("A", 2))
	case "[A]":
		s.line("%s[%s & 1] = %s", name, s.expr("Int", 2), s.expr("A", 2))
	case "[Int]":
		s.line("%s[%s & 1] = %s", name, s.expr("Int", 2), s.expr("Int", 2))
	case "Box<Int>":
		s.line("show(%s.replace(%s))", name, s.expr("Int", 2))
	default:
		s.line("show(%s.replace(%s).id)", name, s.expr("A", 2))
	}
	s.declare(name, t, true)
	s.declare(copied, t, false)
	s.show(copied, t)
	s.show(name, t)
}

// closure calls a closure that captures what there is, by value or by variable.
func (s *swift) closure() {
	name := s.name("f")
	s.line("let %s: (Int) -> Int = { n in", name)
	before := s.fixed
	s.fixed = true
	s.block(func() {
		s.declare("n", "Int", false)
		s.statements(1+s.n(2), 0)
		s.line("return n &+ %s", s.expr("Int", 2))
	})
	s.fixed = before
	s.line("}")
	s.line("show(twice(%s))", name)
	s.show(name, "(Int) -> Int")
}

func (s *swift) control(deep int) {
	switch s.n(5) {
	case 0:
		s.line("if %s < %s {", s.expr("Int", 2), s.expr("Int", 2))
		s.block(func() { s.statements(1+s.n(3), deep) })
		s.line("} else {")
		s.block(func() { s.statements(s.n(3), deep) })
		s.line("}")
	case 1:
		i := s.name("i")
		s.line("for %s in 0..<%d {", i, 1+s.n(3))
		s.loops++
		s.block(func() {
			s.declare(i, "Int", false)
			s.statements(1+s.n(2), deep)
			if s.chance(2) {
				s.line("if %s == %s { %s }", s.expr("Int", 2), s.expr("Int", 2), []string{"break", "continue"}[s.n(2)])
			}
			s.statements(1, deep)
		})
		s.loops--
		s.line("}")
	case 2:
		a, n := s.name("a"), s.name("n")
		s.line("switch %s {", s.expr("Shape", 1))
		s.line("case .one(let %s), .two(let %s, _):", a, a)
		s.block(func() { s.declare(a, "A", false); s.statements(1+s.n(2), deep) })
		s.line("case .number(let %s):", n)
		s.block(func() { s.declare(n, "Int", false); s.statements(1+s.n(2), deep); s.line("show(%s)", n) })
		s.line("default: show(%d)", s.n(100))
		s.line("}")
	case 3:
		a := s.name("a")
		s.line("if let %s = %s {", a, s.expr("A?", 1))
		s.block(func() { s.declare(a, "A", false); s.statements(1+s.n(2), deep); s.line("show(%s.v)", a) })
		s.line("}")
	default:
		if s.fixed {
			s.line("show(%d)", s.n(100))
			return
		}
		s.line("if %s > %s {", s.expr("Int", 2), s.expr("Int", 2))
		s.block(func() {
			s.statements(s.n(2), 0)
			if s.throws && s.chance(2) {
				s.line("throw Failure(a: %s)", s.expr("A", 1))
				return
			}
			s.giveBack()
		})
		s.line("}")
	}
}

func (s *swift) giveBack() {
	if s.result == "" {
		s.line("return")
		return
	}
	s.line("return %s", s.expr(s.result, 1))
}

func (s *swift) function() {
	f := swiftFunc{name: s.name("f"), throws: s.chance(4)}
	var params []string
	s.scopes = [][]swiftVar[string]{nil}
	for range s.n(4) {
		p := swiftVar[string]{s.name("p"), s.kind(), s.chance(4)}
		word := ""
		switch {
		case p.mutable:
			word = "inout "
		case strings.Contains(p.t, "->"):
			word = "@escaping "
		case s.chance(4):
			word = "__owned "
		}
		params = append(params, "_ "+p.name+": "+word+p.t)
		f.params = append(f.params, p)
	}
	if !s.chance(3) {
		f.result = s.kind()
	}
	text := "@inline(never) "
	if s.chance(2) {
		text = ""
	}
	text += "func " + f.name + "(" + strings.Join(params, ", ") + ")"
	if f.throws {
		text += " throws(Failure)"
	}
	if f.result != "" {
		text += " -> " + f.result
	}
	s.line("%s {", text)
	s.result, s.throws = f.result, f.throws
	s.block(func() {
		for _, p := range f.params {
			if p.mutable { // closures that leave can't capture what is passed inout
				local := s.name("x")
				s.line("var %s = %s", local, p.name)
				s.line("defer { %s = %s }", p.name, local)
				s.declare(local, p.t, true)
				continue
			}
			s.declare(p.name, p.t, p.mutable)
		}
		s.statements(3+s.n(6), 2)
		s.giveBack()
	})
	s.line("}")
	s.out.WriteByte('\n')
	s.funcs = append(s.funcs, f)
}

// callStatement calls a function and shows what comes back.
func (s *swift) callStatement(f swiftFunc) {
	var args []string
	for _, p := range f.params {
		if !p.mutable {
			args = append(args, s.expr(p.t, 2))
			continue
		}
		name := s.name("x")
		s.line("var %s: %s = %s", name, p.t, s.expr(p.t, 2))
		args = append(args, "&"+name)
	}
	call := f.name + "(" + strings.Join(args, ", ") + ")"
	if f.throws {
		s.line("do throws(Failure) {")
		s.indent++
		call = "try " + call
	}
	if f.result == "" {
		s.line("%s", call)
	} else {
		v := s.name("r")
		s.line("let %s: %s = %s", v, f.result, call)
		s.show(v, f.result)
	}
	if f.throws {
		s.indent--
		s.line("} catch { show(error.a.id) }")
	}
	for n, p := range f.params {
		if p.mutable {
			s.show(strings.TrimPrefix(args[n], "&"), p.t)
		}
	}
}
