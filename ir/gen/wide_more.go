package gen

// wideMorePrelude are types and functions for the features of wideMore.
const wideMorePrelude = `enum Parcel: ~Copyable {
  case nothing
  case one(Ticket)
  case two(Box<Int>, Box<Int>)
  borrowing func peek() -> Int {
    switch self {
    case .nothing: return 0
    case .one(let t): return t.look()
    case .two(let a, let b): return a.value &+ b.value
    }
  }
  consuming func open() -> Box<Int> {
    switch consume self {
    case .nothing: return Box(0)
    case .one(let t): return t.spend()
    case .two(let a, _): return a
    }
  }
}

struct Crate: ~Copyable {
  var left: Ticket
  var right: Parcel
  consuming func unpack(_ first: Bool) -> Box<Int> {
    let l = left
    let r = right
    if first { return l.spend() }
    return r.open()
  }
  mutating func replace(_ p: consuming Parcel) { right = p; left.held = Box(9) }
}

struct Vault<T: Shown>: Shown {
  var slots: [T]
  var log = 0
  init(_ a: T, _ b: T) { slots = [a, b] }
  var top: T {
    _read { yield slots[0] }
    _modify { log &+= 1; defer { log &+= 10 }; yield &slots[0] }
  }
  subscript(n: Int) -> T {
    get { return slots[(n & 0xff) % slots.count] }
    _modify {
      let k = (n & 0xff) % slots.count
      var x = slots[k]
      defer { slots[k] = x; log &+= 100 }
      yield &x
    }
  }
  mutating func visit(_ f: (inout T) throws -> Void) rethrows { for k in slots.indices { try f(&slots[k]) } }
  var d: String { return "V\(log)" + slots.d }
}

class Shelf<T: Shown>: Shown {
  var vault: Vault<T>
  init(_ v: Vault<T>) { vault = v }
  var front: T {
    _read { yield vault.top }
    _modify { defer { print("front changed", vault.log) }; yield &vault.top }
  }
  var d: String { return "Shelf" + vault.d }
  deinit { print("deinit Shelf", vault.log) }
}

struct Refused: Error, Shown {
  let by: Box<Int>
  let n: Int
  var d: String { return "refused \(n) by \(by.d)" }
}

@inline(never) func ask<T>(_ x: T, _ n: Int, _ by: Box<Int>) throws(Refused) -> T {
  if n & 1 == 0 { throw Refused(by: by, n: n) }
  return x
}
func attempt<T, E: Error>(_ n: Int, _ f: (Int) throws(E) -> T) throws(E) -> T { return try f(n &+ 1) }
func attemptAll<T>(_ list: [T], _ by: Box<Int>) throws(Refused) -> [T] {
  var result: [T] = []
  defer { print("asked", result.count) }
  for (n, x) in list.enumerated() { result.append(try ask(x, n &+ by.value, by)) }
  return result
}

@inline(never) func shows<each T: Shown>(_ x: repeat each T) -> String {
  var list: [String] = []
  repeat list.append((each x).d)
  return list.joined(separator: "|")
}
@inline(never) func pairUp<U, each T>(_ u: U, _ x: repeat each T) -> (repeat (each T, U)) { return (repeat (each x, u)) }

@inline(never) func turn<T>(_ a: inout ArraySlice<T>) {
  guard let first = a.popFirst() else { return }
  a.append(first)
}
@inline(never) func edit<T>(_ a: inout [T], _ x: T, _ n: Int) {
  for k in 0..<a.count where k == n { a[k] = x }
  if a.count > 2 { a[1...].reverse(); turn(&a[0..<2]) }
  if a.count > 1 { a.withUnsafeMutableBufferPointer { $0.swapAt(0, $0.count - 1) } }
  if n > 3 { a = Array(a.dropFirst()) }
}
@inline(never) func steps(_ a: [Int], _ n: Int) -> Int {
  var t = 0
  for k in 0..<a.count { t &+= a[k] &* (k &+ 1) }
  var k = a.count
  while k > 0 { k -= 1; t ^= a[k]; if a[k] == n { break } }
  for k in stride(from: 0, to: a.count, by: 2) { t &+= a[k] }
  if a.count > 1 { for k in 0..<a.count - 1 where a[k + 1] > a[k] { t &+= 1 } }
  return t
}
@inline(never) func fill(_ a: inout [Int], _ b: [Int], _ n: Int) -> Int {
  var t = 0
  for k in 0..<min(a.count, b.count) {
    a[k] = a[k] &+ b[k]
    if a[k] & 7 == n { a.removeLast(); break }
    t &+= a[k]
  }
  outer: for k in a.indices {
    for j in b.indices {
      if b[j] == a[k] { continue outer }
      if b[j] > 90 { break outer }
      t ^= a[k] &- b[j]
    }
  }
  return t
}

`

// wideMore are statements about features that wideMorePrelude has types for.
var wideMore = []func(*wide){
	func(w *wide) { // enumerations that are not copied, switched over and consumed
		n, box := w.name("p"), w.generic[0]
		w.line("do {")
		w.block(func() {
			w.line("let %s = %s", n, w.parcel())
			w.line("say(%s.peek())", n)
			switch w.n(3) {
			case 0:
				w.line("say(%s.open().d)", n)
			case 1:
				w.line("switch consume %s {", n)
				w.line("case .nothing: say(\"nothing\")")
				w.line("case .one(let t): say(t.look(), t.spend().d)")
				w.line("case .two(let a, let b):")
				w.block(func() {
					w.declare("a", box, false)
					w.declare("b", box, false)
					w.change()
					w.line("say(a.d, b.d)")
				})
				w.line("}")
			}
		})
		w.line("}")
	},
	func(w *wide) { // structures that are taken apart
		n := w.name("c")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Crate(left: Ticket(held: %s), right: %s)", n, w.value(w.generic[0], 1), w.parcel())
			w.line("%s.replace(%s)", n, w.parcel())
			switch w.n(3) {
			case 0:
				w.line("say(%s.unpack(%s).d)", n, w.condition(2))
			case 1:
				w.line("let %sleft = %s.left", n, n)
				w.line("say(%s.right.peek(), %sleft.look())", n, n)
			default:
				w.line("if %s { say(%s.unpack(false).d); %s = Crate(left: Ticket(held: Box(3)), right: %s) }", w.condition(2), n, n, w.parcel())
				w.line("say(%s.left.look())", n)
			}
		})
		w.line("}")
	},
	func(w *wide) { // accessors that are coroutines
		t := w.shown()
		v, s := w.name("v"), w.name("s")
		x, y := w.local(t), w.local(t)
		w.line("var %s = Vault<%s>(%s, %s)", v, t.text, x, w.value(t, 1))
		w.line("say(exchange(&%s.top, %s).d, exchange(&%s[%d], %s).d, %s.top.d)", v, y, v, w.n(5), x, v)
		w.line("let %s = Shelf<%s>(%s)", s, t.text, v)
		w.line("say(exchange(&%s.front, %s).d, exchange(&%s.vault[%d], %s).d)", s, x, s, w.n(5), y)
		w.line("%s.visit { $0 = %s }", v, y)
		w.line("say(%s.d, %s.d, %s.front.d)", v, s, s)
	},
	func(w *wide) { // errors of one type
		t := w.shown()
		by := w.local(w.generic[0])
		w.line("do {")
		w.block(func() {
			switch w.n(3) {
			case 0:
				w.line("say(try ask(%s, %s, %s).d)", w.value(t, 2), w.value(wInt, 2), by)
			case 1:
				w.line("say(try attempt(%s) { (n: Int) throws(Refused) -> %s in try ask(%s, n, %s) }.d)", w.value(wInt, 1), t.text, w.local(t), by)
			default:
				w.line("say(try attemptAll([%s, %s], %s).d)", w.value(t, 2), w.value(t, 1), by)
			}
			w.change()
		})
		w.line("} catch let e as Refused { say(e.d, e.by === %s) } catch { say(\"other\") }", by)
	},
	func(w *wide) { // packs
		a, b, c := w.shown(), w.shown(), w.shown()
		w.line("say(shows(%s, %s), shows(%s), shows())", w.value(a, 2), w.value(b, 2), w.value(c, 1))
		n := w.name("t")
		w.line("let %s = pairUp(%s, %s, %s)", n, w.value(a, 1), w.value(b, 1), w.value(c, 1))
		w.line("say(%s.0.0.d, %s.0.1.d, %s.1.0.d)", n, n, n)
	},
	func(w *wide) { // arrays that are changed in place, and sliced
		a := w.any(wideArray)
		v := w.variable(a, true)
		w.line("edit(&%s, %s, %d)", v, w.local(a.elems[0]), w.n(6))
		w.line("if %s.count > 9 { %s.removeLast(%s.count - 9) }", v, v, v)
		w.show(v, a)
	},
	func(w *wide) { // loops over numbers in arrays
		for _, a := range w.lists {
			if a.kind == wideArray && a.elems[0] == wInt {
				v := w.variable(a, true)
				b := w.local(a)
				w.line("say(steps(%s, %d), fill(&%s, %s, %d), %s.d)", v, w.n(20), v, b, w.n(9), v)
				return
			}
		}
	},
	func(w *wide) { // arrays and counts in dictionaries
		t := w.shown()
		n := w.name("m")
		w.line("var %s: [String: [%s]] = [:]", n, t.text)
		w.line("for (i, x) in [%s, %s].enumerated() { %s[\"k\\(i & 1)\", default: []].append(x) }", w.value(t, 2), w.value(t, 1), n)
		w.line("let %scopy = %s", n, n)
		w.line("%s[\"k0\"]?.append(%s); %s[\"k1\"] = nil", n, w.local(t), n)
		w.line("say(%s[\"k0\"]!.d, %scopy[\"k1\"]!.d, %s.count, %scopy.mapValues { $0.count }[\"k0\"] ?? 0)", n, n, n, n)
	},
	func(w *wide) { // key paths of classes, and such that are put together
		c := w.class1()
		v, k := w.variable(c, false), w.name("k")
		w.line("let %s = \\%s.next%s?.id", k, c.text, c.text)
		w.line("say(%s[keyPath: %s] != nil, [%s].map(\\.late%s.value).count, %s[keyPath: (\\%s.late%s).appending(path: \\.d)].count > 2)", v, k, v, c.text, v, c.text, c.text)
		for _, f := range c.fields {
			if f.mutable && isShown(f.t) {
				w.line("let %sr: ReferenceWritableKeyPath<%s, %s> = \\.%s", k, c.text, f.t.text, f.name)
				w.line("%s[keyPath: %sr] = %s", v, k, w.local(f.t))
				w.line("say(%s[keyPath: %sr].d)", v, k)
				return
			}
		}
	},
	func(w *wide) { // existentials that are opened
		p := w.protos[w.n(len(w.protos))]
		n := w.name("x")
		w.line("var %s: any %s = %s", n, p, w.conformer(p, 2))
		w.line("say(use%s(%s, %s), describe(%s), describeAny(%s), shows(%s.weight))", p, n, w.value(wInt, 1), n, n, n)
		w.line("%s.change%s(%d); %s = %s; say(%s.m%s(1))", n, p, w.n(9), n, w.conformer(p, 1), n, p)
	},
	func(w *wide) { // actions that run at the ends of turns
		label, i := w.name("loop"), w.name("i")
		x := w.local(w.class1())
		w.line("%s: for %s in 0..<4 {", label, i)
		w.line("  defer { say(\"turn\", %s, %s.d) }", i, x)
		w.line("  guard %s != %d else { continue %s }", i, w.n(5), label)
		w.line("  switch %s {", i)
		w.line("  case 0: say(%s.work(1)); fallthrough", x)
		w.line("  case 1: say(\"low\")")
		w.line("  case let k where k & 1 == 1: break %s", label)
		w.line("  default: break")
		w.line("  }")
		w.line("}")
	},
}

// parcel is a value of Parcel, which nobody copies.
func (w *wide) parcel() string {
	box := func() string { return w.value(w.generic[0], 1) }
	switch w.n(3) {
	case 0:
		return "Parcel.nothing"
	case 1:
		return "Parcel.one(Ticket(held: " + box() + "))"
	}
	return "Parcel.two(" + box() + ", " + box() + ")"
}
