// Structs inside functions with fields of one type, in whose order only the library's sorting releases them.
final class R { let n: String; init(_ n: String) { self.n = n } }
@inline(never) func show(_ s: [String]) { print(s.joined(separator: " ")) }
func one() {
  struct P { var last: String; var first: String; var mid: String }
  var ps = [P(last: "L1", first: "z", mid: "m1"), P(last: "L2", first: "y", mid: "m0"), P(last: "L3", first: "x", mid: "m2"), P(last: "L4", first: "z", mid: "m0")]
  ps.sort { ($0.mid, $0.first, $0.last) < ($1.mid, $1.first, $1.last) }
  show(ps.map { $0.first + $0.mid + $0.last })
}
func two() {
  struct Q { var b: R; var a: R; var c: Int }
  var qs = [Q(b: R("b1"), a: R("a9"), c: 1), Q(b: R("b2"), a: R("a8"), c: 0), Q(b: R("b0"), a: R("a7"), c: 5)]
  qs.sort { $0.a.n == $1.a.n ? $0.b.n < $1.b.n : $0.a.n < $1.a.n }
  show(qs.map { $0.b.n + $0.a.n + String($0.c) })
  let s = qs.sorted { $0.b.n > $1.b.n }
  show(s.map { $0.a.n })
}
one()
two()
