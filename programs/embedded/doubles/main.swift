// Floating point: arithmetic, comparison, rounding, special values. Embedded Swift
// prints integers only, so results are scaled.
@inline(never) func opaque<T>(_ x: T) -> T { return x }

func milli(_ x: Double) -> Int { return Int((x * 1000).rounded()) }

func newton(_ x: Double) -> Double {
  var g = x / 2
  while (g * g - x).magnitude > 1e-12 { g = (g + x / g) / 2 }
  return g
}

func integrate(_ f: (Double) -> Double, from a: Double, to b: Double, steps: Int) -> Double {
  let h = (b - a) / Double(steps)
  var sum = 0.5 * (f(a) + f(b))
  for i in 1..<steps { sum += f(a + Double(i) * h) }
  return sum * h
}

print(milli(newton(opaque(2))))
print(milli(integrate({ $0 * $0 }, from: 0, to: 3, steps: 1000)))
print(milli(integrate({ 1 / (1 + $0 * $0) }, from: 0, to: 1, steps: 500) * 4))
let zero = opaque(0.0)
let inf = 1 / zero
let nan = zero / zero
print(inf > 1e308)
print(nan == nan)
print(nan.isNaN)
print(inf.isInfinite)
print((-inf).sign == .minus)
print((-zero).bitPattern)
print(opaque(1.5).bitPattern)
print(Float(opaque(0.1)).bitPattern)
print(Int(opaque(-2.7)))
print(Int(opaque(2.5).rounded()))
print(Int(opaque(2.5).rounded(.toNearestOrEven)))
print(Int(opaque(-2.5).rounded(.down)))
print(Int(opaque(-2.5).rounded(.up)))
print(milli(opaque(2.0).squareRoot()))
print(milli(opaque(10.5).truncatingRemainder(dividingBy: 3)))
print(UInt8(opaque(Float(200.9))))
print(Int(exactly: opaque(3.5)) == nil)
print(milli(Double(Float(opaque(3.14159)))))
print(opaque(1e300) * 1e10 == inf)
print(milli(max(opaque(1.25), 0.5) - min(opaque(1.25), 0.5)))
