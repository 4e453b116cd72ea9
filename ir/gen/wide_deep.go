package gen

// wideDeepPrelude are types and functions for the features of wideDeep: values that are not copied inside one another, deinits of class hierarchies
// that do things, accesses that end early, memory after objects.
const wideDeepPrelude = `struct Mote: ~Copyable { deinit { print("deinit Mote") } }
struct Shell: ~Copyable {
  var mote = Mote()
  var inner: Ticket
  let last = Mote()
  var trades = 0
  init(_ t: consuming Ticket) { inner = t }
  mutating func trade(_ t: consuming Ticket) -> Ticket { trades &+= 1; swap(&inner, &t); return t }
  borrowing func sight() -> Int { return inner.look() &+ trades }
  deinit { print("deinit Shell", trades, inner.look()) }
}
enum Nested: ~Copyable {
  case empty
  case one(Ticket)
  case shell(Shell)
  case both(Ticket, Ticket)
  mutating func step(_ b: Box<Int>) {
    switch consume self {
    case .empty: self = .one(Ticket(held: b))
    case .one(let t): self = .both(t, Ticket(held: b))
    case .both(let t, _): self = .shell(Shell(t))
    case .shell: self = .empty
    }
  }
  borrowing func look() -> Int {
    switch self {
    case .empty: return -1
    case .one(let t): return t.look()
    case .both: return 100
    case .shell(let s): return s.sight()
    }
  }
}
final class Safe: Shown {
  var nested: Nested = .empty
  var spare: Ticket?
  var keep = Holder(Mote(), Box(0))
  func turn(_ b: Box<Int>) -> Int { nested.step(b); return nested.look() }
  func refill(_ b: Box<Int>) { if spare == nil { spare = Ticket(held: b) } else { spare = nil; print("emptied") } }
  var d: String { return "Safe(\(nested.look()),\(spare == nil))" }
  deinit { print("deinit Safe", nested.look()) }
}
@inline(never) func judge(_ t: consuming Ticket, _ n: Int) throws(Refused) -> Ticket {
  if n & 3 == 0 { throw Refused(by: t.held, n: n) }
  return t
}

class Ground: Shown {
  let id = number()
  weak var up: Ground?
  var kids: [Ground] = []
  var act: (() -> String)?
  nonisolated(unsafe) static var graveyard: [Ground] = []
  func name() -> String { return "ground \(id)" }
  func add(_ g: Ground) -> Ground { kids.append(g); g.up = self; return g }
  var d: String { return name() + "[" + kids.map { $0.d }.joined(separator: ",") + "]" }
  deinit { print("deinit", name(), kids.count, up?.id ?? -1) }
}
class Floor: Ground {
  var box: Box<Int>
  init(_ b: Box<Int>) { box = b }
  override func name() -> String { return "floor \(id) \(box.value)" }
  deinit { box.value &+= 1; kids.removeAll(); print("floor gone", name()) }
}
final class Roof: Floor {
  var seen = 0 { didSet { print("seen", oldValue, seen) } }
  lazy var note: String = "note of " + name()
  func check() throws -> Int { if box.value & 1 == 0 { throw Failure.held(box) }; return box.value }
  override func name() -> String { return "roof \(id) \(seen)" }
  deinit {
    defer { print("roof gone") }
    seen = 1
    do { print("check", try check()) } catch let e as Failure { print(e.d) } catch { print("other") }
    print(act?() ?? "no act", note)
    if seen & id & 1 == 1 { return }
    Ground.graveyard.append(Floor(box))
  }
}

final class Strip<T: Shown>: ManagedBuffer<Int, T> {
  deinit { withUnsafeMutablePointers { n, e in print("deinit Strip", n.pointee); e.deinitialize(count: n.pointee) } }
}
struct Line<T: Shown>: Shown {
  var strip: Strip<T>
  var copies = 0
  init(_ a: T, _ b: T) {
    strip = unsafeDowncast(Strip<T>.create(minimumCapacity: 4) { _ in 2 }, to: Strip<T>.self)
    strip.withUnsafeMutablePointerToElements { e in e.initialize(to: a); (e + 1).initialize(to: b) }
  }
  private mutating func own() {
    if isKnownUniquelyReferenced(&strip) { return }
    let old = strip, n = old.header
    copies &+= 1
    strip = unsafeDowncast(Strip<T>.create(minimumCapacity: 4) { _ in n }, to: Strip<T>.self)
    old.withUnsafeMutablePointerToElements { o in strip.withUnsafeMutablePointerToElements { e in e.initialize(from: o, count: n) } }
  }
  subscript(k: Int) -> T {
    get { return strip.withUnsafeMutablePointerToElements { $0[k % strip.header] } }
    _modify { own(); let p = strip.withUnsafeMutablePointerToElements { $0 + k % strip.header }; yield &p.pointee }
  }
  mutating func push(_ x: T) {
    own()
    strip.withUnsafeMutablePointers { n, e in if n.pointee < 4 { (e + n.pointee).initialize(to: x); n.pointee &+= 1 } else { e.pointee = x } }
  }
  mutating func pop() -> T? { own(); return strip.withUnsafeMutablePointers { n, e in if n.pointee < 2 { return nil }; n.pointee &-= 1; return (e + n.pointee).move() } }
  var d: String { return "L\(copies)" + (0..<strip.header).map { self[$0].d }.joined(separator: ";") }
}

final class Meter<T: Shown>: Shown {
  private var kept: T
  var log: [String] = []
  var value: T {
    get { log.append("get"); return kept }
    set { log.append("set"); kept = newValue }
  }
  var watched: T { willSet { log.append("will \(newValue.d)") } didSet { log.append("did \(oldValue.d)") } }
  var yielded: T {
    _read { log.append("read"); defer { log.append("done") }; yield kept }
    _modify { log.append("modify"); defer { log.append("end") }; yield &kept; log.append("through") }
  }
  init(_ x: T, _ y: T) { kept = x; watched = y }
  func flush() -> String { defer { log = [] }; return log.joined(separator: " ") }
  var d: String { return "M" + kept.d + watched.d }
  deinit { print("deinit Meter", log.count) }
}
@inline(never) func spoil<T>(_ x: inout T, _ y: T, _ n: Int) throws -> T { let old = x; x = y; if n & 1 == 0 { throw Failure.code(n) }; return old }
@inline(never) func spoilBoth<T>(_ x: inout T, _ y: inout T, _ n: Int) throws { swap(&x, &y); if n & 1 == 0 { throw Failure.plain } }

func eachOf<each T: Shown>(_ x: repeat each T, f: (String) throws -> Void) rethrows { repeat try f((each x).d) }
struct Row<each T: Shown>: Shown {
  var items: (repeat each T)
  init(_ x: repeat each T) { items = (repeat each x) }
  mutating func put(_ x: repeat each T) -> Row<repeat each T> { let old = self; items = (repeat each x); return old }
  var d: String { var t = "row"; repeat t += " " + (each items).d; return t }
}
@inline(never) func climb(_ n: Int, _ x: inout [Int], _ f: () throws -> Int) rethrows -> Int {
  x.append(n)
  defer { x[x.count &- 1] &+= 1; if x.count > 6 { x.removeFirst() } }
  if n <= 0 { return try f() }
  let t = try climb(n &- 1, &x, f)
  return t &+ x.count
}
final class Guarded: Shown {
  let lock = Mutex<[Int]>([])
  let count = Atomic<Int>(0)
  func add(_ n: Int) throws -> Int {
    return try lock.withLock { list in
      list.append(n); count.add(1, ordering: .relaxed)
      if list.count > 3 { list = []; throw Failure.code(count.load(ordering: .relaxed)) }
      return list.count
    }
  }
  var d: String { return "G\(count.load(ordering: .relaxed))" + lock.withLock { $0.d } }
  deinit { print("deinit Guarded", d) }
}
#if compiler(>=6.2)
@inline(never) func spans(_ a: borrowing Span<Int>) -> Int { var t = 0; for k in a.indices where k & 1 == 0 { t &+= a[k] }; return t }
@inline(never) func inlined(_ n: Int, _ b: Box<Int>) -> Int {
  var a: InlineArray<3, Box<Int>> = [b, Box(n), b]
  let c = a
  a[n & 1] = Box(n &+ 1)
  a.swapAt(0, 2)
  a[1].value &+= c[0].value
  var t = 0
  for k in a.indices { t &+= a[k].value &- (c[k] === a[k] ? 1 : 0) }
  return t
}
#endif

`

// wideDeep are statements about features that wideDeepPrelude has types for.
var wideDeep = []func(*wide){
	func(w *wide) { // values that are not copied, inside one another
		s := w.name("s")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Shell(%s)", s, w.ticket())
			w.line("say(%s.trade(%s).look(), %s.inner.look())", s, w.ticket(), s)
			switch w.n(4) {
			case 0:
				w.line("do { let t = try judge(%s.trade(%s), %d); say(t.look()) } catch { say(error.d) }", s, w.ticket(), w.n(9))
			case 1:
				w.line("if %s { %s = Shell(%s) }; say(%s.trades)", w.condition(1), s, w.ticket(), s)
			case 2:
				w.line("let %sf = { %s.mote = Mote(); say(%s.trade(%s).spend().d) }; %sf()", s, s, s, w.ticket(), s)
			default:
				w.line("for n in 0..<%d { if n == 1 { continue }; %s.inner = %s; %s.trades &+= n }", w.n(4), s, w.ticket(), s)
			}
		})
		w.line("}")
	},
	func(w *wide) { // cases that are not copied, in objects
		s := w.name("s")
		w.line("do {")
		w.block(func() {
			w.line("let %s = Safe(), %sb: Box<Int> = %s", s, s, w.value(w.generic[0], 1))
			w.line("for n in 0..<%d { say(n, %s.turn(%sb)); if n & 1 == 0 { %s.refill(%sb) } }", w.n(6), s, s, s, s)
			switch w.n(3) {
			case 0:
				w.line("if let t = %s.spare.take() { say(t.spend().d) } else { say(\"no spare\") }", s)
			case 1:
				w.line("%s.nested = .both(%s, Ticket(held: Box(4))); say(%s.d); %s.keep.value = Mote()", s, w.ticket(), s, s)
			default:
				w.line("let %sg = { [weak %s] in say(%s?.turn(%sb) ?? -9) }; %sg(); say(%s.d)", s, s, s, s, s, s)
			}
		})
		w.line("}")
	},
	func(w *wide) { // deinits of a hierarchy
		g := w.name("g")
		w.line("do {")
		w.block(func() {
			w.line("let %sb: Box<Int> = %s", g, w.value(w.generic[0], 1))
			w.line("var %s: Ground = odd(%d) ? Roof(%sb) : Floor(%sb)", g, w.n(9), g, g)
			w.line("let %sk = %s.add(odd(%d) ? Roof(%sb) : Ground())", g, g, w.n(9), g)
			w.line("_ = %sk.add(Floor(Box(%d)))", g, w.n(9))
			w.line("%s.act = { [weak k = %sk, weak up = %sk.up] in (k?.name() ?? \"no kid\") + (up == nil ? \"!\" : \"\") }", g, g, g)
			w.line("%sk.act = { [unowned(unsafe) b = %sb] in b.d }", g, g)
			w.line("say(%s.d, %sk.act!(), %s.act!())", g, g, g)
			switch w.n(4) {
			case 0:
				w.line("%s = %sk; say(%s.up == nil, %s.d)", g, g, g, g)
			case 1:
				w.line("%s.kids = []; say(%sk.up?.id == %s.id)", g, g, g)
			case 2:
				w.line("if let r = %s as? Roof { r.seen = %d; say(r.note, (try? r.check()) ?? -1) }", g, w.n(9))
			}
			w.line("Ground.graveyard.removeAll(); withExtendedLifetime(%sb) {}", g)
		})
		w.line("}")
		w.line("say(Ground.graveyard.count); Ground.graveyard = []")
	},
	func(w *wide) { // elements after an object
		t := w.shown()
		l := w.name("l")
		w.line("var %s = Line<%s>(%s, %s)", l, t.text, w.value(t, 1), w.value(t, 1))
		w.line("let %sc = %s; %s.push(%s); %s[%d] = %s", l, l, l, w.value(t, 1), l, w.n(5), w.local(t))
		w.line("say(%s.d, %sc.d, %s.pop()?.d ?? \"-\", exchange(&%s[%d], %s).d)", l, l, l, l, w.n(3), w.local(t))
		w.line("do { say(try spoil(&%s[%d], %s, %d).d) } catch { say(%s.d) }", l, w.n(3), w.local(t), w.n(9), l)
		w.line("var %sa = [%s, %sc]; %sa[%d].push(%s); say(%sa[0].d, %sa[1].d, %s.d)", l, l, l, l, w.n(2), w.local(t), l, l, l)
	},
	func(w *wide) { // accesses that end early
		t := w.shown()
		m := w.name("m")
		w.line("let %s = Meter<%s>(%s, %s)", m, t.text, w.value(t, 1), w.value(t, 1))
		x, y := w.fresh(t, true), w.local(t)
		for range 1 + w.n(3) {
			p := []string{"value", "watched", "yielded"}[w.n(3)]
			switch w.n(4) {
			case 0:
				w.line("say(exchange(&%s.%s, %s).d, %s.flush())", m, p, y, m)
			case 1:
				w.line("do { say(try spoil(&%s.%s, %s, %d).d) } catch { say(\"spoiled\", %s.flush()) }", m, p, w.local(t), w.n(9), m)
			case 2:
				w.line("for n in 0..<3 { do { try spoilBoth(&%s.%s, &%s, n &+ %d); if n == 1 { break } } catch { continue }; say(n) }", m, p, x, w.n(2))
			default:
				o := w.name("o")
				w.line("let %s: Meter<%s>? = odd(%d) ? %s : nil; %s?.%s = %s; say(%s?.%s.d ?? \"-\")", o, t.text, w.n(9), m, o, p, y, o, p)
			}
		}
		w.line("say(%s.flush(), %s.d, %s.d)", m, m, x)
	},
	func(w *wide) { // packs
		a, b := w.shown(), w.shown()
		x, y := w.local(a), w.local(b)
		r, n := w.name("r"), w.name("n")
		w.line("var %s = 0", n)
		w.line("do { try eachOf(%s, %s, %s) { t in %s &+= t.utf8.count; if %s > %d { throw Failure.code(%s) } } } catch let e as Failure { say(e.d) } catch { say(\"other\") }", x, y, x, n, n, w.n(40), n)
		w.line("var %s = Row(%s, %s); say(%s.put(%s, %s).d, %s.items.0.d, %s.d, Row(%s).d)", r, x, y, r, w.local(a), w.local(b), r, r, n)
	},
	func(w *wide) { // recursion through an inout parameter, and a closure that captures another one
		x, c := w.name("x"), w.name("c")
		w.line("var %s = [%d], %s = %s", x, w.n(9), c, w.value(w.generic[0], 1))
		w.line("do { say(try climb(%d, &%s) { %s = Box(%s.value &+ 1); if %s.value & 1 == 0 { throw Failure.held(%s) }; return %s.id }) } catch let e as Failure { say(e.d) } catch { say(\"other\") }",
			w.n(5), x, c, c, c, c, c)
		w.line("say(%s.d, %s.d)", x, c)
		w.line("func %sf(_ n: Int) -> Int { defer { %s.append(n) }; return n <= 0 ? %s.count : %sf(n &- 1) &+ %s.value }", x, x, x, x, c)
		w.line("say(withoutActuallyEscaping({ (n: Int) -> Int in %sf(n) }) { f in later(f)(1) &+ %sf(2) }, %s.d)", x, x, x)
	},
	func(w *wide) { // what is guarded
		g := w.name("g")
		w.line("let %s = Guarded()", g)
		w.line("for n in 0..<%d { do { say(try %s.add(n)) } catch let e as Failure { say(e.d) } catch { say(\"other\") } }", 1+w.n(6), g)
		w.line("say(%s.d, %s.count.wrappingAdd(%d, ordering: .relaxed).newValue, %s.lock.withLockIfAvailable { $0.count } ?? -1)", g, g, w.n(9), g)
	},
	func(w *wide) { // key paths that are put together and written through
		t := w.shown()
		m, k := w.name("m"), w.name("k")
		w.line("let %s = Meter<%s>(%s, %s)", m, t.text, w.value(t, 1), w.value(t, 1))
		w.line("let %s: [ReferenceWritableKeyPath<Meter<%s>, %s>] = [\\.value, \\.watched, \\.yielded]", k, t.text, t.text)
		w.line("for (n, p) in %s.enumerated() { let old = %s[keyPath: p]; %s[keyPath: p] = %s; say(n, old.d, exchange(&%s[keyPath: p], old).d, %s.flush()) }", k, m, m, w.local(t), m, m)
		w.line("var %sp = (%d, %s); %sp[keyPath: \\.1.first] = %s; say(%sp.1.d, [%sp.1].map(\\.first.d).d)", m, w.n(9), "Two("+w.value(t, 1)+", 1)", m, w.local(t), m, m)
	},
	func(w *wide) { // fixed arrays and spans, where the compiler has them
		n, x := w.name("n"), w.name("x")
		w.line("#if compiler(>=6.2)")
		w.line("let %s = [%d, %d, %d, %s]", x, w.n(9), w.n(9), w.n(9), w.value(wInt, 1))
		w.line("say(spans(%s.span), inlined(%d, %s))", x, w.n(9), w.value(w.generic[0], 1))
		w.line("var %s: InlineArray<2, Int> = [%d, %d]; %s[1] &+= %s[0]; say(%s[0], %s[1], spans(%s.span))", n, w.n(9), w.n(9), n, n, n, n, n)
		w.line("#endif")
	},
}

// ticket is a new Ticket.
func (w *wide) ticket() string { return "Ticket(held: " + w.value(w.generic[0], 1) + ")" }
