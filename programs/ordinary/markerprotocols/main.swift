// Nothing is known of marker protocols at run time: any C & Sendable is C, and is given as such to generic code.
protocol P { init(); func f() -> String; static var n: Int { get } }
protocol Q { associatedtype A; func q(_ a: A) -> A }
class C: P, Q { required init() {}; func f() -> String { "C.f" }; class var n: Int { 1 }; func q(_ a: [Int]) -> [Int] { a + [1] }; deinit { print("~C") } }
final class D: C, @unchecked Sendable { override func f() -> String { "D.f" }; override class var n: Int { 2 } }
@_marker protocol M {}
extension C: M {}
struct G<T: P> { var t: T; init() { t = T() }; func f() -> String { t.f() + "\(T.n)" } }
final class B<T> { var v: T; init(_ v: T) { self.v = v } }
func use<T: P & Q>(_ t: T, _ a: T.A) -> String { "\(t.f()) \(t.q(a)) \(T.self)" }
func same<A, B>(_ a: A.Type, _ b: B.Type) -> Bool { a == b as Any.Type }
@inline(never) func test(_ s: any C & Sendable, _ m: any C & M, _ x: Any) {
  print(G<any (C & Sendable)>().f(), use(s, [1]), use(m, []), same((any C & Sendable).self, C.self), same((any M & Sendable).self, Any.self), same((AnyObject & M).self, AnyObject.self))
  print(x is C, [s as C, m as C].map { $0.f() }, type(of: s), B<any C & Sendable>(s), B<any C & M>.self == B<C>.self)
  let arr: [any C & Sendable] = [s]; print(arr is [C], (arr as Any) is [C], (B<any C & Sendable>(s) as Any) is B<C>, (arr as Any as! [C]).count, "\((D() as any C & M & Sendable).f())")
  let o: (any C & Sendable)? = s; if let o { print(o.q([2])) }; var d: [ObjectIdentifier: any C & M] = [ObjectIdentifier(m): m]; d[ObjectIdentifier(s)] = s; print(d.count)
}
test(D(), D(), D()); test(D(), C(), 1); print("end")
