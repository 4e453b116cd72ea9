// Metatypes, Self, required initializers, factories, generic classes and their subclasses.
protocol Animal {
  static var legs: Int { get }
  init(age: Int)
  var age: Int { get }
}
struct Cat: Animal {
  static let legs = 4
  let age: Int
}
struct Bird: Animal {
  static let legs = 2
  let age: Int
  init(age: Int) { self.age = age * 10 }
}
func make<A: Animal>(_ type: A.Type, count: Int) -> [A] { return (1...count).map { type.init(age: $0) } }
func totalLegs<A: Animal>(_ a: [A]) -> Int { return a.count * A.legs }

class Shape {
  let id: Int
  required init(id: Int) { self.id = id }
  class var kind: StaticString { return "shape" }
  class func make(_ id: Int) -> Self { return self.init(id: id) }
  func copy() -> Self { return type(of: self).init(id: id + 100) }
  func describe() { print(type(of: self).kind) }
}
final class Circle: Shape {
  let radius: Int
  required init(id: Int) {
    radius = id * 2
    super.init(id: id)
  }
  override class var kind: StaticString { return "circle" }
}

class Container<T> {
  final var items: [T] = []
  final func add(_ x: T) { items.append(x) }
  final func size() -> Int { return items.count }
}
final class Limited<T>: Container<T> {
  let limit: Int
  init(limit: Int) { self.limit = limit }
  func addIfRoom(_ x: T) { if items.count < limit { add(x) } }
}
class IntContainer: Container<Int> {
  final var total: Int { return items.reduce(0, +) }
}
final class Pair<A, B> {
  var a: A
  var b: B
  init(_ a: A, _ b: B) { self.a = a; self.b = b }
  func swapped() -> Pair<B, A> { return Pair<B, A>(b, a) }
  deinit { print("pair deinit") }
}

let cats = make(Cat.self, count: 3)
let birds = make(Bird.self, count: 2)
print(totalLegs(cats) + totalLegs(birds))
print(birds[1].age)
let s = Shape.make(1)
let c = Circle.make(2)
print(c.radius)
let d = c.copy()
print(d.radius)
let shapes: [Shape] = [s, c, d, c as Shape]
for x in shapes { x.describe() }
let l = Limited<UInt8>(limit: 2)
for i in 0..<5 { l.addIfRoom(UInt8(i)) }
let base: Container<UInt8> = l
base.add(9)
print(base.size())
let ints = IntContainer()
ints.add(4)
ints.add(5)
print(ints.total)
print(Pair(1, true).swapped().a)
print(MemoryLayout<Pair<Int, Int>>.size)
