// Sequences and metatypes behind types that say less: what is called is found in the tables of the library's own classes, and a closure
// that takes a metatype through memory keeps it.
protocol Container<Element> {
  associatedtype Element
  associatedtype Items: Sequence where Items.Element == Element
  var items: Items { get }
}
struct Ring<T>: Container {
  var storage: [T]
  var items: AnySequence<T> { AnySequence(storage) }
}
struct Plain<T>: Container { var items: [T] }
@inline(never) func erase(_ n: Int) -> any Container<Int> { n % 2 == 0 ? Plain(items: [n]) : Ring(storage: [n, 2]) }
@inline(never) func total<C: Container<Int>>(_ c: C) -> Int { c.items.reduce(0, +) }
for n in 3...6 { print(total(erase(n))) }

class Shape {
  func area() -> Double { 0 }
  class func make() -> Self { self.init() }
  required init() {}
}
class Square: Shape {
  var side = 2.0
  override func area() -> Double { side * side }
}
func makeAll<T: Shape>(_ types: [T.Type]) -> [T] { types.map { $0.make() } }
print(makeAll([Shape.self, Square.self]).map { $0.area() })
