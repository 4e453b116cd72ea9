// Packs of classes: an element is a reference, of whichever class.
protocol Part: AnyObject { var name: String { get } }
final class A: Part { let name = "a" }
final class B: Part { let name: String; init(_ n: String) { name = n } }
final class Box {
  var parts: [any Part] = []
  func add(_ p: any Part) -> Bool { parts.append(p); return parts.count < 4 }
  @_optimize(none) func addAll<each C: Part>(_ c: repeat each C) -> Bool {
    var ok = true
    _ = (repeat (ok = ok && add(each c)))
    return ok
  }
  func forward<each C: Part>(_ c: repeat each C) -> Box { print(addAll(repeat each c)); return self }
}
@_optimize(none) func names<each C: Part>(_ c: repeat each C) -> [String] { var r: [String] = []; repeat r.append((each c).name); return r }
@_optimize(none) func pair<each C: Part>(_ c: repeat each C) -> (repeat (each C, Int)) { (repeat ((each c), (each c).name.count)) }
do {
  let b = Box().forward(A(), B("bb")).forward(B("c"))
  print(b.parts.map { $0.name }, names(A(), B("x"), B("y")), b.forward(A()).parts.count)
}
do {
  let p = pair(A(), B("long"))
  print(p.0.1, p.1.1, p.1.0.name)
  withExtendedLifetime(p.0.0) { withExtendedLifetime(p.1.0) { print("both alive") } }
}

protocol Shape: AnyObject {
  associatedtype Unit
  static var title: String { get }
  func twin() -> Self
  func unit() -> Unit
}
class Base: Shape {
  class var title: String { "Base" }
  required init() {}
  func twin() -> Self { Self.init() }
  func unit() -> Int { 1 }
  deinit { print("-", type(of: self)) }
}
class Derived: Base {
  override class var title: String { "Derived" }
  override func unit() -> Int { 2 }
}
final class Other: Shape {
  static let title = "Other"
  func twin() -> Other { self }
  func unit() -> String { "u" }
  deinit { print("- Other") }
}
struct Holder<each C: Shape> {
  var all: (repeat each C)
  init(_ c: repeat each C) { all = (repeat each c) }
  func say<T: Shape>(_ t: T) -> String { "\(T.title) \(type(of: t)) \(T.self) \(t.unit())" }
  @_optimize(none) func titles() -> [String] {
    var r: [String] = []
    repeat r.append(say(each all))
    repeat r.append((each C).title)
    return r
  }
  @_optimize(none) func twins() -> Holder<repeat each C> { Holder<repeat each C>(repeat (each all).twin()) }
}
@_optimize(none) func supers<each B: Base>(_ b: repeat each B) -> [Int] {
  var r: [Int] = []
  repeat r.append((each b).unit())
  return r
}
func test() {
  let b: Base = Derived(), o = Other()
  let h = Holder(b, o, Derived())
  print(h.titles(), h.twins().titles(), supers(b, Derived(), Base()))
}
test()
