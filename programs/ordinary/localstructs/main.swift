// Structs inside functions: in memory only, and generic ones.
class C { let n: Int; init(_ n: Int) { self.n = n } }
protocol Named { var name: String { get } }
extension Int: Named { var name: String { "int \(self)" } }
func weakly() {
  struct Box { weak var value: C? }
  var c: C? = C(3)
  let b = Box(value: c)
  print(b.value?.n as Any)
  c = nil
  print(b.value == nil, b)
}
func existing() {
  struct One { var a: any Named }
  var t = One(a: 5)
  print(t.a.name)
  t.a = 6
  print(t, t.a.name)
}
func generically() {
  struct Holder<T: Named>: Named { var t: T; @inline(never) init(t: T) { self.t = t };  var name: String { "holder of " + t.name } }
  @inline(never) @_optimize(none) func show<T: Named>(_ h: Holder<T>) { print(h.name, h.t) }
  show(Holder(t: 1)); show(Holder(t: Holder(t: 2)))
}
weakly(); existing(); generically()
