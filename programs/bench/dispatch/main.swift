// Virtual dispatch: a class hierarchy in an array, overridden methods and properties.
let size = 7_000_000
var runtimeSize = size

class Shape {
  var scale: Int
  init(_ scale: Int) { self.scale = scale }
  func area() -> Int { return 0 }
  func grow(_ n: Int) { scale = (scale &+ n) & 255 }
  var sides: Int { return 0 }
}
class Square: Shape {
  override func area() -> Int { return scale &* scale }
  override var sides: Int { return 4 }
}
class Rectangle: Square {
  let ratio: Int
  init(_ scale: Int, _ ratio: Int) {
    self.ratio = ratio
    super.init(scale)
  }
  override func area() -> Int { return super.area() &* ratio }
}
class Circle: Shape {
  override func area() -> Int { return 3 &* scale &* scale }
  override func grow(_ n: Int) { super.grow(n &+ n) }
  override var sides: Int { return 1 }
}
final class Ring: Circle {
  override func area() -> Int { return super.area() &- 3 }
}

@inline(never) func makeShapes() -> [Shape] {
  return [Square(3), Rectangle(4, 2), Circle(5), Ring(6), Square(7), Shape(8), Circle(9), Rectangle(2, 3)]
}

@inline(never) func step(_ shapes: [Shape], _ i: Int) -> Int {
  let s = shapes[i & 7]
  s.grow(i)
  return s.area() &+ s.sides
}

let shapes = makeShapes()
var total = 0
for i in 0..<runtimeSize {
  total = total &+ step(shapes, i) &+ step(shapes, i &* 5 &+ 1) &+ step(shapes, i &+ 2)
}
print(total)
