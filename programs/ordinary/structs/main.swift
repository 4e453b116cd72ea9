// Structs, computed properties, methods, default printing, CustomStringConvertible.
struct Point: Equatable {
  var x = 0
  var y = 0
  func moved(by d: Int) -> Point { return Point(x: x + d, y: y + d) }
}
struct Size { var width, height: Double }
struct Rect {
  var origin: Point
  var size: Size
  var label: String?
  var area: Double { return size.width * size.height }
}
struct Money: CustomStringConvertible {
  let cents: Int
  var description: String { return "$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }
}
struct Wrapper<T> { var value: T }
struct Empty {}

let p = Point(x: 3, y: 4)
print(p)
print(p.moved(by: 2), p == Point(x: 3, y: 4))
var r = Rect(origin: p, size: Size(width: 2.5, height: 4), label: nil)
print(r)
r.label = "box"
r.origin.x = -1
print(r.area, r)
print(Money(cents: 12345), [Money(cents: 5)])
print(Wrapper(value: 1), Wrapper(value: "s"), Wrapper(value: [p]))
print(Empty())
