import Foundation
func round(_ d: Decimal, _ scale: Int, _ mode: Decimal.RoundingMode) -> Decimal {
  var from = d, to = Decimal()
  NSDecimalRound(&to, &from, scale, mode)
  return to
}
func text(_ d: Decimal...) -> String { d.map { $0.description }.joined(separator: " ") }
let price: Decimal = 19.99, tenth = Decimal(string: "0.1")!
print(text(price * 3, price / 7, 0 - price, price + tenth, Decimal(2) / 3, Decimal(1) / 0), tenth + tenth + tenth == Decimal(string: "0.30")!)
for s in ["1e3", "-1.50x", ".5", "-0", "x", "340282366920938463463374607431768211456", "1e200"] { print(s, text(Decimal(string: s) ?? -1)) }
print(text(Decimal(0.1), Decimal(1e20), Decimal(3.14159), Decimal(Int.min), Decimal(Int.max) * Decimal(Int.max) * 10007))
for m in [Decimal.RoundingMode.plain, .down, .up, .bankers] { print(["1.25", "-1.25", "1.35", "-0.04"].map { text(round(Decimal(string: $0)!, 1, m)) }) }
print(text(pow(Decimal(string: "1.05")!, 20), pow(tenth, 3), [price, tenth, 5].reduce(0, +), price.significand), price.exponent)
var d = price
d += 1
d *= 2
d -= tenth
d /= 4
print(text(d, price.magnitude), price < d, d < price, Decimal.nan.isNaN)
