// Protocols as types: existentials in arrays, default implementations, dynamic casts.
protocol Shape {
  var name: String { get }
  func area() -> Double
}
extension Shape {
  var name: String { return "shape" }
  func describe() -> String { return "\(name) of area \(area())" }
}
struct Circle: Shape {
  let radius: Double
  var name: String { return "circle" }
  func area() -> Double { return 3 * radius * radius }
}
struct Square: Shape {
  let side: Double
  func area() -> Double { return side * side }
}
final class Polygon: Shape {
  let sides: [Double]
  init(_ s: [Double]) { sides = s }
  var name: String { return "polygon with \(sides.count) sides" }
  func area() -> Double { return sides.reduce(0, +) }
  deinit { print("polygon gone") }
}
struct Scene: Shape {
  var shapes: [any Shape]
  func area() -> Double { return shapes.map { $0.area() }.reduce(0, +) }
}
protocol Named: AnyObject { var title: String { get set } }
final class Book: Named { var title = "untitled" }
func rename(_ n: any Named, _ t: String) { n.title = t }
func larger(_ a: any Shape, _ b: any Shape) -> any Shape { return a.area() >= b.area() ? a : b }

let shapes: [any Shape] = [Circle(radius: 2), Square(side: 3), Polygon([1, 2, 3])]
for s in shapes { print(s.describe()) }
print(larger(shapes[0], shapes[1]).name)
print(Scene(shapes: shapes + [Square(side: 10)]).describe())
for s in shapes {
  if let c = s as? Circle { print("radius", c.radius) }
  if s is Polygon { print("a polygon") }
}
let b = Book()
rename(b, "Moby Dick")
print(b.title)
