// Values that are no instances, as AnyObject beside Foundation: the object's class is one of Foundation's and describes itself as the value.
import Foundation
struct Turtle { var n: Int; var s: String }
enum Pet { case cat, dog(Int) }
enum Bad: Error { case one, two(Int) }
final class K { deinit { print("K dies") } }
struct Holder { let k: K }
protocol P { var p: Int { get } }
struct WithP: P, Hashable { var p: Int }
struct Deb: CustomDebugStringConvertible { var debugDescription: String { "deb" } }
struct E: Equatable, CustomStringConvertible { var a: Int; var description: String { "E(\(a))" } }
struct G<T> { var t: T }
@inline(never) func cast(_ x: Any) -> AnyObject? { x as? AnyObject }
@inline(never) func gen<T>(_ x: T) -> AnyObject { x as AnyObject }
@inline(never) func back<T>(_ o: AnyObject, _: T.Type) -> T? { o as? T }
func kind(_ o: AnyObject) { print(type(of: o), "\(o)", String(describing: o), String(reflecting: o)); debugPrint(o) }
func run() {
  let o = cast(Turtle(n: 1, s: "t"))!
  print(type(of: o) == K.self, (o as? Turtle)?.n ?? -1, o is Turtle, o is Pet, o is K)
  print(back(o, Turtle.self)?.s ?? "-", back(o, K.self) == nil, back(o, Pet.self) == nil, o === o, cast(Turtle(n: 1, s: "t")) === o)
  if case .dog(let n)? = gen(Pet.dog(4)) as? Pet { print(n) }
  print(gen((1, 2)) as? (Int, Int) ?? (0, 0))
  do { let h = gen(Holder(k: K())); print("made"); print(h is Holder) }
  print("gone")
  print((gen(WithP(p: 3)) as? any P)?.p ?? 0, gen(Turtle(n: 1, s: "")) is any P)
  weak var w: AnyObject? = gen(Turtle(n: 7, s: ""))
  print(w == nil)
  let f: AnyObject = gen({ print("called") } as () -> Void)
  (f as? () -> Void)?()
  kind(cast(E(a: 1))!); kind(o); kind(gen(Pet.cat)); kind(gen((1, "x"))); kind(gen(G(t: 1))); kind(cast(Int.self)!); kind(gen(Deb())); kind(gen(WithP(p: 4)))
  print([o, gen(K())] as [AnyObject] is [K])
  kind(gen(Bad.two(3)))
  print(gen(Bad.one) as? Bad ?? .two(0), gen(Bad.one) is any Error)
  let list: [AnyObject] = [o, gen(Pet.dog(1))]
  print(list, list as? [Turtle] ?? [])
}
run()
