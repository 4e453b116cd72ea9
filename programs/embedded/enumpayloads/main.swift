// enum layouts
final class C { let v: Int; init(_ v: Int) { self.v = v }; deinit { print("~", terminator: ""); print(v) } }
enum A { case a, b, c }
enum B { case x(Int), y }
enum D { case i(Int8), j(Int16), k(Bool), none }
enum E { case r(C), s(C, Int), t(Bool), u }
enum F { case one(A), two(B), three(D) }
indirect enum T { case leaf, node(T, Int, T) 
  func insert(_ v: Int) -> T { switch self { case .leaf: return .node(.leaf, v, .leaf)
    case let .node(l, x, r): return v < x ? .node(l.insert(v), x, r) : v > x ? .node(l, x, r.insert(v)) : self } }
  var sum: Int { if case let .node(l, x, r) = self { return l.sum + x + r.sum }; return 0 }
  func each(_ f: (Int) -> Void) { if case .node(let l, let x, let r) = self { l.each(f); f(x); r.each(f) } } }
enum G { case p(Optional<C>), q(UInt8?), r((Int32, Bool)) }
enum H: UInt16 { case lo = 10, mid, hi = 0xFFFF }
enum Z<X> { case ok(X), err(StaticString) ; func map<Y>(_ f: (X) -> Y) -> Z<Y> { switch self { case .ok(let x): return .ok(f(x)); case .err(let e): return .err(e) } } }
enum Big { case a(Int, Int, Int, Int), b(C), c }
func show(_ e: E) { switch e { case .r(let c): print("r", terminator: " "); print(c.v); case .s(let c, let n) where n > 3: print("s>3", terminator: " "); print(c.v + n); case .s(_, let n): print("s", terminator: " "); print(n); case .t(true): print("t true"); case .t: print("t"); case .u: print("u") } }
func g(_ x: G) -> Int { switch x { case .p(nil): return 0; case .p(let c?): return c.v; case .q(nil): return 1000; case .q(.some(let b)): return Int(b); case .r((let i, let b)): return b ? Int(i) : -Int(i) } }
func f(_ x: F) -> Int { switch x { case .one(.a): return 1; case .one: return 2; case .two(.x(let n)): return n; case .two(.y): return 4; case .three(.i(let v)): return Int(v); case .three(.j(let v)): return Int(v); case .three(.k(let b)): return b ? 7 : 8; case .three(.none): return 9 } }
print(MemoryLayout<A>.size); print(MemoryLayout<B>.size); print(MemoryLayout<D>.size); print(MemoryLayout<E>.size); print(MemoryLayout<F>.size); print(MemoryLayout<G>.size); print(MemoryLayout<H?>.size); print(MemoryLayout<Big>.size); print(MemoryLayout<Big?>.size); print(MemoryLayout<T??>.size); print(MemoryLayout<E?>.size); print(MemoryLayout<Bool???>.size)
do { let es: [E] = [.r(C(1)), .s(C(2), 5), .s(C(3), 1), .t(true), .t(false), .u]; for e in es { show(e) } }
for x in [G.p(nil), .p(C(7)), .q(nil), .q(9), .r((5, true)), .r((5, false))] { print(g(x)) }
for x in [F.one(.a), .one(.c), .two(.x(-3)), .two(.y), .three(.i(-128)), .three(.j(300)), .three(.k(true)), .three(.none)] { print(f(x)) }
var t = T.leaf; for v in [5, 2, 8, 1, 9, 3, 5] { t = t.insert(v) }; print(t.sum); t.each { print($0, terminator: " ") }; print("")
print(H(rawValue: 11) == .mid ? "mid" : "?"); print(H(rawValue: 12) == nil ? "nil" : "?"); print(Int(H.hi.rawValue))
if case .ok(let n) = Z.ok(4).map({ $0 * 2 }) { print(n) }; if case .err(let s) = Z<Int>.err("bad").map({ $0 + 1 }) { print(s) }
var bs: [Big] = [.a(1, 2, 3, 4), .b(C(50)), .c]; bs[0] = .b(C(51)); bs.swapAt(1, 2); bs.removeLast(); print(bs.count)
var o: E? = .s(C(60), 1); if case .s(let c, _)? = o { print(c.v) }; o = nil; print("end")
