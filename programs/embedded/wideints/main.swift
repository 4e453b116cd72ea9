// Full-width multiplication and division, big numbers in limbs, edges of every conversion.
@inline(never) func opaque<T>(_ x: T) -> T { return x }
struct Big {
  var limbs: [UInt64]
  init(_ n: UInt64) { limbs = [n] }
  mutating func multiply(by m: UInt64) {
    var carry: UInt64 = 0
    for i in limbs.indices {
      let (hi, lo) = limbs[i].multipliedFullWidth(by: m)
      let (s, o) = lo.addingReportingOverflow(carry)
      limbs[i] = s
      carry = hi + (o ? 1 : 0)
    }
    if carry > 0 { limbs.append(carry) }
  }
  mutating func divide(by d: UInt64) -> UInt64 {
    var r: UInt64 = 0
    for i in limbs.indices.reversed() {
      (limbs[i], r) = d.dividingFullWidth((r, limbs[i]))
    }
    while limbs.count > 1, limbs.last == 0 { limbs.removeLast() }
    return r
  }
  var isZero: Bool { return limbs.count == 1 && limbs[0] == 0 }
  func decimal() -> [UInt64] {
    var b = self
    var out: [UInt64] = []
    while !b.isZero { out.append(b.divide(by: 10)) }
    return out.reversed()
  }
}
var f = Big(1)
for i in 1...40 { f.multiply(by: UInt64(i)) }
print(f.limbs.count)
for d in f.decimal() { print(d, terminator: "") }
print("")
print(Int64.max.multipliedFullWidth(by: -5).high)
print(UInt64.max.multipliedFullWidth(by: UInt64.max).low)
let (q, r) = opaque(UInt32(1_000_000_007)).dividingFullWidth((5, 77))
print(q)
print(r)
print(opaque(Int.min).magnitude)
print(opaque(UInt64.max).leadingZeroBitCount + opaque(Int32(0)).trailingZeroBitCount)
print(opaque(UInt16(0x1234)).byteSwapped)
print(opaque(Int8(-128)) &- 1)
print(opaque(Int8(-128)).subtractingReportingOverflow(1).overflow)
print(opaque(100) >> opaque(200))
print(opaque(-100) >> opaque(200))
print(opaque(1) << opaque(-1))
print(opaque(Int8(1)) &<< opaque(9))
print(opaque(12).isMultiple(of: opaque(0)))
print(abs(opaque(-7)))
print(Int(opaque(UInt8(250))) - 300)
print(Int(opaque(1e15)) % 1_000_003)
print(UInt64(opaque(1.8446744073709550e19)))
print(Int32(opaque(-2147483648.5)))
print(Int(exactly: opaque(2.0)) ?? -1)
