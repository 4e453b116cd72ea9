// Protocols that are nested in types, beside one of the same name at the top: witness tables say just the last name.
enum E { protocol P { func hi() }; protocol Q { func q() }; protocol Mark {} }
protocol P { func yo() }
protocol Mark {}
struct A: E.P, E.Q { func hi() { print("A hi") }; func q() { print("A q") } }
struct B: P { func yo() { print("B yo") } }
struct C<T> { var t: T }
extension C: E.P where T: E.P { func hi() { print("C hi"); t.hi() } }
extension C: P where T: P { func yo() { print("C yo"); t.yo() } }
extension A: E.Mark {}
extension B: Mark {}
@inline(never) func show(_ x: Any) {
  if let p = x as? any E.P { p.hi() } else { print("no E.P") }
  if let p = x as? any P { p.yo() } else { print("no P") }
  if let p = x as? any E.Q { p.q() } else { print("no E.Q") }
  print(x is any E.Mark, x is any Mark)
}
@inline(never) func hi<T: E.P>(_ t: T) { t.hi() }
for x in [A(), B(), C(t: A()), C(t: B()), C(t: 1), 1] as [Any] { show(x) }
hi(A()); hi(C(t: A()))

// One that inherits from another, with an associated type that conforms to it.
enum F { protocol Base { func b() }; protocol R: Base { associatedtype X: Base; func x() -> X } }
struct G: F.R { func b() { print("G b") }; func x() -> G { self } }
@inline(never) func both<T: F.R>(_ t: T) { t.b(); t.x().b() }
both(G())
print((G() as Any) is any F.Base)

// A delegate.
class View {
  protocol Delegate: AnyObject { func moved(_ v: View) }
  weak var delegate: (any Delegate)?
  func move() { delegate?.moved(self) }
}
final class Owner: View.Delegate { func moved(_ v: View) { print("moved") } }
let owner = Owner(), view = View()
view.delegate = owner
view.move()
print(owner as AnyObject is any View.Delegate, type(of: view.delegate))
