// Integers of 128 bits: arithmetic, division, overflow, bit counts, full-width products.
@inline(never) func id<T>(_ x: T) -> T { x }
@available(macOS 15, *) func show(_ v: Int128) { print(Int(truncatingIfNeeded: v >> 64), terminator: " "); print(UInt(truncatingIfNeeded: v)) }
let a = id(Int128(Int.max)) * 1000003, b = id(Int128(-12345678901234567))
show(a); show(b); show(a &* b); show(a / b); show(a % b); show(-a / 7); show(a >> 70); show(b << 40)
print(a > b); print(a.leadingZeroBitCount); print(b.trailingZeroBitCount); print(a.nonzeroBitCount)
print(Int128.max.addingReportingOverflow(1).overflow); print(Int128.min.multipliedReportingOverflow(by: -1).overflow)
let u = id(UInt128(UInt64.max)) * UInt128(UInt64.max)
print(UInt64(truncatingIfNeeded: u >> 64)); print(UInt64(truncatingIfNeeded: u / 12345)); print(UInt64(truncatingIfNeeded: u % 998244353)); print(u.byteSwapped.leadingZeroBitCount)
print(Int64(exactly: b)!); print(Int64(exactly: a) == nil); print(UInt8(truncatingIfNeeded: a)); print(Int128(3.5) == 3); print(Double(a) > 1e24)
show(Int128.max); show(.min)
func go<T: FixedWidthInteger>(_ t: T.Type, _ a: T, _ b: T) {
  let a = id(a), b = id(b)
  let m = a.multipliedFullWidth(by: b)
  print(m.high, terminator: " "); print(m.low, terminator: " ")
  let d = b.dividingFullWidth((0, m.low == 0 ? 1 : T.Magnitude(1)))
  print(d.quotient, terminator: " "); print(d.remainder)
  for r in [a.addingReportingOverflow(b), a.subtractingReportingOverflow(b), a.multipliedReportingOverflow(by: b), a.dividedReportingOverflow(by: b), a.remainderReportingOverflow(dividingBy: b), a.dividedReportingOverflow(by: 0)] {
    print(r.partialValue, terminator: r.overflow ? "! " : " ")
  }
  print("")
  print(a &+ b, terminator: " "); print(a &- b, terminator: " "); print(a &* b, terminator: " "); print(a &<< 3, terminator: " "); print(a &>> 1, terminator: " "); print(a << 200, terminator: " "); print(a >> 200, terminator: " ")
  print(a & b, terminator: " "); print(a | b, terminator: " "); print(a ^ b, terminator: " "); print(~a, terminator: " "); print(a.byteSwapped, terminator: " ")
  print(a.leadingZeroBitCount, terminator: " "); print(b.trailingZeroBitCount, terminator: " "); print(a.nonzeroBitCount, terminator: " "); print(T.bitWidth, terminator: " "); print(a.signum())
  let (q, r) = a.quotientAndRemainder(dividingBy: b)
  print(q, terminator: " "); print(r, terminator: " "); print(a.magnitude); print(T.max / 3 &+ T.min)
}
go(Int8.self, -100, 77); go(UInt8.self, 200, 19); go(Int16.self, -30000, 123); go(UInt16.self, 60000, 7); go(Int32.self, -2_000_000_000, 3); go(UInt32.self, 4_000_000_000, 17)
go(Int64.self, -9_000_000_000_000_000_000, 1234567); go(UInt64.self, 18_000_000_000_000_000_000, 99); go(Int.self, .min, -3); go(UInt.self, .max, .max)
print(Int64.max.multipliedFullWidth(by: -2).high); print(UInt8(clamping: -4)); print(Int16(clamping: 99999)); print(UInt32(bitPattern: -5)); print(Int8(truncatingIfNeeded: 0x1FF)); print(UInt16(truncatingIfNeeded: -1 as Int8))
print(Int(exactly: 2.5) == nil); print(Int(2.99)); print(Int(-2.99)); print(UInt8(exactly: 255.0)!)
print(Int.random(in: 5...5)); print((-7).quotientAndRemainder(dividingBy: 2).remainder); print(-7 / 2); print(-7 % 2); print((-7).isMultiple(of: 7)); print(7.advanced(by: -10)); print(3.distance(to: 10))
print(UInt64(0xDEAD_BEEF).bigEndian); print(Int32(littleEndian: 5)); print(1.0.bitPattern); print(Float(bitPattern: 0x40490FDB) > 3.14)
