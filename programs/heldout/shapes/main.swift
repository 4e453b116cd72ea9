// Existentials: values of several types behind a protocol, of which some fit into the buffer and some don't.
let size = 1_500_000
var runtimeSize = size

protocol Body {
  var mass: Int { get }
  mutating func move(_ dx: Int, _ dy: Int)
  func distance(_ x: Int, _ y: Int) -> Int
}

struct Point: Body {
  var x: Int
  var y: Int
  var mass: Int { return 1 }
  mutating func move(_ dx: Int, _ dy: Int) {
    x = (x &+ dx) & 1023
    y = (y &+ dy) & 1023
  }
  func distance(_ x: Int, _ y: Int) -> Int { return abs(self.x - x) + abs(self.y - y) }
}

struct Box: Body {
  var low: Point
  var high: Point
  var weight: Int
  var mass: Int { return weight }
  mutating func move(_ dx: Int, _ dy: Int) {
    low.move(dx, dy)
    high.move(dx, dy)
  }
  func distance(_ x: Int, _ y: Int) -> Int { return min(low.distance(x, y), high.distance(x, y)) }
}

final class Cloud: Body {
  var points: [Point]
  init(_ n: Int) { points = (0..<n).map { Point(x: $0 * 5, y: $0 * 3) } }
  var mass: Int { return points.count }
  func move(_ dx: Int, _ dy: Int) {
    for k in points.indices { points[k].move(dx, -dy) }
  }
  func distance(_ x: Int, _ y: Int) -> Int {
    return points.lazy.map { $0.distance(x, y) }.min() ?? 0
  }
}

@inline(never) func step(_ bodies: inout [any Body], _ k: Int) -> Int {
  let n = k % bodies.count
  bodies[n].move(k & 15, k & 7)
  return bodies[n].distance(k & 255, k & 127) &* bodies[n].mass
}

var bodies: [any Body] = [
  Point(x: 1, y: 2), Box(low: Point(x: 0, y: 0), high: Point(x: 9, y: 9), weight: 3), Cloud(3), Point(x: 7, y: 7),
  Box(low: Point(x: 4, y: 5), high: Point(x: 6, y: 8), weight: 2),
]
var total = 0
for k in 0..<runtimeSize { total = total &+ step(&bodies, k) }
print(total)
