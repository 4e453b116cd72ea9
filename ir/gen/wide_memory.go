package gen

// wideMemoryPrelude are types and functions for the features of wideMemory: who else holds, reads or writes a piece of memory, and when it
// dies.
const wideMemoryPrelude = `var ticks = 0
@inline(never) func odd(_ n: Int) -> Bool { ticks &+= 1; return (n ^ ticks) & 1 == 1 }

protocol Source {
  associatedtype Item: Shown
  var left: Int { get }
  mutating func next() -> Item?
}
struct ListSource<T: Shown>: Source {
  var list: [T]
  var left: Int { return list.count }
  mutating func next() -> T? { return list.isEmpty ? nil : list.removeFirst() }
}
final class EchoSource<T: Shown>: Source {
  var last: T
  var left: Int
  init(_ x: T, _ n: Int) { last = x; left = n }
  func next() -> T? { if left <= 0 { return nil }; left &-= 1; return last }
  deinit { print("deinit EchoSource", left) }
}
@inline(never) func drain<S: Source>(_ s: inout S, _ n: Int) -> [S.Item] {
  var all: [S.Item] = []
  while all.count < n, let x = s.next() { all.append(x) }
  return all
}
func left(_ s: some Source) -> Int { return s.left }
@inline(never) func leftOfAny(_ s: any Source) -> Int { var t = s; _ = t.next(); return s.left &* 10 &+ left(t) }

class Ring<T: Shown>: Shown {
  let id = number()
  var item: T
  var ahead: Ring<T>?
  weak var back: Ring<T>?
  unowned var owner: Box<Int>
  init(_ x: T, _ owner: Box<Int>) { item = x; self.owner = owner }
  func link(_ x: T) -> Ring<T> { let r = Ring(x, owner); r.back = self; ahead = r; return r }
  func swapWithAhead() { if let a = ahead { swap(&item, &a.item) } }
  var d: String { return "Ring#\(id)(\(item.d),\(back?.id ?? 0),\(ahead?.id ?? 0))" }
  deinit { print("deinit Ring#\(id)", back?.item.d ?? "no back", owner.value) }
}

indirect enum Tree<T: Shown>: Shown {
  case leaf
  case node(Tree<T>, T, Tree<T>)
  var size: Int { switch self { case .leaf: return 0; case .node(let l, _, let r): return l.size &+ 1 &+ r.size } }
  mutating func insert(_ x: T, _ n: Int) {
    switch self {
    case .leaf: self = .node(.leaf, x, .leaf)
    case .node(var l, let y, var r):
      if n & 1 == 0 { l.insert(x, n / 2) } else { r.insert(x, n / 2) }
      self = .node(l, y, r)
    }
  }
  func turned() -> Tree<T> {
    guard case .node(let l, let x, let r) = self else { return .leaf }
    return .node(r.turned(), x, l.turned())
  }
  mutating func prune() -> T? {
    guard case .node(let l, let x, let r) = self else { return nil }
    self = l.size > r.size ? l : r
    return x
  }
  var d: String { switch self { case .leaf: return "."; case .node(let l, let x, let r): return "(\(l.d)\(x.d)\(r.d))" } }
}

struct Holder<T: ~Copyable>: ~Copyable {
  var value: T
  let mark: Box<Int>
  init(_ value: consuming T, _ mark: Box<Int>) { self.value = value; self.mark = mark }
  borrowing func read<R>(_ f: (borrowing T) -> R) -> R { return f(value) }
  mutating func exchange(_ x: consuming T) -> T { swap(&value, &x); return x }
  consuming func give() -> T { return value }
}
extension Holder: Copyable where T: Copyable {}
@inline(never) func lookAt(_ t: borrowing Ticket) -> Int { return t.look() }
@inline(never) func spendOrKeep(_ t: consuming Ticket, _ c: Bool) -> Box<Int> { if c { return t.spend() }; return Box(t.look()) }

struct Watched<T: Shown>: Shown {
  let log: Box<Int>
  var seen = ""
  var value: T {
    willSet { log.changes &+= 1; seen += value.d + ">" + newValue.d + ";" }
    didSet { log.value &+= 1; if log.changes > 6 { value = oldValue } }
  }
  init(_ x: T, _ log: Box<Int>) { value = x; self.log = log }
  lazy var first: T = { log.value &+= 100; return value }()
  var d: String { return seen + value.d }
}
class Watcher<T: Shown> {
  var watched: Watched<T> { didSet { print("watched", oldValue.value.d, watched.value.d) } }
  lazy var memo: () -> String = { [unowned self] in self.watched.d }
  lazy var first: Box<Int> = Box(watched.log.value)
  init(_ w: Watched<T>) { watched = w }
  deinit { print("deinit Watcher", watched.log.value) }
}

final class Fragile: Shown {
  let a: Box<Int>
  let b: Box<Int>
  var rest: [Box<Int>] = []
  init(_ n: Int) throws {
    a = Box(n)
    if n & 3 == 1 { throw Failure.held(a) }
    b = Box(n &+ 1)
    if n & 3 == 2 { throw Failure.code(b.value) }
    for k in 0..<(n & 3) { rest.append(try Fragile.part(k &+ n)) }
  }
  static func part(_ n: Int) throws -> Box<Int> { let b = Box(n); if n & 7 == 5 { throw Failure.held(b) }; return b }
  var d: String { return "F" + a.d + b.d + rest.d }
  deinit { print("deinit Fragile", a.value, rest.count) }
}

struct Cow<T: Shown>: Shown {
  var box: Box<T>
  init(_ x: T) { box = Box(x) }
  mutating func set(_ x: T) -> Bool {
    if isKnownUniquelyReferenced(&box) { box.value = x; return true }
    box = Box(x)
    return false
  }
  var d: String { return "cow" + box.value.d }
}

class Pair<T: Shown>: Shown {
  var a: T
  var b: T
  var list: [T] = []
  init(_ a: T, _ b: T) { self.a = a; self.b = b }
  var d: String { return a.d + "/" + b.d + list.d }
  deinit { print("deinit Pair", list.count) }
}
@inline(never) func cross<T: Shown>(_ p: Pair<T>, _ q: Pair<T>, _ x: T) -> String {
  let before = p.a
  q.a = x
  let between = p.a
  swap(&p.a, &q.b)
  p.list.append(q.a)
  let kept = p.list
  q.list.append(before)
  if q.list.count > 2 { q.list.removeFirst() }
  for k in 0..<p.list.count { p.list[k] = x; if k == 0 { q.list = kept } }
  return before.d + between.d + p.a.d + kept.d + p.list.d
}
@inline(never) func during<T, R>(_ x: inout T, _ f: () -> R) -> R { let r = f(); return r }
@inline(never) func through<T>(_ p: UnsafeMutablePointer<T>, _ x: T) -> T { let old = p.pointee; p.pointee = x; return old }
var hiddenPointer: UnsafeMutableRawPointer? = nil
@inline(never) func writeHidden(_ n: Int) { if let p = hiddenPointer { p.storeBytes(of: n, as: Int.self) } }

`

// wideMemory are statements about features that wideMemoryPrelude has types for.
var wideMemory = []func(*wide){
	func(w *wide) { // references that nobody counts
		c := w.class1()
		v, u := w.variable(c, false), w.name("u")
		w.line("let %s = Unmanaged.passRetained(%s)", u, v)
		switch w.n(3) {
		case 0:
			w.line("say(%s.takeUnretainedValue().d); %s.release()", u, u)
		case 1:
			w.line("say(%s.takeRetainedValue().work(%d))", u, w.n(5))
		default:
			w.line("_ = %s.retain(); say(%s._withUnsafeGuaranteedRef { $0.work(2) }); %s.release(); say(%s.takeRetainedValue().d)", u, u, u, u)
		}
		w.line("say(Unmanaged<%s>.fromOpaque(Unmanaged.passUnretained(%s).toOpaque()).takeUnretainedValue() === %s)", c.text, v, v)
	},
	func(w *wide) { // memory of one's own
		t := w.shown()
		p := w.name("p")
		w.line("let %s = UnsafeMutablePointer<%s>.allocate(capacity: 3)", p, t.text)
		w.line("%s.initialize(to: %s); (%s + 1).initialize(repeating: %s, count: 2)", p, w.value(t, 2), p, w.value(t, 1))
		w.line("say(through(%s, %s).d, %s[1].d)", p, w.value(t, 1), p)
		w.line("if odd(%d) { %s[2] = %s.pointee }", w.n(9), p, p)
		w.line("say((%s + 2).move().d)", p)
		w.line("%s.deinitialize(count: 2); %s.deallocate()", p, p)
	},
	func(w *wide) { // closures in such memory
		t := w.shown()
		p, x := w.name("p"), w.name("x")
		w.line("var %s: %s = %s", x, t.text, w.value(t, 2))
		w.line("let %s = UnsafeMutablePointer<(%s) -> %s>.allocate(capacity: 1)", p, t.text, t.text)
		w.line("%s.initialize(to: { (n: %s) -> %s in let old = %s; %s = n; return old })", p, t.text, t.text, x, x)
		w.line("say(%s.pointee(%s).d, %s.d)", p, w.local(t), x)
		w.line("say(%s.d, %s.pointee(%s).d); %s.deinitialize(count: 1); %s.deallocate()", x, p, w.local(t), p, p)
		w.show(x, t)
	},
	func(w *wide) { // variables written through their addresses
		t := w.shown()
		v, y := w.fresh(t, true), w.local(t)
		w.line("withUnsafeMutablePointer(to: &%s) { p in say(p.pointee.d); p.pointee = %s; say(through(p, %s).d) }", v, y, w.local(t))
		w.show(v, t)
	},
	func(w *wide) { // an integer that somebody else has the address of
		x := w.name("x")
		w.line("var %s = %s", x, w.value(wInt, 1))
		w.line("withUnsafeMutableBytes(of: &%s) { b in", x)
		w.block(func() {
			w.line("hiddenPointer = b.baseAddress!")
			w.line("let before = b.load(as: Int.self)")
			w.line("writeHidden(%d)", w.n(99))
			w.line("say(before, b.load(as: Int.self))")
			w.line("hiddenPointer = nil")
		})
		w.line("}")
		w.line("say(%s)", x)
	},
	func(w *wide) { // one object under two names
		t := w.shown()
		a, b := w.name("x"), w.name("x")
		w.line("let %s = Pair<%s>(%s, %s)", a, t.text, w.value(t, 1), w.value(t, 1))
		w.line("let %s = odd(%d) ? %s : Pair<%s>(%s, %s)", b, w.n(9), a, t.text, w.value(t, 1), w.value(t, 1))
		w.line("say(cross(%s, %s, %s), cross(%s, %s, %s))", a, b, w.value(t, 1), b, a, w.value(t, 1))
		x := w.local(t)
		w.line("say(during(&%s.a) { %s.b = %s; return %s.list.count }, exchange(&%s.a, %s.b).d)", a, b, x, b, b, a)
		w.line("say(%s.d, %s.d)", a, b)
	},
	func(w *wide) { // protocols with a type of their own
		t := w.shown()
		x, y := w.name("s"), w.name("s")
		w.line("var %s = ListSource<%s>(list: [%s, %s, %s])", x, t.text, w.value(t, 1), w.value(t, 1), w.value(t, 1))
		w.line("var %s = EchoSource<%s>(%s, %d)", y, t.text, w.value(t, 1), w.n(4))
		w.line("say(drain(&%s, %d).d, drain(&%s, 2).d, left(%s), leftOfAny(%s), leftOfAny(%s))", x, w.n(4), y, x, x, y)
		w.line("let %sall: [any Source] = [%s, %s]; say(%sall.map { leftOfAny($0) }.d, %s.left)", x, x, y, x, y)
	},
	func(w *wide) { // generic classes with weak and unowned fields
		t := w.shown()
		r, o := w.name("r"), w.name("o")
		w.line("do {")
		w.block(func() {
			w.line("let %s: Box<Int> = %s", o, w.value(w.generic[0], 1))
			w.line("let %s = Ring<%s>(%s, %s)", r, t.text, w.value(t, 1), o)
			w.line("let %slast = %s.link(%s).link(%s)", r, r, w.value(t, 1), w.value(t, 1))
			w.line("%s.swapWithAhead(); say(%s.d, %slast.d)", r, r, r)
			w.line("if odd(%d) { %s.ahead = %slast; say(%slast.back == nil) } else { %s.ahead = nil }", w.n(9), r, r, r, r)
			w.line("withExtendedLifetime(%s) { say(%slast.d, %slast.back?.d ?? \"gone\") }", o, r, r)
			w.line("withExtendedLifetime(%slast) {}; withExtendedLifetime((%s, %s)) {}", r, r, o)
		})
		w.line("}")
	},
	func(w *wide) { // trees of indirect cases
		t := w.shown()
		x := w.name("t")
		w.line("var %s = Tree<%s>.leaf", x, t.text)
		w.line("for (n, y) in [%s, %s, %s, %s].enumerated() { %s.insert(y, n &* %d) }", w.value(t, 1), w.value(t, 1), w.value(t, 1), w.value(t, 1), x, 1+w.n(5))
		w.line("let %sold = %s", x, x)
		w.line("say(%s.prune()?.d ?? \"none\", %s.size, %s.turned().d, %sold.d)", x, x, x, x)
	},
	func(w *wide) { // generic holders of what is not copied
		h := w.name("h")
		ticket := func() string { return "Ticket(held: " + w.value(w.generic[0], 1) + ")" }
		w.line("do {")
		w.block(func() {
			w.line("var %s = Holder(%s, %s)", h, ticket(), w.value(w.generic[0], 1))
			w.line("say(%s.read { $0.look() }, lookAt(%s.value))", h, h)
			switch w.n(4) {
			case 0:
				w.line("say(spendOrKeep(%s.exchange(%s), odd(%d)).d)", h, ticket(), w.n(9))
			case 1:
				w.line("if odd(%d) { say(spendOrKeep(%s.give(), odd(1)).d); %s = Holder(%s, Box(3)) }", w.n(9), h, h, ticket())
				w.line("say(%s.mark.d)", h)
			case 2:
				w.line("%s.value = %s; say(spendOrKeep(%s.give(), odd(%d)).d)", h, ticket(), h, w.n(9))
			}
		})
		w.line("}")
		t := w.shown()
		w.line("var %sc = Holder<%s>(%s, %s)", h, t.text, w.value(t, 1), w.value(w.generic[0], 1))
		w.line("let %sd = %sc; say(%sc.exchange(%s).d, %sd.give().d, %sc.value.d)", h, h, h, w.local(t), h, h)
	},
	func(w *wide) { // optionals of what is not copied
		o := w.name("o")
		w.line("do {")
		w.block(func() {
			w.line("var %s: Ticket? = odd(%d) ? Ticket(held: %s) : nil", o, w.n(9), w.value(w.generic[0], 1))
			w.line("if let t = %s.take() { say(t.spend().d) } else { say(\"no ticket\"); %s = Ticket(held: %s) }", o, o, w.value(w.generic[0], 1))
			w.line("switch consume %s { case .some(let t): say(lookAt(t)); case .none: say(\"none\") }", o)
		})
		w.line("}")
	},
	func(w *wide) { // observers and lazy properties
		t := w.shown()
		x := w.name("w")
		w.line("var %s = Watched<%s>(%s, %s)", x, t.text, w.value(t, 1), w.value(w.generic[0], 1))
		w.line("%s.value = %s; say(%s.first.d, exchange(&%s.value, %s).d, %s.d)", x, w.value(t, 1), x, x, w.local(t), x)
		w.line("let %so = Watcher<%s>(%s)", x, t.text, x)
		w.line("%so.watched.value = %s; say(%so.memo(), %so.first.d, %so.watched.first.d)", x, w.value(t, 1), x, x, x)
	},
	func(w *wide) { // objects that fail while they are made
		w.line("for n in 0..<%d { do { let f = try Fragile(n &+ %d); say(f.d) } catch let e as Failure { say(e.d) } catch { say(\"other\") } }", 2+w.n(4), w.n(8))
	},
	func(w *wide) { // copies on write
		t := w.shown()
		x, y := w.name("x"), w.name("x")
		w.line("var %s = Cow<%s>(%s)", x, t.text, w.value(t, 1))
		w.line("let %s = %s", y, x)
		w.line("say(%s.set(%s), %s.set(%s), %s.d, %s.d)", x, w.value(t, 1), x, w.value(t, 1), x, y)
		w.line("for n in 0..<3 { let k = %s; say(%s.set(%s), k.d, n) }", x, x, w.local(t))
		w.line("var %slist = [%s, %s]; say(%slist[0].set(%s), %slist[%d].set(%s), %slist.d)", x, x, y, x, w.local(t), x, w.n(2), w.local(t), x)
	},
	func(w *wide) { // closures that share variables
		t := w.shown()
		x, a := w.name("x"), w.name("acts")
		w.line("var %s: %s = %s", x, t.text, w.value(t, 1))
		w.line("var %s: [() -> %s] = [{ %s }, { [%s] in %s }]", a, t.text, x, x, x)
		y := w.local(t)
		w.line("%s.append { defer { %s = %s }; return %s }", a, x, y, x)
		w.line("for (n, f) in %s.enumerated().reversed() { say(n, f().d, %s.d) }", a, x)
		w.line("%s.removeLast(%d); say(%s.map { $0().d }.joined(separator: \"+\"))", a, w.n(3), a)
	},
	func(w *wide) { // actions at the ends of blocks that see what comes after them
		t := w.shown()
		x := w.name("x")
		w.line("do {")
		w.block(func() {
			w.line("var %s: %s = %s", x, t.text, w.value(t, 1))
			w.line("defer { say(\"last\", %s.d) }", x)
			w.line("defer { %s = %s; say(\"then\", %s.d) }", x, w.local(t), x)
			w.line("if odd(%d) { %s = %s }", w.n(9), x, w.value(t, 2))
			w.line("say(%s.d)", x)
		})
		w.line("}")
	},
}
