// Packs of functions whose types depend on the elements of other packs.
struct Row<each T> {
  let values: (repeat each T)
  init(_ v: repeat each T) { values = (repeat each v) }
  func map<each U>(_ f: repeat (each T) -> each U) -> Row<repeat each U> { Row<repeat each U>(repeat (each f)(each values)) }
}
final class Tag {
  let n: Int
  init(_ n: Int) { self.n = n }
  deinit { print("gone", n) }
}
func apply<each A, each R>(_ f: repeat (inout each A, Int) -> each R, to a: repeat each A) -> (repeat each R) {
  func one<X, Y>(_ x: X, _ g: (inout X, Int) -> Y) -> Y {
    var x = x
    return g(&x, 2)
  }
  return (repeat one(each a, each f))
}
print(Row(1, "two", 3.0).map({ $0 + 1 }, { $0.count }, { "\($0)" }).values)
let tags = Row(Tag(1), Tag(2)).map({ [$0, Tag(3)] }, { $0.n })
print(tags.values.0.map(\.n), tags.values.1)
print(apply({ $0 += $1; return $0 }, { $0.append("!"); return $0.count * $1 }, to: 5, "abc"))
print(Row().map().values)
