// Float80: arithmetic, rounding, comparisons, conversions, text.
import Glibc // links what rounds
let xs: [Float80] = [0, -0.0, 1, -1.5, 0.1, 2.5, -3.5, 1e19, 123456789.123456789, 1e4000, 3.6e-4951, .infinity, .nan, 18446744073709551615, 73786976294838206464, 0.00001]
@inline(never) func show(_ s: String) { print(s, terminator: " ") }
for x in xs {
  for y in [x, x + 1, x * 3, x / 7, 1 / x, -x, abs(x), x.squareRoot(), x.rounded(), x.rounded(.up), x.rounded(.down), x.rounded(.toNearestOrEven)] { show(y.description) }
  show("\(Double(x)) \(Float(x)) \(x.debugDescription)")
  print()
}
for (a, b) in zip(xs, xs.reversed()) {
  for y in [a < b, a <= b, a == b, a != b, a > b] { show(y ? "y" : "n") }
  for y in [max(a, b), a.truncatingRemainder(dividingBy: b), a.remainder(dividingBy: b), a.addingProduct(b, 2), a - b] { show(y.description) }
  print()
}
for x in xs where x.isNormal { for y in [x.significand, x.ulp, x.nextUp, x.nextDown] { show(y.description) }; show(String(x.exponent)); show(String(x.significandBitPattern)); print() }
for s in ["0.1", "-1e5", "1e5000", "1e-5000", "0x1.8p3", "-inf", "nan", "nan(0x12)", "", " 1", "1x", "3.14159265358979323846264338327950288", "5.", "1e", "+7"] { show(Float80(s)?.debugDescription ?? "nil") }
print()
for n in [0, -1, Int.max, Int.min, 1 << 53 + 1] { show(Float80(n).description); show(String(Int(exactly: Float80(n) / 2) ?? 7)) }
print(UInt64(xs[13]), Int(xs[3]), MemoryLayout<Float80>.size, MemoryLayout<Float80?>.size, Set(xs).count)
var total: Float80 = 0
for i in 1...1000 { total += 1 / Float80(i) }
print(total, [total, 1], Optional(total) as Any)
