// Prints what the C library gives: a line "name x y result", all in hexadecimal bits; floats of 32 bits have names that end in f.
import Glibc

var state: UInt64 = 0x9E37_79B9_7F4A_7C15

// next is a random number (splitmix on a linear congruential generator).
func next() -> UInt64 {
  state = state &* 6364136223846793005 &+ 1442695040888963407
  var x = state ^ (state >> 33)
  x = x &* 0xff51afd7ed558ccd
  return x ^ (x >> 33)
}

// uniform lies between -1 and 1.
func uniform() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

func scaled(_ low: Int, _ high: Int) -> Double {
  uniform() * Double(sign: .plus, exponent: low + Int(next() % UInt64(high - low + 1)), significand: 1)
}

let special: [Double] = [
  0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, 10, 100, 1000, .pi, .pi / 2, -.pi / 4, 3 * .pi, .infinity, -.infinity, .nan, -Double.nan,
  .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0x1p-1030, 1e22, 1e300, 1e-300, 0x1p120, 709.78,
  709.79, -745.1, -745.2, 1023.99, 1024, -1074, -1074.5, -1075, 22, 0x1p-27, 0x1p-60, 6381956970095103 * 0x1p797, 0x1.921fb54442d18p1, 1e15, 1.5, 8, 27,
]

func hex<T: FixedWidthInteger & UnsignedInteger>(_ v: T) -> String { String(v, radix: 16) }

func show(_ name: String, _ x: Double, _ y: Double, _ r: Double) { print(name, hex(x.bitPattern), hex(y.bitPattern), hex(r.bitPattern)) }
func show(_ name: String, _ x: Float, _ y: Float, _ r: Float) { print(name + "f", hex(x.bitPattern), hex(y.bitPattern), hex(r.bitPattern)) }

let count = 200

func unary(_ name: String, _ f: (Double) -> Double, _ g: (Float) -> Float) {
  for x in special {
    show(name, x, 0, f(x))
  }
  for x in special.prefix(30) {
    show(name, Float(x), 0, g(Float(x)))
  }
  for i in 0..<count {
    let x: Double
    switch i % 4 {
    case 0: x = uniform()
    case 1: x = uniform() * 40
    case 2: x = 1 + scaled(-20, 0)
    default: x = scaled(-10, 9)
    }
    show(name, x, 0, f(x))
    if i % 2 == 0 { show(name, Float(x), 0, g(Float(x))) }
  }
  for _ in 0..<10 {
    let x = scaled(-300, 1000)
    show(name, x, 0, f(x))
  }
}

func binary(_ name: String, _ f: (Double, Double) -> Double, _ g: (Float, Float) -> Float) {
  for x in special.prefix(34) {
    for y in special.prefix(34) where next() % 3 == 0 {
      show(name, x, y, f(x, y))
    }
  }
  for i in 0..<count {
    var x = scaled(-8, 8), y = scaled(-8, 6)
    if name == "pow" && i % 8 != 0 { x = x.magnitude }
    if i % 4 == 0 { y = y.rounded() }
    if i % 16 == 0 { x = x.rounded() }
    show(name, x, y, f(x, y))
    if i % 2 == 0 { show(name, Float(x), Float(y), g(Float(x), Float(y))) }
  }
}

unary("sin", sin, sinf)
unary("cos", cos, cosf)
unary("tan", tan, tanf)
unary("exp", exp, expf)
unary("exp2", exp2, exp2f)
unary("expm1", expm1, expm1f)
unary("log", log, logf)
unary("log2", log2, log2f)
unary("log10", log10, log10f)
unary("log1p", log1p, log1pf)
unary("asin", asin, asinf)
unary("acos", acos, acosf)
unary("atan", atan, atanf)
unary("sinh", sinh, sinhf)
unary("cosh", cosh, coshf)
unary("tanh", tanh, tanhf)
unary("asinh", asinh, asinhf)
unary("acosh", acosh, acoshf)
unary("atanh", atanh, atanhf)
unary("cbrt", cbrt, cbrtf)
binary("pow", pow, powf)
binary("atan2", atan2, atan2f)
binary("hypot", hypot, hypotf)
binary("fmod", fmod, fmodf)
binary("remainder", remainder, remainderf)
