package gen

// wideOwnedPrelude are types and functions for the features of wideOwned: values that are not copied, as the parts, payloads, elements and
// arguments of everything.
const wideOwnedPrelude = `struct Coin: ~Copyable {
  let n: Int
  nonisolated(unsafe) static var melted = 0
  init(_ n: Int) { self.n = n }
  init(checked n: Int, by b: Box<Int>) throws(Refused) {
    if n & 3 == 3 { throw Refused(by: b, n: n) }
    self.n = n
  }
  consuming func keep() -> Int { let m = n; discard self; return m }
  consuming func melt(_ c: Bool) throws(Refused) -> Int {
    if c { let m = n; discard self; return m }
    let m = n
    _ = consume self
    throw Refused(by: Box(m), n: m)
  }
  deinit { Coin.melted &+= n; print("deinit Coin", n) }
}
struct Duo<A: ~Copyable, B: ~Copyable>: ~Copyable {
  var a: A
  var b: B
  init(_ a: consuming A, _ b: consuming B) { self.a = a; self.b = b }
  consuming func flipped() -> Duo<B, A> { let x = a; let y = b; return Duo<B, A>(y, x) }
  consuming func first() -> A { return a }
  mutating func setFirst(_ x: consuming A) -> A { swap(&a, &x); return x }
}
extension Duo: Copyable where A: Copyable, B: Copyable {}
enum Slot<T: ~Copyable>: ~Copyable {
  case empty
  case full(T)
  case spare(T, Box<Int>)
  mutating func take() -> T? {
    switch consume self {
    case .empty: self = .empty; return nil
    case .full(let x): self = .empty; return x
    case .spare(let x, let b): b.value &+= 1; self = .empty; return x
    }
  }
  mutating func put(_ x: consuming T, _ n: Int) -> Bool {
    switch consume self {
    case .empty: self = n & 1 == 0 ? .full(x) : .spare(x, Box(n)); return true
    case .full(let old): self = .spare(old, Box(n)); return false
    case .spare(_, let m): self = .full(x); return m.value > n
    }
  }
  borrowing func peek<R>(_ f: (borrowing T) -> R) -> R? {
    switch self {
    case .empty: return nil
    case .full(let x): return f(x)
    case .spare(let x, _): return f(x)
    }
  }
}
final class Cell<T: ~Copyable> {
  var slot: Slot<T> = .empty
  var last: T? = nil
  let id = number()
  func swapIn(_ x: consuming T) -> T? { let old = last.take(); last = consume x; return old }
  func edit<R>(_ f: (inout Slot<T>) throws -> R) rethrows -> R { return try f(&slot) }
  deinit { print("deinit Cell", id, last == nil) }
}
struct Pile<T: ~Copyable>: ~Copyable {
  private var place: UnsafeMutablePointer<T>
  private(set) var count = 0
  init() { place = .allocate(capacity: 4) }
  mutating func push(_ x: consuming T) { if count < 4 { (place + count).initialize(to: x); count &+= 1 } }
  mutating func pop() -> T? { if count == 0 { return nil }; count &-= 1; return (place + count).move() }
  subscript(n: Int) -> T {
    _read { yield place[n] }
    _modify { yield &place[n] }
  }
  consuming func drain(_ f: (consuming T) -> Void) { while let x = pop() { f(x) } }
  deinit { print("deinit Pile", count); place.deinitialize(count: count); place.deallocate() }
}
protocol Heavy: ~Copyable { var weight: Int { get }; mutating func grow(_ n: Int); consuming func fold() -> Int }
extension Coin: Heavy {
  var weight: Int { return n }
  mutating func grow(_ m: Int) { self = Coin(n &+ m) }
  consuming func fold() -> Int { return n &* 2 }
}
extension Ticket: Heavy {
  var weight: Int { return held.value }
  mutating func grow(_ m: Int) { held.value &+= m }
  consuming func fold() -> Int { return spend().value }
}
@inline(never) func weigh<T: Heavy & ~Copyable>(_ x: borrowing T) -> Int { return x.weight }
@inline(never) func fatten<T: Heavy & ~Copyable>(_ x: inout T, _ n: Int) { x.grow(n); if n & 1 == 0 { x.grow(1) } }
@inline(never) func foldOr<T: Heavy & ~Copyable>(_ x: consuming T, _ c: Bool, _ other: Int) -> Int { if c { return x.fold() }; return other }
@inline(never) func refuse<T: ~Copyable>(_ x: consuming T, _ n: Int) throws -> T { if n & 1 == 0 { throw Failure.code(n) }; return x }
@inline(never) func coinOrNot(_ n: Int) -> Coin? { if n & 3 == 0 { return nil }; return Coin(n) }
@inline(never) func withCoin<R>(_ c: inout Coin, _ f: (inout Coin) throws -> R) rethrows -> R { return try f(&c) }

`

// wideOwned are statements about features that wideOwnedPrelude has types for.
var wideOwned = []func(*wide){
	func(w *wide) { // pairs taken apart
		p := w.name("p")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Duo(Coin(%d), %s)", p, w.n(99), w.ticket())
			w.line("say(%s.setFirst(Coin(%d)).n, weigh(%s.b)); fatten(&%s.a, %d); fatten(&%s.b, %d)", p, w.n(9), p, p, w.n(9), p, w.n(9))
			switch w.n(5) {
			case 0:
				w.line("let %sa = %s.a; say(%sa.n); if odd(%d) { say(%sa.keep()) } else { _ = %s.b }", p, p, p, w.n(9), p, p)
			case 1:
				w.line("let %sf = %s.flipped(); say(%sf.a.look(), %sf.b.n)", p, p, p, p)
			case 2:
				w.line("if %s { let c = %s.a; %s.a = Coin(c.n &+ 1) }; say(%s.a.n); say(%s.first().n)", w.condition(1), p, p, p, p)
			case 3:
				w.line("do { let t = try refuse(%s.b, %d); say(t.look()) } catch let e as Failure { say(e.d) }; say(foldOr(%s.a, odd(%d), 3))", p, w.n(9), p, w.n(9))
			default:
				w.line("let %sq = Duo(consume %s, Coin(%d)); say(%sq.a.a.n, %sq.b.n); say(%sq.flipped().b.a.n)", p, p, w.n(9), p, p, p)
			}
		})
		w.line("} catch { say(\"other\") }")
	},
	func(w *wide) { // enums, consumed by switches in loops
		s := w.name("s")
		w.line("do {")
		w.block(func() {
			w.line("var %s: Slot<Coin> = odd(%d) ? .empty : .full(Coin(%d))", s, w.n(9), w.n(9))
			w.line("for n in 0..<%d { say(%s.put(Coin(n), n)); if n == %d { if let c = %s.take() { say(c.n) } else { continue } } }", w.n(6), s, w.n(4), s)
			w.line("say(%s.peek { $0.n } ?? -1)", s)
			switch w.n(3) {
			case 0:
				w.line("switch consume %s { case .full(let c): say(c.keep()); case .spare(let c, let b): if b.value > 2 { say(\"spare\", c.n) } else { say(b.value, foldOr(c, odd(1), 3)) }; case .empty: say(\"empty\") }", s)
			case 1:
				w.line("let %sp = Slot<Duo<Coin, Ticket>>.full(Duo(Coin(%d), %s)); say(%sp.peek { $0.a.n &+ $0.b.look() } ?? 0)", s, w.n(9), w.ticket(), s)
			}
		})
		w.line("}")
	},
	func(w *wide) { // in objects
		c := w.name("c")
		w.line("do {")
		w.block(func() {
			w.line("let %s = Cell<Coin>()", c)
			w.line("for n in 0..<%d { if let old = %s.swapIn(Coin(n)) { say(old.n) }; if %s.edit({ $0.put(Coin(n &+ 10), n) }) { say(\"put\") } }", w.n(5), c, c)
			w.line("do { say(try %s.edit { s in let x = s.take(); s = .full(Coin(%d)); if odd(%d) { throw Failure.plain }; return x?.n ?? -1 }) } catch { say(\"plain\", %s.slot.peek { $0.n } ?? 0) }", c, w.n(9), w.n(9), c)
			w.line("let %sg = { [weak %s] (n: Int) -> Int in %s?.last = coinOrNot(n); return %s?.last?.n ?? 0 }; say(%sg(%d), %sg(%d))", c, c, c, c, c, w.n(9), c, w.n(9))
			w.line("withExtendedLifetime(%s) {}", c)
		})
		w.line("}")
	},
	func(w *wide) { // optionals
		o := w.name("o")
		w.line("do {")
		w.block(func() {
			w.line("var %s = coinOrNot(%d)", o, w.n(9))
			w.line("for n in 0..<%d { if let c = %s.take() { say(c.n); if n & 1 == 1 { break } } else { %s = Coin(n) } }", w.n(5), o, o)
			switch w.n(4) {
			case 0:
				w.line("if let c = consume %s { say(foldOr(c, odd(%d), 1)) }", o, w.n(9))
			case 1:
				w.line("%s?.grow(%d); say(%s?.n ?? -1); if %s != nil { say(%s!.keep()) }", o, w.n(9), o, o, o)
			case 2:
				w.line("switch consume %s { case .some(let c): let f = { say(c.n) }; f(); f(); case nil: say(\"none\") }", o)
			default:
				w.line("guard let %sc = %s.take() else { throw Failure.plain }; do { say(try %sc.melt(odd(%d))) } catch { say(error.d) }", o, o, o, w.n(9))
			}
		})
		w.line("} catch { say(\"other\") }")
	},
	func(w *wide) { // initializers that throw
		c := w.name("c")
		w.line("for n in 0..<%d {", 1+w.n(5))
		w.block(func() {
			w.line("do { let %s = Duo(try Coin(checked: n, by: Box(n)), try Coin(checked: n &+ 1, by: Box(n))); say(%s.a.n, %s.b.n) } catch { say(error.d) }", c, c, c)
		})
		w.line("}")
		w.line("say(Coin.melted)")
	},
	func(w *wide) { // in memory
		p := w.name("p")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Pile<Duo<Coin, Ticket>>()", p)
			w.line("for n in 0..<%d { %s.push(Duo(Coin(n), %s)) }", 1+w.n(6), p, w.ticket())
			w.line("fatten(&%s[0].a, %d); say(%s[0].a.n, weigh(%s[0].b), %s.count); %s[0].b.held = Box(%d)", p, w.n(9), p, p, p, p, w.n(9))
			w.line("if let x = %s.pop() { say(x.b.look()) }", p)
			if w.chance(2) {
				w.line("%s.drain { (x: consuming Duo<Coin, Ticket>) in say(x.a.n, foldOr(x.b, odd(%d), 0)) }", p, w.n(9))
			}
		})
		w.line("}")
	},
	func(w *wide) { // captured by closures, by address
		c := w.name("c")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Coin(%d)", c, w.n(9))
			w.line("let %sf = { (n: Int) -> Int in let old = %s.n; %s = Coin(n); return old }", c, c, c)
			w.line("say(%sf(%d), %sf(%d), later(%sf)(3))", c, w.n(9), c, w.n(9), c)
			w.line("say(%s.n, melted { %s.grow($0) })", c, c)
		})
		w.line("}")
		w.line("func melted(_ f: (Int) -> Void) -> Int { f(1); defer { f(2) }; return Coin.melted }")
	},
	func(w *wide) { // inout, through a closure that throws
		c := w.name("c")
		w.line("do {")
		w.block(func() {
			w.line("var %s = Coin(%d)", c, w.n(9))
			w.line("for n in 0..<%d { do { say(try withCoin(&%s) { x in let m = x.n; x = Coin(n); if (m &+ n) & 1 == 0 { throw Failure.code(m) }; x.grow(1); return m }) } catch let e as Failure { say(e.d) } }", 1+w.n(4), c)
			w.line("if %s { _ = %s.keep() } else { say(%s.fold()) }", w.condition(1), c, c)
		})
		w.line("} catch { say(\"other\") }")
	},
}
