// Descriptions, hash values and comparisons of the library's generic types.

@inline(__always) func hashed<T: Hashable>(_ t: T) -> Int {
  var h = Hasher()
  h.combine(t)
  return h.finalize()
}

extension Dictionary {
@_silgen_name("library_SD16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
@_silgen_name("library_SD15reserveCapacityyySiF") public mutating func makeRoom(_ n: Int) {
  if n <= capacity { return }
  var other = Dictionary(minimumCapacity: n)
  for (k, v) in self { other.updateValue(v, forKey: k) }
  self = other
}
}
extension Dictionary where Value: Hashable {
@_silgen_name("library_SDsSHR_rlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension Set {
@_silgen_name("library_Sh16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
@_silgen_name("library_Sh9hashValueSivg") public func hashNow() -> Int { hashed(self) }
@_silgen_name("library_Sh15reserveCapacityyySiF") public mutating func makeRoom(_ n: Int) {
  if n <= capacity { return }
  var other = Set(minimumCapacity: n)
  for e in self { other.insert(e) }
  self = other
}
}
extension Array where Element: Hashable {
@_silgen_name("library_SasSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension ArraySlice where Element: Hashable {
@_silgen_name("library_s10ArraySliceVsSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension ContiguousArray where Element: Hashable {
@_silgen_name("library_s15ContiguousArrayVsSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension Range where Bound: Hashable {
@_silgen_name("library_SnsSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension ClosedRange where Bound: Hashable {
@_silgen_name("library_SNsSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension Optional where Wrapped: Hashable {
@_silgen_name("library_SqsSHRzlE9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension Substring {
@_silgen_name("library_Ss16debugDescriptionSSvg") public func debugText() -> String { String(self).debugDescription }
@_silgen_name("library_Ss9hashValueSivg") public func hashNow() -> Int { hashed(self) }
@_silgen_name("library_Ss5index_8offsetBySS5IndexVAD_SitF") public func moved(_ i: Index, _ n: Int) -> Index {
  var at = i, n = n
  while n > 0 {
    at = index(after: at)
    n -= 1
  }
  while n < 0 {
    at = index(before: at)
    n += 1
  }
  return at
}
@_silgen_name("library_Ss15replaceSubrange_4withySnySS5IndexVG_xtSlRzSJ7ElementRtzlF") public mutating func putIn<C: Collection>(_ r: Range<Index>, _ new: C) where C.Element == Character {
  var text = String(self[startIndex..<r.lowerBound])
  text.append(contentsOf: new)
  text.append(contentsOf: self[r.upperBound...])
  self = Substring(text)
}
}
extension Unicode.Scalar {
@_silgen_name("library_s7UnicodeO6ScalarV9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension String.Index {
@_silgen_name("library_SS5IndexV9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension AnyHashable {
@_silgen_name("library_s11AnyHashableV16debugDescriptionSSvg") public func debugText() -> String { "AnyHashable(" + String(reflecting: base) + ")" }
}
extension Result where Success: Equatable, Failure: Equatable {
@_silgen_name("library_s6ResultOsSQRzSQR_rlE2eeoiySbAByxq_G_ADtFZ") public static func same(_ a: Result, _ b: Result) -> Bool {
  switch (a, b) {
  case (.success(let x), .success(let y)): return x == y
  case (.failure(let x), .failure(let y)): return x == y
  default: return false
  }
}
}
extension Result where Success: Hashable, Failure: Hashable {
@_silgen_name("library_s6ResultOsSHRzSHR_rlE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) {
  switch self {
  case .success(let x):
    h.combine(0)
    h.combine(x)
  case .failure(let x):
    h.combine(1)
    h.combine(x)
  }
}
@_silgen_name("library_s6ResultOsSHRzSHR_rlE9hashValueSivg") public func hashNow() -> Int {
  var h = Hasher()
  feed(&h)
  return h.finalize()
}
}
extension _Pointer {
@_silgen_name("library_s8_PointerPsE16debugDescriptionSSvg") public func debugText() -> String {
  let digits = String(UInt(bitPattern: self), radix: 16)
  return "0x" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
}
}
extension TextOutputStream {
@_silgen_name("library_s16TextOutputStreamPsE5_lockyyF") public mutating func locked() {}
@_silgen_name("library_s16TextOutputStreamPsE7_unlockyyF") public mutating func unlocked() {}
@_silgen_name("library_s16TextOutputStreamPsE11_writeASCIIyySRys5UInt8VGF") public mutating func writeCodes(_ b: UnsafeBufferPointer<UInt8>) {
  write(String(decoding: b, as: UTF8.self))
}
}
extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
@_silgen_name("library_SBss17FixedWidthInteger14RawSignificandRpzrlE8_convert4fromx5value_Sb5exacttqd___tSzRd__lFZ") public static func converted<S: BinaryInteger>(_ source: S) -> (value: Self, exact: Bool) {
  var m = source.magnitude
  if m == 0 { return (0, true) }
  let sign: FloatingPointSign = source < 0 ? .minus : .plus
  // the digits below the significand: how many, and whether they are over, at or under a half
  var exponent = 0, t = m
  while t > 1 {
    t >>= 1
    exponent += 1
  }
  let drop = exponent - significandBitCount
  var significand: RawSignificand
  var exact = true
  if drop <= 0 {
    significand = RawSignificand(truncatingIfNeeded: m) << RawSignificand(-drop)
  } else {
    let low = m & ((1 as S.Magnitude) << drop - 1), half = (1 as S.Magnitude) << (drop - 1)
    m >>= drop
    significand = RawSignificand(truncatingIfNeeded: m)
    exact = low == 0
    if low > half || low == half && significand & 1 == 1 { significand += 1 }
    if significand >> RawSignificand(significandBitCount) > 1 {
      significand >>= 1
      exponent += 1
    }
  }
  if exponent > Int(greatestFiniteMagnitude.exponent) { return (sign == .minus ? -infinity : infinity, false) }
  let bias = RawExponent(1) << RawExponent(exponentBitCount - 1) - 1
  let mask = RawSignificand(1) << RawSignificand(significandBitCount) - 1
  return (Self(sign: sign, exponentBitPattern: RawExponent(exponent) + bias, significandBitPattern: significand & mask), exact)
}
}

// What natives ask for types of the library whose values they can't walk.
@_silgen_name("library_Set_hash") public func setHash<E: Hashable>(_ h: LibraryPointer<Hasher>, _ v: LibraryPointer<Set<E>>) { v.pointee.hash(into: &h.pointee) }
@_silgen_name("library_Dictionary_hash") public func dictionaryHash<K: Hashable, V: Hashable>(_ h: LibraryPointer<Hasher>, _ v: LibraryPointer<[K: V]>) {
  v.pointee.hash(into: &h.pointee)
}
@_silgen_name("library_Result_hash") public func resultHash<S: Hashable, F: Hashable & Error>(_ h: LibraryPointer<Hasher>, _ v: LibraryPointer<Result<S, F>>) {
  v.pointee.feed(&h.pointee)
}
@_silgen_name("library_Set_equal") public func setEqual<E: Hashable>(_ a: LibraryPointer<Set<E>>, _ b: LibraryPointer<Set<E>>) -> Bool { a.pointee == b.pointee }
@_silgen_name("library_Dictionary_equal") public func dictionaryEqual<K: Hashable, V: Equatable>(_ a: LibraryPointer<[K: V]>, _ b: LibraryPointer<[K: V]>) -> Bool {
  a.pointee == b.pointee
}
@_silgen_name("library_Result_equal") public func resultEqual<S: Equatable, F: Equatable & Error>(_ a: LibraryPointer<Result<S, F>>, _ b: LibraryPointer<Result<S, F>>)
  -> Bool { Result<S, F>.same(a.pointee, b.pointee) }


extension UInt128 {
@_silgen_name("library_s7UInt128V9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}
extension Int128 {
@_silgen_name("library_s6Int128V9hashValueSivg") public func hashNow() -> Int { hashed(self) }
}

extension CollectionDifference where ChangeElement: Equatable {
@_silgen_name("library_s20CollectionDifferenceVsSQRzlE2eeoiySbAByxG_ADtFZ") public static func sameDifference(_ a: CollectionDifference, _ b: CollectionDifference) -> Bool {
  a.insertions == b.insertions && a.removals == b.removals
}
}
@_silgen_name("library_CollectionDifference_equal") public func differenceEqual<E: Equatable>(_ a: LibraryPointer<CollectionDifference<E>>, _ b: LibraryPointer<CollectionDifference<E>>)
  -> Bool { CollectionDifference<E>.sameDifference(a.pointee, b.pointee) }
func sameChange<E: Equatable>(_ a: CollectionDifference<E>.Change, _ b: CollectionDifference<E>.Change) -> Bool {
  switch (a, b) {
  case (.insert(let m, let x, let p), .insert(let n, let y, let q)), (.remove(let m, let x, let p), .remove(let n, let y, let q)):
    return m == n && x == y && p == q
  default: return false
  }
}
@_silgen_name("library_CollectionDifference_Change_equal") public func changeEqual<E: Equatable>(_ a: LibraryPointer<CollectionDifference<E>.Change>,
  _ b: LibraryPointer<CollectionDifference<E>.Change>) -> Bool { sameChange(a.pointee, b.pointee) }

@_silgen_name("library_Dictionary_Index_equal") public func dictionaryIndexEqual<K: Hashable, V>(_ a: LibraryPointer<[K: V].Index>, _ b: LibraryPointer<[K: V].Index>) -> Bool {
  a.pointee == b.pointee
}
@_silgen_name("library_Dictionary_Index_less") public func dictionaryIndexLess<K: Hashable, V>(_ a: LibraryPointer<[K: V].Index>, _ b: LibraryPointer<[K: V].Index>) -> Bool {
  a.pointee < b.pointee
}
@_silgen_name("library_Set_Index_equal") public func setIndexEqual<E: Hashable>(_ a: LibraryPointer<Set<E>.Index>, _ b: LibraryPointer<Set<E>.Index>) -> Bool {
  a.pointee == b.pointee
}
@_silgen_name("library_Set_Index_less") public func setIndexLess<E: Hashable>(_ a: LibraryPointer<Set<E>.Index>, _ b: LibraryPointer<Set<E>.Index>) -> Bool {
  a.pointee < b.pointee
}
@_silgen_name("library_AnyIndex_equal") public func anyIndexEqual(_ a: LibraryPointer<AnyIndex>, _ b: LibraryPointer<AnyIndex>) -> Bool { a.pointee == b.pointee }
@_silgen_name("library_AnyIndex_less") public func anyIndexLess(_ a: LibraryPointer<AnyIndex>, _ b: LibraryPointer<AnyIndex>) -> Bool { a.pointee < b.pointee }
