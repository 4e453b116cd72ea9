// When objects die: scopes, reassignment, arrays, closures, optionals, inheritance.
class Tracer {
  let name: String
  init(_ name: String) {
    self.name = name
    print("+", name)
  }
  deinit { print("-", name) }
}
final class Sub: Tracer {
  let inner: Tracer
  override init(_ name: String) {
    inner = Tracer(name + ".inner")
    super.init(name)
  }
  deinit { print("- sub", name) }
}
struct Holder {
  var a: Tracer
  var b: Tracer?
}
func scope() {
  let t = Tracer("local")
  print("in scope", t.name)
}
func reassign() {
  var t = Tracer("first")
  print(t.name)
  t = Tracer("second")
  print(t.name)
}
func array() {
  var list = [Tracer("x"), Tracer("y"), Tracer("z")]
  list.remove(at: 1)
  print("removed")
  list[0] = Tracer("w")
  print(list.map { $0.name })
}
func closure() -> () -> String {
  let t = Tracer("captured")
  return { t.name }
}
scope()
reassign()
array()
do {
  let c = closure()
  print(c())
}
do {
  var h = Holder(a: Tracer("a"), b: Tracer("b"))
  h.b = nil
  print("b cleared", h.a.name)
}
_ = Sub("sub")
print("end")
