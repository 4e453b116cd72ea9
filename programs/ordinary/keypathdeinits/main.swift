// Writing through key paths behind a computed part: what the getter gave and what is written in dies at the end of the access, and nothing leaks.
final class C { var x: Int; var other: C?; init(_ x: Int) { self.x = x }; deinit { print("deinit C", x) } }
struct S { var list: [C] = []; var fresh: C { return C(90) } }
func change(_ k: ReferenceWritableKeyPath<S, Int>, _ n: Int) {
  var s = S()
  s.list = [C(n)]
  s[keyPath: k] += 1
  s[keyPath: k] = s[keyPath: k] &* 2
  print("changed", s.list[0].x)
}
change(\S.list[0].x, 1)
change(\S.fresh.x, 2)
func optional() {
  let k = \S.list[0].other!.x
  var s = S()
  s.list = [C(3)]
  s.list[0].other = C(4)
  s[keyPath: k] += 5
  let other = \S.list[0].other
  s[keyPath: other] = nil
  print("gone", s.list[0].x)
}
optional()
func array() {
  let list = [C(6)]
  let k = \[C][0].x
  list[keyPath: k] += 1
  print("changed", list[keyPath: k])
}
array()
