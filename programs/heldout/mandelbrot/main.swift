// Complex arithmetic on doubles: how soon points leave the circle.
let size = 500
var runtimeSize = size

struct Complex {
  var re: Double
  var im: Double
  static func + (a: Complex, b: Complex) -> Complex { return Complex(re: a.re + b.re, im: a.im + b.im) }
  static func * (a: Complex, b: Complex) -> Complex {
    return Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }
  var norm: Double { return re * re + im * im }
}

@inline(never) func escape(_ c: Complex, _ limit: Int) -> Int {
  var z = Complex(re: 0, im: 0)
  var k = 0
  while k < limit && z.norm < 4 {
    z = z * z + c
    k += 1
  }
  return k
}

var total = 0
let n = runtimeSize
for y in 0..<n {
  for x in 0..<n {
    total += escape(Complex(re: Double(x) * 3 / Double(n) - 2, im: Double(y) * 2 / Double(n) - 1), 200)
  }
}
print(total)
