// Protocols inside functions: two of one name, only for classes and not, with a base, in closures.
@inline(never) func one(_ x: Any) -> String {
  protocol Named { var name: String { get } }
  struct S: Named { var name: String { "one" } }
  final class K: Named { var name: String { "K" }; deinit { print("K gone") } }
  let list: [any Named] = [S(), K()]
  return list.map(\.name).joined() + ((x as? any Named)?.name ?? "-")
}
@inline(never) func two(_ x: Any) -> String {
  protocol Named: AnyObject { var name: String { get set } }
  final class S: Named { var name = "two"; deinit { print("S gone") } }
  final class T: Named { var name = "T"; weak var other: (any Named)?; deinit { print("T gone", other == nil) } }
  let s: any Named = S()
  let t = T()
  t.other = s
  s.name += "!";
  return s.name + t.name + (t.other?.name ?? "nil") + ((x as? any Named)?.name ?? "-")
}
@inline(never) func inherits() -> String {
  protocol Base: Equatable { var id: Int { get } }
  protocol Derived: Base, CustomStringConvertible { static func make(_ n: Int) -> Self }
  struct A: Derived { var id: Int; var description: String { "A\(id)" }; static func make(_ n: Int) -> A { A(id: n) } }
  class B: Derived { let id: Int; required init(_ n: Int) { id = n }; var description: String { "B\(id)" }; static func make(_ n: Int) -> Self { Self(n) }; static func == (a: B, b: B) -> Bool { a.id == b.id } }
  class C: B { override var description: String { "C\(id)" } }
  func same<T: Derived>(_ t: T) -> String { "\(t == T.make(3)) \(T.make(4)) \(t.id)" }
  let metas: [any Derived.Type] = [A.self, B.self, C.self]
  return same(A(id: 3)) + same(B(4)) + same(C(3)) + metas.map { "\($0.make(7))" }.joined(separator: ",")
}
@inline(never) func composed() -> String {
  protocol L { func l() -> Int }
  protocol R { func r() -> Int }
  struct Both: L, R { var n: Int; func l() -> Int { n }; func r() -> Int { -n } }
  class Obj: L, R { func l() -> Int { 10 }; func r() -> Int { 20 } }
  let list: [any L & R] = [Both(n: 4), Obj()]
  let bound: any L & AnyObject = Obj()
  return list.map { "\($0.l() + $0.r())" }.joined(separator: ",") + "\(bound.l())"
}
let closure: (Int) -> String = { n in
  protocol In { func go(_ n: Int) -> String }
  struct X: In { func go(_ n: Int) -> String { "x\(n)" } }
  enum Y: In { case a, b(Int); func go(_ n: Int) -> String { switch self { case .a: "a\(n)"; case .b(let m): "b\(m + n)" } } }
  let all: [any In] = [X(), Y.a, Y.b(5)]
  return all.map { $0.go(n) }.joined(separator: " ")
}
do {
  protocol Err: Error { var code: Int { get } }
  struct E: Err { var code: Int }
  func f(_ n: Int) throws -> Int { if n > 1 { throw E(code: n) }; return n }
  do { print(try f(1)); print(try f(2)) } catch let e as any Err { print("code", e.code) } catch { print("other") }
}
print(one(1)); print(two("x")); print(inherits()); print(composed()); print(closure(2))
// An empty one, which only a cast asks for.
@inline(never) func empty(_ input: Any) -> (Any, Bool) {
  protocol Mark {}
  struct Conforms: Mark {}
  if let input = input as? any Mark { return (input, true) }
  return (Conforms(), false)
}
print(empty(5).1, empty(empty(5).0).1, empty(5).0)
