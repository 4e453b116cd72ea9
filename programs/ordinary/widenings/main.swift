// Integers in generic code become integers of a type that has all their values, by each of the initializers that do so alike: the least, the
// greatest and other values of each type.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func three<T: FixedWidthInteger, U: FixedWidthInteger>(_ x: T, _ to: U.Type) -> [U] {
  return [U(truncatingIfNeeded: x), U(clamping: x), U(x)]
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func values<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
  return [T.min, T.min &+ 1, T.max / 2, T.max &- 1, T.max, 0, 1, 100]
}

for x in values(Int8.self) { print(three(x, Int8.self), three(x, Int16.self), three(x, Int32.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(Int16.self) { print(three(x, Int16.self), three(x, Int32.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(Int32.self) { print(three(x, Int32.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(Int64.self) { print(three(x, Int64.self), three(x, Int.self)) }
for x in values(Int.self) { print(three(x, Int64.self), three(x, Int.self)) }
for x in values(UInt8.self) { print(three(x, UInt8.self), three(x, UInt16.self), three(x, UInt32.self), three(x, UInt64.self), three(x, UInt.self)) }
for x in values(UInt8.self) { print(three(x, Int16.self), three(x, Int32.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(UInt16.self) { print(three(x, UInt16.self), three(x, UInt32.self), three(x, UInt64.self), three(x, UInt.self)) }
for x in values(UInt16.self) { print(three(x, Int32.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(UInt32.self) { print(three(x, UInt32.self), three(x, UInt64.self), three(x, UInt.self), three(x, Int64.self), three(x, Int.self)) }
for x in values(UInt64.self) { print(three(x, UInt64.self), three(x, UInt.self)) }
for x in values(UInt.self) { print(three(x, UInt64.self), three(x, UInt.self)) }
