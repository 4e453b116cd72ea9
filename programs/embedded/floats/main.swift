// Floating point: classes of numbers, rounding, conversions, remainders, bit patterns.
@inline(never) func f(_ x: Double) -> Double { x }
let xs = [0.0, -0.0, 1.5, 2.5, -2.5, 1e300, -1e-300, .infinity, -.infinity, .nan, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .ulpOfOne]
for x in xs.map(f) {
  print(x.isNaN, terminator: " "); print(x.isFinite, terminator: " "); print(x.isZero, terminator: " "); print(x.isNormal, terminator: " "); print(x.isSubnormal, terminator: " "); print(x.sign == .minus, terminator: " ")
  print(x.bitPattern, terminator: " "); print(x.exponentBitPattern, terminator: " "); print(x.significandBitPattern, terminator: " ")
  print(x.nextUp.bitPattern, terminator: " "); print(x.ulp.bitPattern, terminator: " "); print(x.squareRoot().bitPattern, terminator: " "); print(Float(x).bitPattern)
  for r in [FloatingPointRoundingRule.up, .down, .towardZero, .awayFromZero, .toNearestOrEven, .toNearestOrAwayFromZero] { print(x.rounded(r).bitPattern, terminator: " ") }
  print("")
}
print(f(7.5).truncatingRemainder(dividingBy: 2) == 1.5); print(f(7.5).remainder(dividingBy: 2) == -0.5); print(f(2).addingProduct(3, 4) == 14)
print(Double.minimum(1, .nan) == 1); print(Double.maximum(2, 3) == 3); print(f(.nan) == f(.nan)); print(f(.nan) < 1); print(max(f(1), f(2)) == 2); print([3.0, -1.0, 2.0].min()! == -1)
print(Int(f(1e18))); print(UInt64(f(1.8e19))); print(Int8(f(-128.9))); print(Int(exactly: f(1e19)) == nil); print(Float(f(0.1)) == 0.1); print(Double(Float(0.1)) == 0.1); print(Int(Float(16777217))); print(Double(Int.max) == 9223372036854775807.0); print(Float(UInt64.max).bitPattern)
print(f(8).exponent); print(f(10).significand == 1.25); print(Double(sign: .minus, exponent: 3, significand: 1.5) == -12); print(f(5).binade == 4); print(f(1.5).magnitude == f(-1.5).magnitude); print(f(0).isLess(than: -0.0)); print(f(-0.0).isLessThanOrEqualTo(0))
print(f(1).isTotallyOrdered(belowOrEqualTo: 2)); print(abs(f(-3)) == 3); print((-f(0)).sign == .minus); print(Double(signOf: -1, magnitudeOf: 5) == -5); print(Double(bitPattern: 0x7ff8000000000000).isNaN); print(Double.signalingNaN.isSignalingNaN)
var s: Float = 0; for i in 1...1000 { s += 1 / Float(i) }; print(s.bitPattern); s.round(); print(Int(s)); s.formSquareRoot(); s.negate(); print(s.bitPattern)
var acc = 0.0; for i in stride(from: 0.0, through: 1.0, by: 0.1) { acc += i * i }; print(acc.bitPattern); print(f(1e16) + 1 == 1e16); print(0.1 + 0.2 == 0.3); print((f(0.1) + 0.2).bitPattern)
func newton(_ x: Double) -> Double { var g = x; while abs(g * g - x) > 1e-12 * x { g = (g + x / g) / 2 }; return g }
print(newton(2).bitPattern); print((newton(1e10) - 1e5).magnitude < 1e-3)
