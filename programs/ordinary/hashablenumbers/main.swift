// Numbers as AnyHashable, by the initializer and by a cast: which are equal across types (Float80 and the 128-bit integers stand apart), NaN
// too.
func cast<T>(_ x: T) -> AnyHashable { x as! AnyHashable }
let all: [AnyHashable] = [
  AnyHashable(1), cast(UInt8(1)), AnyHashable(1.0), cast(Float(1)), AnyHashable(Float80(1)), cast(Float80(1)),
  AnyHashable(Float16(1)), AnyHashable(Int128(1)), cast(Int128(1)), AnyHashable(UInt128(1)), cast(UInt128(1)),
  AnyHashable(-1), cast(Float80(-1)), AnyHashable(UInt64.max), cast(Float80(UInt64.max)), AnyHashable(Double(UInt64.max)),
  AnyHashable(0.5), cast(Float80(0.5)), AnyHashable(0.1), cast(Float(0.1)), AnyHashable(0.1 as Float80), cast(Float80(0.1 as Double)),
  AnyHashable(-0.0), cast(-0.0 as Float80), AnyHashable(0), AnyHashable(Int.min), cast(Float80(Int.min)), cast(Double(Int.min)),
  AnyHashable(Double.infinity), cast(Float80.infinity), AnyHashable(-Float.infinity), AnyHashable(1e4000 as Float80), cast(1e4000 as Float80),
  AnyHashable(Double.nan), cast(Double.nan), AnyHashable(Float.nan), AnyHashable(Float80.nan), cast(Float80.nan),
]
for a in all {
  let equal = all.map { a == $0 ? "=" : "." }.joined()
  let hashed = all.allSatisfy { a != $0 || a.hashValue == $0.hashValue }
  print(equal, hashed, a, type(of: a.base))
}
print(Set(all).count, all.firstIndex(of: cast(Float80(1))) ?? -1, [AnyHashable(0.25): "quarter"][cast(Float80(0.25))] ?? "none")
