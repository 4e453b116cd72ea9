package gen

// wideLatePrelude are types and functions for the features of wideLate: what the language grew late, and what lies between its features.
const wideLatePrelude = `@propertyWrapper struct Logged<T: Shown> {
  private var stored: T
  var projectedValue: Box<Int>
  var wrappedValue: T {
    get { return stored }
    set { projectedValue.value &+= 1; stored = newValue }
  }
  init(wrappedValue: T) { stored = wrappedValue; projectedValue = Box(0) }
}
@propertyWrapper final class Shared<T: Shown> {
  var wrappedValue: T { didSet { writes &+= 1 } }
  var writes = 0
  var projectedValue: Shared<T> { return self }
  init(wrappedValue: T) { self.wrappedValue = wrappedValue }
  deinit { print("deinit Shared", writes) }
}
struct Wrapped<T: Shown>: Shown {
  @Logged var a: T
  @Shared var b: T
  init(_ x: T, _ y: T) { _a = Logged(wrappedValue: x); _b = Shared(wrappedValue: y) }
  var d: String { return "W\($a.value),\($b.writes),\(a.d),\(b.d)" }
}

@resultBuilder struct Gather<T: Shown> {
  static func buildExpression(_ x: T) -> [T] { return [x] }
  static func buildExpression(_ x: T?) -> [T] { return x.map { [$0] } ?? [] }
  static func buildBlock(_ parts: [T]...) -> [T] { return parts.flatMap { $0 } }
  static func buildOptional(_ part: [T]?) -> [T] { return part ?? [] }
  static func buildEither(first part: [T]) -> [T] { return part }
  static func buildEither(second part: [T]) -> [T] { return part.reversed() }
  static func buildArray(_ parts: [[T]]) -> [T] { return Array(parts.joined()) }
  static func buildFinalResult(_ all: [T]) -> Two<Int, [T]> { return Two(all.count, all) }
}
func gather<T: Shown>(_ type: T.Type, @Gather<T> _ make: () -> Two<Int, [T]>) -> Two<Int, [T]> { return make() }

struct Key<T: Shown>: Hashable, Comparable, Shown {
  let box: Box<T>
  init(_ x: T) { box = Box(x) }
  static func == (a: Key, b: Key) -> Bool { return a.box.value.d == b.box.value.d }
  static func < (a: Key, b: Key) -> Bool { return a.d < b.d }
  func hash(into h: inout Hasher) { h.combine(box.value.d) }
  var d: String { return "key" + box.value.d }
}
final class Token: Hashable, Shown {
  let n: Int
  init(_ n: Int) { self.n = n }
  static func == (a: Token, b: Token) -> Bool { return a === b }
  func hash(into h: inout Hasher) { h.combine(n) }
  var d: String { return "T\(n)" }
  deinit { print("deinit Token", n) }
}

protocol Feed<Item> {
  associatedtype Item: Shown
  var size: Int { get }
  func item(_ n: Int) -> Item
  mutating func add(_ x: Item)
}
struct ListFeed<T: Shown>: Feed {
  var list: [T]
  var size: Int { return list.count }
  func item(_ n: Int) -> T { return list[n % list.count] }
  mutating func add(_ x: T) { list.append(x) }
}
final class OneFeed<T: Shown>: Feed {
  var one: T
  init(_ x: T) { one = x }
  var size: Int { return 1 }
  func item(_ n: Int) -> T { return one }
  func add(_ x: T) { one = x }
  deinit { print("deinit OneFeed") }
}
@inline(never) func grow<T: Shown>(_ f: inout any Feed<T>, _ x: T) -> String { f.add(x); return f.item(f.size &- 1).d }
@inline(never) func opaqueFeed<T: Shown>(_ x: T) -> some Feed<T> { return ListFeed(list: [x, x]) }
extension Feed { func all() -> String { var t = ""; for n in 0..<size { t += item(n).d }; return t } }

protocol Listener: AnyObject { func hear(_ x: any Shown) -> Int; var heard: Int { get set } }
class Ear: Listener, Shown {
  var heard = 0
  required init() {}
  class var kind: String { return "ear" }
  class func make() -> Self { return Self() }
  func hear(_ x: any Shown) -> Int { heard &+= x.d.utf8.count; return heard }
  func twin() -> Ear { return type(of: self).init() }
  var d: String { return type(of: self).kind + String(heard) }
  deinit { print("deinit", type(of: self).kind, heard) }
}
final class LongEar: Ear {
  private let extra = Box(7)
  override class var kind: String { return "long " + super.kind }
  override func hear(_ x: any Shown) -> Int { extra.value &+= 1; return super.hear(x) &+ extra.value }
  override func twin() -> LongEar { return LongEar() }
}
struct Radio {
  weak var first: (any Listener)?
  unowned(unsafe) var second: Ear
  let third: any Listener
  func send(_ x: any Shown) -> Int { return (first?.hear(x) ?? -1) &+ second.hear(x) &* 100 &+ third.hear(x) &* 10_000 }
}

final class Buffer<T: Shown>: ManagedBuffer<Int, T> {
  class func of(_ list: [T]) -> Buffer<T> {
    let b = Buffer<T>.create(minimumCapacity: list.count) { _ in list.count } as! Buffer<T>
    b.withUnsafeMutablePointerToElements { p in for (n, x) in list.enumerated() { (p + n).initialize(to: x) } }
    return b
  }
  func exchange(_ n: Int, _ x: T) -> T {
    return withUnsafeMutablePointers { header, p in
      precondition(n < header.pointee)
      let old = (p + n).move()
      (p + n).initialize(to: x)
      return old
    }
  }
  deinit { withUnsafeMutablePointers { header, p in print("deinit Buffer", header.pointee); p.deinitialize(count: header.pointee) } }
}

struct Handle: ~Copyable {
  private let place: UnsafeMutablePointer<Int>
  init(_ n: Int) { place = .allocate(capacity: 1); place.initialize(to: n) }
  var value: Int { get { return place.pointee } nonmutating set { place.pointee = newValue } }
  consuming func close() { print("close", place.pointee); place.deallocate(); discard self }
  consuming func renewed() -> Handle { return Handle(value &+ 1) }
  deinit { print("deinit Handle", place.pointee); place.deallocate() }
}
@inline(never) func work(_ h: inout Handle, _ n: Int) { if n & 1 == 0 { h = Handle(n) } else { h.value &+= n } }
@inline(never) func use<T: ~Copyable>(_ x: borrowing T, _ f: (borrowing T) -> Int) -> Int { return f(x) &+ f(x) }
@inline(never) func maybeHandle(_ n: Int) throws(Refused) -> Handle { if n & 3 == 0 { throw Refused(by: Box(n), n: n) }; return Handle(n) }

struct Inner<T: Shown>: Shown { var list: [T] = []; var n = 0; var box = Box(0); var d: String { return "\(n)\(list.d)\(box.d)" } }
struct Outer<T: Shown>: Shown {
  var inner = Inner<T>()
  var others: [String: Inner<T>] = [:]
  var perhaps: Inner<T>? = nil
  subscript<K: Shown>(k: K) -> Inner<T> {
    get { return others[k.d] ?? inner }
    set { others[k.d] = newValue }
    _modify { inner.n &+= 1; yield &others[k.d, default: Inner()] }
  }
  var d: String { return inner.d + others.d + perhaps.d }
}
class Node<T: Shown>: Shown {
  var outer = Outer<T>()
  var next: Node<T>?
  init(_ next: Node<T>?) { self.next = next }
  var d: String { return "N" + outer.d + (next?.d ?? "") }
  deinit { print("deinit Node", outer.inner.n) }
}
@inline(never) func nested(_ f: () -> Void) { withoutActuallyEscaping(f) { g in let list = [g, g]; for h in list { h() } } }
func lazily<T>(_ x: @escaping @autoclosure () -> T) -> () -> T { var kept: T? = nil; return { if let k = kept { return k }; let v = x(); kept = v; return v } }
enum Shape<T: Shown & Hashable>: Hashable { case none, one(T), two(T, [Int]); indirect case deep(Shape<T>, Int) }

`

// wideLate are statements about features that wideLatePrelude has types for.
var wideLate = []func(*wide){
	func(w *wide) { // property wrappers
		t := w.shown()
		x := w.name("x")
		w.line("var %s = Wrapped<%s>(%s, %s)", x, t.text, w.value(t, 2), w.value(t, 1))
		y := w.local(t)
		w.line("let %sold = %s; %s.a = %s; say(exchange(&%s.b, %s).d, exchange(&%s.a, %s).d)", x, x, x, w.value(t, 1), x, y, x, y)
		w.line("say(%s.d, %sold.d)", x, x)
		w.line("@Logged var %sw: %s = %s", x, t.text, w.value(t, 1))
		w.line("%sw = %s; let %sf = { %sw = %s; return $%sw.value }; say(%sf(), %sf(), %sw.d)", x, y, x, x, y, x, x, x, x)
	},
	func(w *wide) { // result builders
		t := w.shown()
		for t.kind == wideOptional {
			t = w.shown()
		}
		x, y := w.local(t), w.local(t)
		w.line("say(gather(%s.self) {", t.text)
		w.line("  %s", x)
		w.line("  if odd(%d) { %s; %s } else { %s; %s; %s }", w.n(9), y, x, x, y, y)
		w.line("  for n in 0..<%d { if n & 1 == 0 { %s } }", w.n(4), y)
		w.line("  if let z = (odd(%d) ? %s : nil) { z }", w.n(9), x)
		w.line("  (odd(%d) ? Optional(%s) : nil)", w.n(9), y)
		w.line("}.d)")
	},
	func(w *wide) { // sets and dictionaries of objects
		t := w.shown()
		x := w.name("s")
		w.line("var %s: Set<Key<%s>> = [Key(%s), Key(%s)]", x, t.text, w.value(t, 1), w.value(t, 1))
		w.line("let %sold = %s; say(%s.insert(Key(%s)).inserted, %s.remove(Key(%s))?.d ?? \"none\")", x, x, x, w.value(t, 1), x, w.value(t, 1))
		w.line("say(%s.sorted().d, %sold.sorted().d, %s.symmetricDifference(%sold).sorted().d)", x, x, x, x)
		w.line("var %st: [Token: [%s]] = [:]; let %sk = [Token(1), Token(2), Token(1)]", x, t.text, x)
		w.line("for (n, k) in %sk.enumerated() { %st[k, default: []].append(%s); if n == %d { %st[%sk[0]] = nil } }", x, x, w.local(t), w.n(4), x, x)
		w.line("for k in %sk { say(k.d, %st[k]?.d ?? \"gone\") }", x, x)
		w.line("%st = %st.filter { $0.key.n == 1 }; say(%st.count, %st.mapValues { $0.count }.values.sorted().d)", x, x, x, x)
	},
	func(w *wide) { // existentials of protocols with a type of their own
		t := w.shown()
		x := w.name("s")
		w.line("var %s: any Feed<%s> = odd(%d) ? ListFeed<%s>(list: [%s]) : OneFeed<%s>(%s)", x, t.text, w.n(9), t.text, w.value(t, 1), t.text, w.value(t, 1))
		w.line("let %sold = %s; say(grow(&%s, %s), %s.all(), %sold.all(), opaqueFeed(%s).all())", x, x, x, w.local(t), x, x, w.value(t, 1))
		w.line("if let l = %s as? ListFeed<%s> { say(l.list.d) } else { say(\"one\", (%s as? OneFeed<%s>)?.one.d ?? \"\") }", x, t.text, x, t.text)
	},
	func(w *wide) { // who listens: weak existentials, references that nobody checks, metatypes
		x := w.name("e")
		w.line("do {")
		w.block(func() {
			w.line("var %s: Ear = odd(%d) ? Ear() : LongEar()", x, w.n(9))
			w.line("let %sr = Radio(first: %s, second: %s, third: odd(%d) ? %s : LongEar.make())", x, x, x, w.n(9), x)
			w.line("say(%sr.send(%s), %sr.first === %s)", x, w.local(w.shown()), x, x)
			w.line("let %skept = %s; %s = %s.twin()", x, x, x, x)
			w.line("say(%sr.send(%s), %s.d, %sr.first?.heard ?? 0); withExtendedLifetime(%skept) {}", x, w.local(w.shown()), x, x, x)
			w.line("let %slist: [Ear.Type] = [Ear.self, LongEar.self]; say(%slist.map { $0.init().d }.d, (%s as any Listener) is LongEar)", x, x, x)
			w.line("%sr.first?.heard = 3; say(%sr.third.hear(%d))", x, x, w.n(99))
		})
		w.line("}")
	},
	func(w *wide) { // elements after an object
		t := w.shown()
		b := w.name("b")
		w.line("let %s = Buffer<%s>.of([%s, %s])", b, t.text, w.value(t, 1), w.value(t, 1))
		w.line("say(%s.exchange(%d, %s).d, %s.exchange(%d, %s).d, %s.header)", b, w.n(2), w.local(t), b, w.n(2), w.local(t), b)
	},
	func(w *wide) { // what is not copied, in loops, closures and errors
		h := w.name("h")
		w.line("do {")
		w.block(func() {
			w.line("var %s = try maybeHandle(%d)", h, w.n(9))
			w.line("for n in 0..<%d { work(&%s, n); if n == 1 { %s = %s.renewed() } else if odd(n) { continue } }", w.n(4), h, h, h)
			w.line("say(use(%s) { $0.value }); { %s.value &+= 5 }()", h, h)
			switch w.n(4) {
			case 0:
				w.line("%s.close()", h)
			case 1:
				w.line("if odd(%d) { %s.close() } else { _ = consume %s }", w.n(9), h, h)
			case 2:
				w.line("let %sm = try maybeHandle(%s.value); %s.close(); say(%sm.value)", h, h, h, h)
			}
		})
		w.line("} catch { say(error.d) }")
	},
	func(w *wide) { // places within places
		t := w.shown()
		x := w.name("x")
		y := w.local(t)
		w.line("var %s = Outer<%s>()", x, t.text)
		w.line("%s.inner.list.append(%s); let %sold = %s; %s[%d].list.append(%s); %s[%d].n &+= 2; %s[\"q\"].box = Box(4)", x, w.value(t, 1), x, x, x, w.n(2), y, x, w.n(2), x)
		w.line("%s.others[\"0\"]?.list.removeLast(); %s.others[\"none\"]?.n = 5; %s.perhaps?.list.append(%s)", x, x, x, y)
		w.line("%s.perhaps = %s.inner; %s.perhaps!.n = 9; %s.perhaps?.list.swapAt(0, 0); _ = exchange(&%s.perhaps!.box, Box(1))", x, x, x, x, x)
		w.line("say(%s.d, %sold.d)", x, x)
		w.line("let %sn: Node<%s>? = Node(odd(%d) ? Node(nil) : nil)", x, t.text, w.n(9))
		w.line("%sn?.outer = %s; %sn?.next?.outer.inner.n = 3; %sn?.next?.next = Node(nil); %sn!.outer[%d].list += [%s]", x, x, x, x, x, w.n(2), y)
		w.line("say(%sn?.d ?? \"\", %sn?.next?.next?.outer.inner.n ?? -1, %s.d)", x, x, x)
	},
	func(w *wide) { // closures that don't escape and are treated as if, values made when asked for
		t := w.shown()
		x, n := w.fresh(t, true), w.name("n")
		y := w.local(t)
		w.line("var %s = 0; nested { %s &+= 1; if %s == 2 { %s = %s } }", n, n, n, x, y)
		w.line("let %sf = lazily(%s); %s = %d; say(%sf().d, %s, %sf().d)", n, w.value(t, 1), n, w.n(9), n, n, n)
		w.show(x, t)
	},
	func(w *wide) { // functions and types within functions
		t := w.shown()
		f, x := w.name("g"), w.fresh(t, true)
		y := w.local(t)
		w.line("func %s(_ u: %s, _ n: Int) -> String {", f, t.text)
		w.line("  struct Local { var u: %s; var n: Int; mutating func step() { n &+= 1 }; var d: String { return \"L\\(n)\" + u.d } }", t.text)
		w.line("  final class Kept { var l: Local; init(_ l: Local) { self.l = l }; deinit { print(\"deinit Kept\", l.n) } }")
		w.line("  enum Way { case up(Kept), down(Local); mutating func go() { switch self { case .up(let k): k.l.step(); self = .down(k.l); case .down(let l): self = .up(Kept(l)) } } }")
		w.line("  func inner<U: Shown>(_ w: inout Way, _ v: U) -> String { w.go(); if n > 0 { %s = %s }; return v.d }", x, y)
		w.line("  var way = Way.down(Local(u: u, n: n)); print(inner(&way, n), inner(&way, u)); if n & 1 == 1 { way.go() }")
		w.line("  switch way { case .up(let k) where k.l.n > 2: return \"high\" + k.l.d; case .up(let k): return k.l.d; case .down(let l): return l.d }")
		w.line("}")
		w.line("say(%s(%s, %d), %s(%s, %d))", f, w.value(t, 1), w.n(4), f, y, w.n(4))
		w.show(x, t)
	},
	func(w *wide) { // key paths in all their forms
		t := w.shown()
		k, x := w.name("k"), w.name("x")
		w.line("let %s = \\Node<%s>.outer.inner, %sw = %s.appending(path: \\.list), %so = \\Node<%s>.next?.outer.inner.n", k, t.text, k, k, k, t.text)
		w.line("let %s = Node<%s>(odd(%d) ? Node(nil) : nil)", x, t.text, w.n(9))
		w.line("%s[keyPath: %sw].append(%s); %s[keyPath: %s].n = %d", x, k, w.value(t, 1), x, k, w.n(99))
		w.line("let %sold = exchange(&%s[keyPath: %s], Inner<%s>()); say(%sold.d, %s[keyPath: %so] ?? -1, %s.d)", x, x, k, t.text, x, x, k, x)
		w.line("let %sp: [WritableKeyPath<Two<Int, Int>, Int>] = [\\.first, \\.second]; var %st = Two(1, 2)", k, k)
		w.line("for p in %sp { %st[keyPath: p] &+= %d }; say(%st.d, [%st].map(\\.first).d)", k, k, w.n(9), k, k)
	},
	func(w *wide) { // equality and hashes that the compiler writes
		x := w.name("x")
		w.line("let %s: [Shape<Key<Int>>] = [.none, .one(Key(%d)), .two(Key(%d), [1, %d]), .deep(.one(Key(2)), %d), .one(Key(%d))]", x, w.n(3), w.n(3), w.n(3), w.n(3), w.n(3))
		w.line("say(Set(%s).count, %s.firstIndex(of: .one(Key(1))) ?? -1, %s.map { $0 == .deep(.one(Key(2)), %d) }.d)", x, x, x, w.n(3))
		w.line("if case .two(let k, let l)? = %s.first(where: { $0 != .none && $0 != %s[1] }) { say(k.d, l.d) }", x, x)
	},
	func(w *wide) { // values of any type, cast back
		t, u := w.shown(), w.shown()
		x := w.name("x")
		w.line("let %s: [Any] = [%s, %s, Token(%d), %d, \"s\", Optional(%s) as Any, [%s]]", x, w.value(t, 2), w.value(u, 2), w.n(9), w.n(9), w.value(u, 1), w.value(t, 1))
		w.line("for a in %s {", x)
		w.line("  switch a {")
		w.line("  case let v as %s: say(\"t\", v.d)", t.text)
		w.line("  case let v as Token: say(v.d)")
		w.line("  case let v as [%s]: say(\"list\", v.count)", t.text)
		w.line("  case let v as AnyHashable where v == AnyHashable(\"s\"): say(\"s\")")
		w.line("  case let v as any Shown: say(v.d)")
		w.line("  default: say(\"other\")")
		w.line("  }")
		w.line("}")
	},
	func(w *wide) { // other collections
		t := w.shown()
		x := w.name("x")
		w.line("var %s = ContiguousArray([%s, %s, %s] as [%s])", x, w.value(t, 1), w.value(t, 1), w.value(t, 1), t.text)
		w.line("var %ss = %s[1...]; %ss.append(%s); %ss[1] = %s; %s.removeFirst()", x, x, x, w.value(t, 1), x, w.local(t), x)
		w.line("say(Array(%s).d, Array(%ss).d, %ss.startIndex)", x, x, x)
		w.line("say(%s.reduce(into: [%s]()) { a, b in if a.count < 2 { a.append(b) } }.d, %s.lazy.filter { $0.d.count > 1 }.map { $0.d }.joined(separator: \"/\"))", x, t.text, x)
		w.line("let %si = AnyIterator(%s.makeIterator()), %sq = sequence(first: %s[0]) { odd(3) ? $0 : nil }", x, x, x, x)
		w.line("while let v = %si.next() { say(v.d); if odd(%d) { break } }; say(%sq.prefix(3).map { $0.d }.count <= 3)", x, w.n(9), x)
	},
	func(w *wide) { // numbers and characters
		x := w.name("x")
		w.line("var %s = \"\"; for (n, c) in \"a1é🙂z\".enumerated() where n != %d { %s.append(c); %s += \"\\(n):\\(c.isNumber ? 1 : 0)\" }", x, w.n(5), x, x)
		w.line("let %ss = %s.dropFirst(%d).prefix(4); say(%s, %ss, String(%ss.reversed()), %s.split(separator: \":\").count, %s.firstIndex(of: \":\") != nil)", x, x, w.n(4), x, x, x, x, x)
		w.line("say(Double(%d) / 8, UInt8(truncatingIfNeeded: %d &* 77), Int8(clamping: %d &* 40), Int(Float(%d) * 1.5), String(%d, radix: 16))", w.n(99), w.n(99), w.n(9), w.n(99), w.n(9999))
	},
}

// wideAsyncPrelude are actors and tasks; nothing prints while two of them run.
const wideAsyncPrelude = `actor Account<T: Shown> {
  private var held: [T] = []
  let mark = Box(0)
  func put(_ x: T) -> Int { held.append(x); return held.count }
  func take() -> T? { return held.popLast() }
  func move(to other: Account<T>) async -> Int {
    var n = 0
    while let x = take() { n &+= await other.put(x) }
    return n
  }
  func edit(_ f: (inout [T]) throws -> Void) rethrows { try f(&held) }
  var d: String { return "A" + held.d }
  deinit { print("deinit Account", held.count) }
}
@inline(never) func slowly<T>(_ x: T) async -> T { await Task.yield(); return x }
func failing(_ n: Int, _ by: Box<Int>) async throws(Refused) -> Int { let m = await slowly(n); return try ask(m, m, by) }
func total(_ list: [Int]) async -> Int {
  return await withTaskGroup(of: Int.self) { g in
    for n in list { g.addTask { await slowly(n &* 2) } }
    var t = 0
    for await n in g { t &+= n }
    return t
  }
}

`

// wideAsync are statements of the asynchronous function at the program's end.
var wideAsync = []func(*wide){
	func(w *wide) {
		t := w.shown()
		a := w.name("a")
		w.line("let %s = Account<%s>(), %sb = Account<%s>()", a, t.text, a, t.text)
		w.line("say(await %s.put(%s), await %s.put(%s), await %s.d)", a, w.value(t, 1), a, w.value(t, 1), a)
		w.line("say(await %s.move(to: %sb), await %sb.d, await %sb.take()?.d ?? \"none\")", a, a, a, a)
		w.line("await %s.edit { $0.insert(%s, at: 0) }; say(await %s.d)", a, w.local(t), a)
	},
	func(w *wide) {
		w.line("async let %s = slowly(%d); async let %s = total([%d, 2, %d])", "x1", w.n(9), "x2", w.n(9), w.n(9))
		w.line("say(await x1 &+ x2)")
	},
	func(w *wide) {
		b := w.name("b")
		w.line("let %s = Box(%d)", b, w.n(9))
		w.line("do { say(try await failing(%d, %s), try await failing(%d, %s)) } catch let e as Refused { say(e.d) } catch { say(\"other\") }", w.n(4), b, w.n(4), b)
	},
	func(w *wide) {
		c := w.class1()
		x := w.local(c)
		w.line("let %st = Task { [weak %s] () -> Int in await slowly(%s?.work(%d) ?? -1) }; say(await %st.value, %s.d)", x, x, x, w.n(9), x, x)
		w.line("for await n in AsyncStream<Int>(unfolding: { odd(%d) ? nil : 1 }) { say(n, (await slowly(%s)).d); break }", w.n(9), x)
	},
}

// asynchronously writes the asynchronous function that runs last.
func (w *wide) asynchronously() {
	w.line("func afterwards() async {")
	w.block(func() {
		for _, n := range w.r.Perm(len(wideAsync))[:1+w.n(3)] {
			w.line("do {")
			w.block(func() { wideAsync[n](w) })
			w.line("}")
		}
	})
	w.line("}")
}
