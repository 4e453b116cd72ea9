package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// wide is a Swift program under way that uses the language widely: its types are made at random, too, and their values are printed as text. The
// other kinds of Swift programs (swift.go) keep to one set of types and go deeper into who writes which object.
//
// Read this file, then wide_types.go (declarations), wide_values.go (expressions), wide_code.go, wide_more.go, wide_memory.go, wide_late.go and wide_deep.go (statements).
type wide struct {
	swiftWriter[*wideType]

	classes []*wideType
	structs []*wideType
	enums   []*wideType
	protos  []string
	generic []*wideType // instances of generic types
	global  *wideType   // class of the object that a global holds
	lists   []*wideType // arrays, dictionaries, optionals, tuples, closures over the others

	funcs  []wideFunc
	loops  []string  // labels of the loops around the code that is written now
	result *wideType // of the function that is written now
	throws bool      // it may throw
	inner  int       // closures around the code that is written now
	quiet  bool      // no calls of functions and closures
}

// wideKind says how a type is used.
type wideKind uint8

const (
	wideInt wideKind = iota
	wideBool
	wideString
	wideClass
	wideStruct
	wideEnum
	wideProto
	wideOptional
	wideArray
	wideDict
	wideTuple
	wideClosure // (Int) -> Int
	wideThunk   // () -> T
	wideBox     // a generic class
	wideTwo     // a generic structure
)

// wideType is a type of the program.
type wideType struct {
	kind   wideKind
	text   string
	elems  []*wideType
	fields []wideField // of classes those of the superclass are first
	cases  []wideCase
	super  *wideType
	final  bool
	protos []string
	rank   int // values of a type are made of those of lower rank only, so that making one ends
}

type wideField struct {
	name    string
	t       *wideType
	mutable bool
}

type wideCase struct {
	name    string
	payload []*wideType
}

// wideVar is a variable that code may use.
type wideVar = swiftVar[*wideType]

type wideFunc struct {
	name   string
	params []wideParam
	result *wideType // nil for none
	throws bool
}

type wideParam struct {
	label, name, word string
	t                 *wideType
}

func wideSwift(o SwiftOptions) []byte {
	w := &wide{}
	w.r = rand.New(rand.NewPCG(o.Seed, 0x3de))
	fmt.Fprintf(&w.out, "// silvm gen --swift wide --seed %d --size %d\n", o.Seed, o.Size)
	w.out.WriteString(widePrelude + wideMorePrelude + wideMemoryPrelude + wideLatePrelude + wideDeepPrelude + wideOwnedPrelude)
	async := w.chance(3)
	if async {
		w.out.WriteString(wideAsyncPrelude)
	}
	w.types()
	for range o.Size {
		w.function()
	}
	w.line("func test() {")
	w.block(func() {
		for _, f := range w.funcs {
			w.line("do {")
			w.block(func() { w.callFunc(f) })
			if f.throws {
				w.line("} catch let e as Failure { say(\"failed\", e.d) } catch { say(\"other error\") }")
			} else {
				w.line("}")
			}
			w.line("fuel = 4000")
		}
	})
	w.line("}")
	if async {
		w.asynchronously()
		w.line("test()")
		w.line("await afterwards()")
	} else {
		w.line("test()")
	}
	w.line("say(\"end\", made, fuel > 0)")
	return []byte(w.out.String())
}

const widePrelude = `import Synchronization

var made = 0
var fuel = 4000

protocol Shown { var d: String { get } }
extension Int: Shown { var d: String { return String(self) } }
extension Bool: Shown { var d: String { return self ? "yes" : "no" } }
extension String: Shown { var d: String { return "'" + self + "'" } }
extension Optional: Shown where Wrapped: Shown {
  var d: String { switch self { case .none: return "-"; case .some(let x): return "?" + x.d } }
}
extension Array: Shown where Element: Shown {
  var d: String { return "[" + map { $0.d }.joined(separator: ",") + "]" }
}
extension Dictionary: Shown where Key == String, Value: Shown {
  var d: String { return "{" + keys.sorted().map { "\($0):\(self[$0]!.d)" }.joined(separator: ",") + "}" }
}

func say(_ items: Any...) { print(items.map { "\($0)" }.joined(separator: " ")) }
func burn() -> Bool { fuel -= 1; return fuel > 0 }
func number() -> Int { made += 1; return made }

enum Failure: Error, Shown {
  case plain
  case code(Int)
  case held(Box<Int>)
  var d: String { switch self { case .plain: return "plain"; case .code(let n): return "code \(n)"; case .held(let b): return "held \(b.d)" } }
}

class Box<T: Shown>: Shown {
  let id = number()
  var value: T
  var changes = 0
  init(_ value: T) { self.value = value }
  func put(_ x: T) -> T { let old = value; value = x; changes += 1; return old }
  func with<R>(_ f: (inout T) throws -> R) rethrows -> R { defer { changes += 1 }; return try f(&value) }
  var d: String { return "Box#\(id)(\(value.d),\(changes))" }
  deinit { print("deinit Box#\(id)", changes) }
}

struct Two<A: Shown, B: Shown>: Shown {
  var first: A
  var second: B
  init(_ first: A, _ second: B) { self.first = first; self.second = second }
  func swapped() -> Two<B, A> { return Two<B, A>(second, first) }
  mutating func setFirst(_ x: A) -> A { defer { first = x }; return first }
  var d: String { return "<\(first.d) \(second.d)>" }
}

struct Countdown: Sequence, IteratorProtocol {
  var n: Int
  let token: Box<Int>
  mutating func next() -> Int? { if n <= 0 { return nil }; n -= 1; return n &+ token.value }
}

struct Stack<T: Shown>: Shown {
  private var items: [T] = []
  mutating func push(_ x: T) { items.append(x) }
  mutating func pop() -> T? { return items.popLast() }
  subscript(n: Int) -> T? {
    get { return n >= 0 && n < items.count ? items[n] : nil }
    set { if let x = newValue, n >= 0, n < items.count { items[n] = x } }
  }
  var d: String { return "S" + items.d }
}

struct Ticket: ~Copyable {
  let id = number()
  var held: Box<Int>
  borrowing func look() -> Int { return held.value }
  consuming func spend() -> Box<Int> { let h = held; print("spend", id); return h }
  deinit { print("deinit Ticket", held.value) }
}

@inline(never) func passOn<T>(_ x: T) -> T { return x }
@inline(never) func take<T>(_ x: __owned T) -> T { return x }
@inline(never) func exchange<T>(_ x: inout T, _ y: T) -> T { let old = x; x = y; return old }
@inline(never) func twice(_ f: (Int) throws -> Int) rethrows -> Int { return try f(f(2)) }
@inline(never) func later(_ f: @escaping (Int) -> Int) -> (Int) -> Int { return { n in burn() ? f(n &+ 1) : 0 } }
@inline(never) func either<T>(_ c: Bool, _ a: @autoclosure () -> T, _ b: @autoclosure () -> T) -> T { return c ? a() : b() }
@inline(never) func sum(_ list: Int..., from n: Int = 1) -> Int { return list.reduce(n, &+) }
@inline(never) func describe<T: Shown>(_ x: T) -> String { return x.d }
@inline(never) func describeAny(_ x: any Shown) -> String { return x.d }
func hidden(_ n: Int) -> some Shown { return Two(n, n &+ 1) }
func bounded(_ n: Int) -> Int { return n & 0xff }

`

// vars lists variables of a type that code may use here.
func (w *wide) vars(t *wideType, mutable bool) []string {
	if w.quiet && isWideCode(t) {
		return nil
	}
	return w.swiftWriter.vars(t, mutable)
}

func isWideCode(t *wideType) bool { return t.kind == wideClosure || t.kind == wideThunk }

// function writes a function that later ones may call.
func (w *wide) function() {
	f := wideFunc{name: w.name("f"), throws: w.chance(3)}
	w.scopes = [][]wideVar{nil}
	var params []string
	for range w.n(4) {
		p := wideParam{name: w.name("p"), label: "_", t: w.kind()}
		if w.chance(3) {
			p.label = w.name("l")
		}
		switch k := w.n(8); {
		case k == 0:
			p.word = "inout "
		case isWideCode(p.t):
			p.word = "@escaping "
		case k == 1:
			p.word = "__owned "
		case p.t.kind == wideTuple: // the compiler crashes at copies of tuples by name
		case k == 2 && p.t.kind != wideInt:
			p.word = "consuming "
		case k == 3:
			p.word = "borrowing "
		}
		params = append(params, fmt.Sprintf("%s %s: %s%s", p.label, p.name, p.word, p.t.text))
		f.params = append(f.params, p)
	}
	head := []string{"", "@inline(never) ", "@inline(__always) "}[w.n(3)] + "func " + f.name + "(" + strings.Join(params, ", ") + ")"
	if f.throws {
		head += " throws"
	}
	if !w.chance(3) {
		f.result = w.kind()
		head += " -> " + f.result.text
	}
	w.line("%s {", head)
	w.result, w.throws = f.result, f.throws
	w.block(func() {
		for _, p := range f.params {
			local := p.name
			switch p.word {
			case "inout ": // closures that leave can't capture what is passed inout
				local = w.name("x")
				w.line("var %s = %s", local, p.name)
				w.line("defer { %s = %s }", p.name, local)
			case "borrowing ", "consuming ":
				local = w.name("x")
				w.line("var %s = copy %s", local, p.name)
				w.line("_ = exchange(&%s, %s)", local, w.value(p.t, 1))
			}
			w.declare(local, p.t, local != p.name)
		}
		w.statements(3+w.n(6), 2)
		w.giveBack()
	})
	w.line("}\n")
	w.funcs = append(w.funcs, f)
}

func (w *wide) giveBack() {
	if w.result == nil {
		w.line("return")
		return
	}
	w.line("return %s", w.value(w.result, 3))
}

// callFunc calls a function and shows what comes back.
func (w *wide) callFunc(f wideFunc) {
	var args []string
	var changed []wideVar
	for _, p := range f.params {
		arg := ""
		if p.word == "inout " {
			name := w.name("x")
			w.line("var %s: %s = %s", name, p.t.text, w.value(p.t, 2))
			arg = "&" + name
			changed = append(changed, wideVar{name, p.t, true})
		} else {
			arg = w.value(p.t, 2)
		}
		if p.label != "_" {
			arg = p.label + ": " + arg
		}
		args = append(args, arg)
	}
	call := f.name + "(" + strings.Join(args, ", ") + ")"
	if f.throws {
		call = "try " + call
	}
	if f.result == nil {
		w.line("%s", call)
	} else {
		name := w.name("r")
		w.line("let %s: %s = %s", name, f.result.text, call)
		w.show(name, f.result)
	}
	for _, v := range changed {
		w.show(v.name, v.t)
	}
}
