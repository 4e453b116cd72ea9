// Generic classes inside functions: their fields, and superclasses in terms of their own parameters.
@inline(never) func plain(_ n: Int) -> String {
  class Base<T> { var t: T; var list: [T] = []; init(_ t: T) { self.t = t }; func add(_ x: T) { list.append(x) }; func text() -> String { "\(t) \(list)" }; deinit { print("gone", t) } }
  final class Sub<U>: Base<(U, Int)> { init(u: U) { super.init((u, 1)) }; override func text() -> String { "sub " + super.text() } }
  class Int2: Base<Int> { let k: String; init() { k = "k"; super.init(7) } }
  let b = Base("x"), c = Base(n), d: Base<(String, Int)> = Sub(u: "u"), e: Base<Int> = Int2()
  b.add("y"); c.add(4); d.add(("v", 2)); e.add(9)
  return "\(b.text()) \(c.text()) \(d.text()) \(e.text()) \(type(of: b)) \(type(of: d)) \(type(of: e))"
}
@inline(never) func chains() -> String {
  class A<T, U> { func name(_ t: T, _ u: U) -> String { "A \(t) \(u)" }; class var kind: String { "\(T.self) \(U.self)" } }
  class B<K, V>: A<V, K> { override func name(_ t: V, _ u: K) -> String { "B " + super.name(t, u) } }
  class C<X>: B<X, [X]> { override class var kind: String { "C " + super.kind } }
  final class D: C<String> {}
  let all: [AnyObject] = [A<Int, Bool>(), B<Int, Double>(), C<Int>(), D()]
  let text = all.map { x in
    switch x {
    case let c as C<Int>: return "C<Int> " + c.name([1], 2)
    case let d as D: return "D " + d.name(["a"], "b") + type(of: d).kind
    case let b as A<Double, Int>: return "A<Double, Int> " + b.name(1.5, 2)
    case let a as A<Int, Bool>: return "A<Int, Bool> " + a.name(1, true) + type(of: a).kind
    default: return "other"
    }
  }
  return text.joined(separator: "; ")
}
@inline(never) func linked() -> Int {
  final class Node<K> { var k: K; var next: Node<K>?; weak var back: Node<K>?; init(_ k: K, _ n: Node<K>?) { self.k = k; next = n; n?.back = self }; deinit { print("-", k, back == nil) } }
  var head: Node<Int>?
  for t in [1, 2] { head = Node(t, head) }
  let s = Node("s", Node("t", nil))
  print(s.next!.k, s.next!.back === s)
  var n = 0, at = head
  while let x = at { n += 1; at = x.next }
  return n
}
print(plain(3)); print(chains()); print(linked())
