// What is inside an object stays while it is used, also when the last other reference to the object goes meanwhile: fields lent to calls,
// closures, pointers, existentials, coroutines; deinits come where stores say; uniqueness is asked in loops.
var kept: [AnyObject] = []
final class D { var n: Int; init(_ n: Int) { self.n = n }; deinit { print("D", n); n = -1 } }
final class H { var d: D; var o: D?; weak var w: D?; unowned(unsafe) var u: D; init(_ n: Int) { d = D(n); u = d } }
class Base { var f: Int = 1; var d = D(900); @inline(never) func swapIt(_ h: H) { h.d = D(h.d.n + 1) } }
@inline(never) func replace(_ h: H, _ n: Int) { h.d = D(n) }
@inline(never) func fill(_ n: Int) -> D { return D(n) }
// 1 a field inout while the holder replaces the object
@inline(never) func a1(_ h: H, _ x: inout Int) { x += 1; replace(h, 12); x += 10; print("1", x) }
func t1() { let h = H(11); a1(h, &h.d.n); print(h.d.n) }
// 2 closure by address
@inline(never) func run(_ f: () -> Void) { f() }
func t2() { let h = H(21); var d = h.d; run { replace(h, 22); d = fill(23) }; print("2", d.n, h.d.n); let e = h.d; run { replace(h, 24); print(e.n) }; print(h.d.n); kept = [h, d, e] }
// 3 pointer escapes into a call
@inline(never) func use(_ p: UnsafeMutablePointer<Int>, _ h: H) { replace(h, 32); p.pointee += 5; print("3", p.pointee) }
func t3() { let h = H(31); let d = h.d; withUnsafeMutablePointer(to: &d.n) { use($0, h) }; print(d.n) }
// 4 deinit ordered against stores
var log: [Int] = []
final class L { let k: Int; init(_ k: Int) { self.k = k }; deinit { log.append(k); log.append(glob) } }
var glob = 0
@inline(never) func t4() { var l: L? = L(41); glob = 1; l = nil; glob = 2; let m = L(42); glob = 3; withExtendedLifetime(m) { glob = 4 }; glob = 5; print("4", log.count, l == nil); log = [] }
// 5 unique in loops
struct Cow { var b: D; @inline(never) mutating func set(_ n: Int) { if !isKnownUniquelyReferenced(&b) { b = D(b.n) ; print("copied") }; b.n = n } }
func t5() { var c = Cow(b: D(51)); for i in 0..<3 { let keep = c; c.set(50 + i); print("5", keep.b.n, c.b.n); withExtendedLifetime(keep) {} }; c.set(60); for i in 0..<2 { c.set(70 + i) } ; var x = c.b; for _ in 0..<2 { print(isKnownUniquelyReferenced(&x)); c = Cow(b: D(58)) }; kept = [x, c.b] }
// 6 weak around the last release
@inline(never) func weakly(_ h: H) -> Int { let n = h.w?.n ?? -7; replace(h, 62); return n &+ (h.w?.n ?? -100) }
func t6() { let h = H(61); h.w = h.d; print("6", weakly(h)); h.w = h.d; let d = h.d; print(weakly(h), h.w?.n ?? -1, d.n) }
// 8 existential box
protocol P { var v: Int { get }; func go(_ h: HP) -> Int }
final class HP { var p: any P; init(_ p: any P) { self.p = p } }
struct SP: P { var d: D; var q = (1, 2, 3, 4); var v: Int { d.n }; func go(_ h: HP) -> Int { h.p = SQ(); return d.n + q.3 } }
struct SQ: P { var v: Int { 0 }; func go(_ h: HP) -> Int { return 1 } }
@inline(never) func t8() { let h = HP(SP(d: D(81))); print("8", h.p.go(h)); h.p = SP(d: D(82)); let p = h.p; print(p.go(h), p.v) }
// 9 _modify that yields into storage that is replaced
final class M { var s = D(91); var arr = [1, 2, 3]; var m: Int { get { s.n } _modify { let k = s; yield &k.n; print("back", k.n) } } ; var raw: [Int] { _read { yield arr } _modify { var t = arr; arr = []; yield &t; arr = t } } }
@inline(never) func bump(_ x: inout Int, _ m: M) { x += 1; m.s = D(92); x += 1; print("9", x) }
@inline(never) func app(_ x: inout [Int], _ m: M) { x.append(m.arr.count); m.arr = [9]; x.append(4) }
func t9() { let m = M(); bump(&m.m, m); print(m.m); app(&m.raw, m); print(m.arr) }
// 10 inout through globals
var gd = D(101)
@inline(never) func setg(_ n: Int) { gd = D(n) }
@inline(never) func t10() { let d = gd; setg(102); print("10", d.n, gd.n); let x = gd.n; gd.n = x + 5; let e = gd; gd = D(103); print(e.n); gd = e; print(gd.n) }
t1(); t2(); kept = []; t3(); t4(); t5(); kept = []; t6(); t8(); t9(); t10()
