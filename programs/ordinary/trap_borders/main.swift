// Arithmetic at the borders of its types behind comparisons that rule overflows out, and one that they don't.
@inline(never) func id<T>(_ x: T) -> T { return x }
@inline(never) func a(_ x: Int8, _ y: Int8) -> Int8 { if x < y { return x + 1 }; return x }
@inline(never) func b(_ x: Int8, _ y: Int8) -> Int8 { if x > y { return x - 1 }; return x }
@inline(never) func c(_ x: UInt8, _ y: UInt8) -> UInt8 { if x >= y { return x - y }; return y - x }
@inline(never) func d(_ x: Int8) -> Int { var n = 0; if x > 10 { n += Int(x - 10) }; if x >= 0 { n += Int(x - 1) } else if x > -128 { n += Int(-x) }; return n }
@inline(never) func e(_ x: UInt8, _ y: UInt8) -> UInt8 { guard y != 0, x <= 255 / y else { return 0 }; return x * y }
@inline(never) func f(_ x: Int8) -> Int8 { let y = x &- 1; if y == x { return y - x }; if y < x { return (x - 1) } ; return y }
@inline(never) func g(_ n: UInt) -> UInt { var t: UInt = 0; var i = n; while i > 0 { i -= 1; t += i }; return t }
@inline(never) func h(_ lo: Int8, _ hi: Int8) -> Int { var n = 0; var i = lo; while i < hi { n += Int(i); i += 1 }; return n }
@inline(never) func k(_ lo: Int8, _ hi: Int8) -> Int { var n = 0; var i = hi; while i > lo { i -= 1; n += Int(i) }; return n }
@inline(never) func m(_ x: Int8, _ y: Int8) -> Int { let p = Int16(x) * Int16(y); if p < 128 && p >= -128 { return Int(x * y) }; return Int(p) }
@inline(never) func twice(_ x: Int8) -> Int { let s = Int(x) + 1; if x != Int8.max { return Int(x + 1) + s }; return s }
@inline(never) func both(_ x: Int8, _ y: Int8) -> Int8? { let (s, o) = x.addingReportingOverflow(y); if o { return nil }; return (x + y) &- s }
@inline(never) func range(_ x: Int) -> Int { var t = 0; for i in stride(from: x, to: Int.max, by: Int.max / 3) { t &+= i }; return t }
@inline(never) func closed(_ x: UInt8) -> Int { var t = 0; for i in x...UInt8.max { t += Int(i) }; return t }
@inline(never) func neg(_ x: Int8) -> Int { if x < 0 { if x == -128 { return 128 }; return Int(-x) }; return Int(x) }
@inline(never) func mid(_ x: Int, _ y: Int) -> Int { if x < y { return x + (y &- x) / 2 }; return y }
@inline(never) func trap(_ x: Int8, _ y: Int8) -> Int8 { if x > y { print("before"); let z = x - y; return z }; return 0 }
let borders8: [Int8] = [-128, -127, -1, 0, 1, 2, 10, 11, 126, 127]
let bordersU: [UInt8] = [0, 1, 2, 15, 16, 17, 127, 128, 254, 255]
for x in borders8 { for y in borders8 { print(a(x, y), b(x, y), m(x, y), both(x, y).map { Int($0) } ?? 999, terminator: " ") }; print(d(x), f(x == -128 ? 0 : x), twice(x), neg(x)) }
for x in bordersU { for y in bordersU { print(c(x, y), e(x, y), terminator: " ") }; print(closed(x)) }
print(g(0), g(10), h(-128, 127), h(127, -128), h(120, 127), k(-128, 127), k(-128, -127), k(0, 0), range(0), range(Int.min / 4), mid(Int.min, Int.max), mid(3, 9))
print(trap(127, 1), trap(1, 127))
print(trap(127, -1))
