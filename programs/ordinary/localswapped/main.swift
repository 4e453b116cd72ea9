// Structs inside functions that are made of the values of others of their type, in another order: what a value is called there is not its field.
@inline(never) func sink<T>(_ t: T) { print(t) }
@inline(never) func h(_ n: Int, _ m: Int) -> Int {
  struct R { var x: Int; var y: Int }
  let p = R(x: n, y: m)
  sink(R(x: m, y: n))
  return p.x * 10 + p.y
}
print(h(3, 4))
@inline(never) func i() {
  struct S { var x: Int; var y: Int }
  let p = S(x: 0, y: 1)
  sink(S(x: 1, y: 0))
  print(p.x, p.y)
}
i()
@inline(never) func f(_ n: Int, _ m: Int) -> Int {
  struct P { var x: Int; var y: Int }
  var p = P(x: n, y: m)
  p.x += 1
  let r = P(x: m, y: n)
  sink(r)
  return p.x * 10 + p.y
}
print(f(3, 4))
