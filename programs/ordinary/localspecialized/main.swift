// Generic structs inside functions of which only specialized code is left: what S<Int> and S<String> are made of tells the fields of S<T>.
final class Box { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("gone", n) } }
@inline(never) func one() -> String {
  struct S<T> { let t: T; @inline(never) func with<U>(_ u: S<U>) -> S<(T, U)> { S<(T, U)>(t: (t, u.t)) } }
  return "\(S(t: "a").with(S(t: (1, 2))))"
}
@inline(never) func mixed(_ n: Int) -> String {
  struct P<T, U> {
    var first: T; var count: Int; var list: [U]; var pair: (T, U)
    @inline(never) func text() -> String { "\(first) \(count) \(list) \(pair)" }
    @inline(never) mutating func next(_ t: T) { first = t; pair.0 = t; count += 1 }
  }
  var a = P(first: "a", count: n, list: [1.5], pair: ("b", 2.5)), b = P(first: true, count: n + 1, list: ["l"], pair: (false, "m"))
  a.next("c"); b.next(false)
  return a.text() + b.text() + "\(a) \(b)"
}
@inline(never) func counted() -> Int {
  struct R<T> { var tag: T; var box: Box; var other: T?; @inline(never) func sum(_ n: Int) -> Int { box.n + n + (other == nil ? 0 : 100) } }
  var list = [R(tag: 1, box: Box(1), other: nil), R(tag: 2, box: Box(2), other: 3)]
  list.append(R(tag: 7, box: Box(7), other: 4))
  list.swapAt(0, 1)
  let s = R(tag: "s", box: Box(9), other: "t")
  print(list.map { ($0.tag, $0.sum(1)) }, s.tag, s.sum(2))
  return MemoryLayout<R<Int8>>.size
}
print(one()); print(mixed(3)); print(counted())
