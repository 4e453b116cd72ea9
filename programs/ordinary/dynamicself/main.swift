// Self in witnesses that come from protocol extensions, and as a type argument, is the class of the object.

protocol Named: AnyObject {
  init()
  func name() -> String
  func copy() -> Self
}
extension Named {
  func name() -> String { "\(Self.self)" }
  func copy() -> Self { print("copy of", Self.self); return Self() }
}
protocol Plain { func show() -> String }
extension Plain { func show() -> String { "\(Self.self) \(type(of: self))" } }

func make<T: Base>(_ t: T.Type) -> T { T() }
func wrap<T>(_ t: T) -> [T] { print(T.self); return [t] }

class Base: Named, Plain {
  required init() {}
  func another() -> Self { make(type(of: self)) }
  func boxed() -> Int { wrap(self).count }
}
class Derived: Base { var text = "derived" }
final class Last: Derived { required init() { super.init(); text = "last" } }

func call(_ n: any Named) { print(n.name(), type(of: n.copy())) }
for b in [Base(), Derived(), Last()] {
  call(b)
  let p: any Plain = b
  print(p.show(), type(of: b.another()), b.boxed())
}
print(Last().another().text, Derived().copy().text)
