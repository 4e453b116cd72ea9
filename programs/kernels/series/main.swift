// Floats in registers: roots by Newton's method, an integral, a power series, rotations, a chaotic map, a pendulum, roots of a cubic
// among complex numbers.
let size = 40_000
var runtimeSize = size

struct Point {
  var x: Double
  var y: Double
  static func + (a: Point, b: Point) -> Point { return Point(x: a.x + b.x, y: a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { return Point(x: a.x - b.x, y: a.y - b.y) }
  static func * (a: Point, f: Double) -> Point { return Point(x: a.x * f, y: a.y * f) }
  func turned(_ c: Double, _ s: Double) -> Point { return Point(x: x * c - y * s, y: x * s + y * c) }
  func over(_ b: Point) -> Point {
    let d = b.x * b.x + b.y * b.y
    return Point(x: (x * b.x + y * b.y) / d, y: (y * b.x - x * b.y) / d)
  }
}

@inline(never) func root(_ a: Double, _ f: (Double) -> Double) -> Double {
  var x = a
  for _ in 0..<50 {
    let slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    let next = x - f(x) / slope
    if abs(next - x) < 1e-12 { return next }
    x = next
  }
  return x
}

@inline(never) func integral(_ n: Int, _ f: (Double) -> Double) -> Double {
  let h = 1 / Double(n)
  var sum = f(0) + f(1)
  for k in 1..<n { sum += f(Double(k) * h) * (k % 2 == 0 ? 2 : 4) }
  return sum * h / 3
}

@inline(never) func sine(_ x: Double) -> Double {
  var term = x, sum = x, k = 1.0
  while abs(term) > 1e-15 {
    term *= -x * x / ((2 * k) * (2 * k + 1))
    sum += term
    k += 1
  }
  return sum
}

@inline(never) func horner(_ c: [Double], _ x: Double) -> Double {
  var v = 0.0
  for a in c.reversed() { v = v * x + a }
  return v
}

@inline(never) func map(_ rate: Float, _ n: Int) -> Float {
  var x: Float = 0.5
  for _ in 0..<n { x = rate * x * (1 - x) }
  return x
}

@inline(never) func pendulum(_ n: Int) -> Point {
  var s = Point(x: 1, y: 0)
  let h = 0.01
  func slope(_ s: Point) -> Point { return Point(x: s.y, y: -s.x + s.x * s.x * s.x / 6) }
  for _ in 0..<n {
    let a = slope(s), b = slope(s + a * (h / 2)), c = slope(s + b * (h / 2)), d = slope(s + c * h)
    s = s + (a + b * 2 + c * 2 + d) * (h / 6)
  }
  return s
}

@inline(never) func cubic(_ start: Point) -> Int {
  var z = start
  for k in 0..<60 {
    let square = Point(x: z.x * z.x - z.y * z.y, y: 2 * z.x * z.y)
    let cube = Point(x: square.x * z.x - square.y * z.y, y: square.x * z.y + square.y * z.x)
    let step = Point(x: cube.x - 1, y: cube.y).over(square * 3)
    z = z - step
    if step.x * step.x + step.y * step.y < 1e-18 { return k }
  }
  return 60
}

let n = runtimeSize
var total = 0.0
for k in 1...n / 300 {
  total += root(Double(k)) { $0 * $0 * $0 - Double(k) }
  total += integral(200) { 4 / (1 + $0 * $0) * Double(k % 3) }
  total += sine(Double(k) / 10)
  total += horner([1, -2, 3, -4, 5, Double(k)], 0.9)
  total += Double(map(3.57 + Float(k) / 1000, 300))
}
var p = Point(x: 1, y: 0)
for _ in 0..<n * 10 { p = p.turned(0.8, 0.6) }
var rounds = 0
for y in 1...n / 450 { for x in 1...n / 450 { rounds += cubic(Point(x: Double(x) - 9.5, y: Double(y) - 9.5)) } }
let swing = pendulum(n)
print(Int(total), p.x * p.x + p.y * p.y > 0.99, rounds, Int(swing.x * 1000))
