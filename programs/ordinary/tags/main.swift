// Types inside functions of which the text has nothing but the name: they tell generic types apart and are values of Any.Type.
struct Tagged<Tag, Raw> {
  var raw: Raw
  func coerced<T>(to: T.Type) -> Tagged<T, Raw> { Tagged<T, Raw>(raw: raw) }
}
enum Outer {}
func f() {
  enum Tag2 {}
  let x = Tagged<Outer, Int>(raw: 3)
  let y: Tagged<Tag2, Int> = x.coerced(to: Tag2.self)
  print(y.raw, y)
  print(type(of: y) == type(of: x), Tag2.self == Outer.self, Tag2.self)
}
f()
class Node<T> { var n = 0; deinit { print("gone", T.self, n) } }
func g() {
  struct Key {}
  class Late {}
  let n = Node<Key>(); n.n = 4
  let m = Node<Late>()
  print(n is Node<Late> , (m as Any) is Node<Late>)
}
g()
protocol Shape { static var sides: Int { get } }
func describe(_ t: Any.Type) { print((t as? any Shape.Type)?.sides ?? -1, t is AnyClass, t == Int.self, ObjectIdentifier(t) == ObjectIdentifier(t)) }
func h() {
  enum Tri: Shape { static var sides: Int { 3 } }
  enum Dot {}
  struct Pt {}
  class Cls {}
  for t in [Tri.self, Dot.self, Pt.self, Cls.self] as [Any.Type] { describe(t) }
  print(MemoryLayout<Tagged<Dot, Int8>>.size, [Tagged<Pt, Int>](repeating: .init(raw: 1), count: 2).map(\.raw))
}
h()
