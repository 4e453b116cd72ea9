// Functions of the library that few programs call: what is deprecated, the hash values of small types, and what other modules have.

import Synchronization

@inline(__always) func hashed<T: Hashable>(_ t: T) -> Int {
  var h = Hasher()
  h.combine(t)
  return h.finalize()
}

extension StringProtocol {
@_silgen_name("library_SysE16_ephemeralStringSSvg") public func libraryText() -> String { String(self) }
}
extension Slice {
@_silgen_name("library_s5SliceV7indices7IndicesQzvg") public func libraryIndices() -> Base.Indices { base.indices[startIndex..<endIndex] }
}
// LibrarySlice has the stored properties of _SliceBuffer.
public struct LibrarySlice<E> {
  let owner: AnyObject
  let start: UnsafeMutablePointer<E>
  let first: Int
  let end: UInt
}
extension ArraySlice {
@_silgen_name("library_s10ArraySliceV28_allocateBufferUninitialized15minimumCapacitys01_bD0VyxGSi_tFZ") public static func libraryRoom(_ n: Int) -> LibrarySlice<Element> {
  var new = ArraySlice()
  new.reserveCapacity(n)
  return unsafeBitCast(new, to: LibrarySlice<Element>.self)
}
}
extension Double {
@_silgen_name("library_Sd14_roundSlowPathyys25FloatingPointRoundingRuleOF") public mutating func libraryRound(_ r: FloatingPointRoundingRule) { round(r) }
}
extension Float {
@_silgen_name("library_Sf14_roundSlowPathyys25FloatingPointRoundingRuleOF") public mutating func libraryRound(_ r: FloatingPointRoundingRule) { round(r) }
}
extension UnsafeMutableRawPointer {
@_silgen_name("library_Sv16initializeMemory2as4fromSpy7ElementQzGAEm_xtSlRzlF") public func libraryFill<C: Collection>(_ t: C.Element.Type, _ c: C) -> UnsafeMutablePointer<C.Element> {
  let p = bindMemory(to: C.Element.self, capacity: c.count)
  var n = 0
  for e in c {
    (p + n).initialize(to: e)
    n += 1
  }
  return p
}
@_silgen_name("library_Sv16initializeMemory2as2at5count2toSpyxGxm_S2ixtlF") public func libraryFill<E>(_ t: E.Type, _ at: Int, _ count: Int, _ e: E) -> UnsafeMutablePointer<E> {
  let p = (self + at * MemoryLayout<E>.stride).bindMemory(to: E.self, capacity: count)
  p.initialize(repeating: e, count: count)
  return p
}
@_silgen_name("library_Sv9copyBytes4from5countySV_SitF") public func libraryCopy(_ from: UnsafeRawPointer, _ n: Int) { copyMemory(from: from, byteCount: n) }
}
extension UnsafeMutableRawBufferPointer {
@_silgen_name("library_Sw9copyBytes4fromySW_tF") public func libraryCopy(_ from: UnsafeRawBufferPointer) { copyMemory(from: from) }
}
extension UnsafeMutablePointer {
@_silgen_name("library_Sp10initialize2to5countyx_SitF") public func libraryFill(_ e: Pointee, _ n: Int) { initialize(repeating: e, count: n) }
@_silgen_name("library_Sp12deinitializeSvyF") public func libraryEmpty() -> UnsafeMutableRawPointer { deinitialize(count: 1) }
@_silgen_name("library_Sp10deallocate8capacityySi_tF") public func libraryFree(_ n: Int) { deallocate() }
@_silgen_name("library_Sp9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension UnsafePointer {
@_silgen_name("library_SP9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension UnsafeRawPointer {
@_silgen_name("library_SV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension UnsafeMutableRawPointer {
@_silgen_name("library_Sv9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension OpaquePointer {
@_silgen_name("library_s13OpaquePointerV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension ObjectIdentifier {
@_silgen_name("library_SO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Sequence {
@_silgen_name("library_STsE7flatMapySayqd__Gqd__Sg7ElementQzKXEKlF") public func libraryMap<T>(_ f: (Element) throws -> T?) rethrows -> [T] { try compactMap(f) }
}
extension Collection {
@_silgen_name("library_SlsE7flatMapySaySSGSSSg7ElementQzKXEKF") public func libraryTexts(_ f: (Element) throws -> String?) rethrows -> [String] { try compactMap(f) }
@_silgen_name("library_SlsE5index_8offsetBy5IndexQzAD_qd__tSzRd__lF") public func libraryIndex<N: BinaryInteger>(_ i: Index, _ n: N) -> Index { index(i, offsetBy: Int(n)) }
@_silgen_name("library_SlsE5index_8offsetBy07limitedC05IndexQzSgAE_qd__AEtSzRd__lF") public func libraryIndex<N: BinaryInteger>(_ i: Index, _ n: N, _ end: Index) -> Index? { index(i, offsetBy: Int(n), limitedBy: end) }
@_silgen_name("library_SlsE9formIndex_8offsetByy0B0Qzz_qd__tSzRd__lF") public func libraryMove<N: BinaryInteger>(_ i: inout Index, _ n: N) { formIndex(&i, offsetBy: Int(n)) }
@_silgen_name("library_SlsE9formIndex_8offsetBy07limitedD0Sb0B0Qzz_qd__AEtSzRd__lF") public func libraryMove<N: BinaryInteger>(_ i: inout Index, _ n: N, _ end: Index) -> Bool { formIndex(&i, offsetBy: Int(n), limitedBy: end) }
@_silgen_name("library_SlsE8distance4from2toqd__5IndexQz_AEtSzRd__lF") public func librarySteps<N: BinaryInteger>(_ a: Index, _ b: Index) -> N { N(distance(from: a, to: b)) }
}
extension LazySequenceProtocol {
@_silgen_name("library_s20LazySequenceProtocolPsE7flatMapys0aeB0Vys0a6FilterB0VyAEy8ElementsQzqd__SgGGqd__GAJ7ElementQzclF") public func libraryMap<T>(_ f: @escaping (Elements.Element) -> T?) -> LazyMapSequence<LazyFilterSequence<LazyMapSequence<Elements, T?>>, T> { compactMap(f) }
}
// LibraryFilter has the stored properties of LazyFilterSequence.
struct LibraryFilter<B: Sequence> {
  let base: B
  let keeps: (B.Element) -> Bool
}
extension LazyFilterSequence {
@_silgen_name("library_s18LazyFilterSequenceV6filteryAByxGSb7ElementQzcF") public __consuming func libraryFilter(_ f: @escaping (Element) -> Bool) -> LazyFilterSequence<Base> {
  let old = alike(self, LibraryFilter<Base>.self)
  return alike(LibraryFilter<Base>(base: old.base) { old.keeps($0) && f($0) }, LazyFilterSequence<Base>.self)
}
}
@_silgen_name("library_s15Synchronization19AtomicLazyReferenceV4loadxSgyF") public func lazyLoad<T: AnyObject>(_ p: UnsafeMutablePointer<Atomic<Unmanaged<T>?>>) -> T? {
  p.pointee.load(ordering: .acquiring)?.takeUnretainedValue()
}
@_silgen_name("library_s15Synchronization19AtomicLazyReferenceV10storeIfNilyxxnF") public func lazyStore<T: AnyObject>(_ new: __owned T, _ p: UnsafeMutablePointer<Atomic<Unmanaged<T>?>>) -> T {
  let kept = Unmanaged.passRetained(new)
  let (stored, old) = p.pointee.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
  if stored { return new }
  kept.release()
  return old!.takeUnretainedValue()
}
extension String {
@_silgen_name("library_SS18_uncheckedFromUTF8_18asciiPreScanResultSSSRys5UInt8VG_SbtFZ") public static func libraryUnchecked(_ b: UnsafeBufferPointer<UInt8>, _ ascii: Bool) -> String { String(decoding: b, as: UTF8.self) }
@_silgen_name("library_SS18_uncheckedFromUTF8_7isASCIISSSRys5UInt8VG_SbtFZ") public static func libraryASCII(_ b: UnsafeBufferPointer<UInt8>, _ ascii: Bool) -> String { String(decoding: b, as: UTF8.self) }
@_silgen_name("library_SS10_fromASCIIySSSRys5UInt8VGFZ") public static func libraryASCII(_ b: UnsafeBufferPointer<UInt8>) -> String { String(decoding: b, as: UTF8.self) }
@_silgen_name("library_SS16_slowWithCString9encodedAs_xq_m_xSPy8CodeUnitQy_GKXEtKs16_UnicodeEncodingR_r0_lF") public func libraryCodes<R, E: _UnicodeEncoding>(_ e: E.Type, _ body: (UnsafePointer<E.CodeUnit>) throws -> R) rethrows -> R {
  var codes: [E.CodeUnit] = []
  for s in unicodeScalars {
    if let c = E.encode(s) { codes.append(contentsOf: c) } else { codes.append(contentsOf: E.encodedReplacementCharacter) }
  }
  codes.append(0)
  return try codes.withUnsafeBufferPointer { try body($0.baseAddress!) }
}
}
extension CollectionDifference.Change where ChangeElement: Equatable {
@_silgen_name("library_s20CollectionDifferenceV6ChangeOsSQRzlE2eeoiySbADyx_G_AFtFZ") public static func librarySame(_ a: Self, _ b: Self) -> Bool {
  switch (a, b) {
  case (.insert(let i, let x, let n), .insert(let k, let y, let m)): return i == k && x == y && n == m
  case (.remove(let i, let x, let n), .remove(let k, let y, let m)): return i == k && x == y && n == m
  default: return false
  }
}
}
extension CollectionDifference.Change where ChangeElement: Hashable {
@_silgen_name("library_s20CollectionDifferenceV6ChangeOsSHRzlE4hash4intoys6HasherVz_tF") public func libraryFeed(_ h: inout Hasher) {
  switch self {
  case .insert(let i, let x, let n):
    h.combine(0)
    h.combine(i)
    h.combine(x)
    h.combine(n)
  case .remove(let i, let x, let n):
    h.combine(1)
    h.combine(i)
    h.combine(x)
    h.combine(n)
  }
}
@_silgen_name("library_s20CollectionDifferenceV6ChangeOsSHRzlE9hashValueSivg") public func libraryHash() -> Int {
  var h = Hasher()
  libraryFeed(&h)
  return h.finalize()
}
}
extension CollectionDifference.Index {
@_silgen_name("library_s20CollectionDifferenceV5IndexV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Dictionary.Index {
@_silgen_name("library_SD5IndexV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Set.Index {
@_silgen_name("library_Sh5IndexV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension ClosedRange.Index where Bound: Strideable, Bound.Stride: SignedInteger, Bound: Hashable {
@_silgen_name("library_SNsSxRzSZ6StrideRpzrlE5IndexOsSHRzrlE9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension ReversedCollection.Index where Base.Index: Hashable {
@_silgen_name("library_s18ReversedCollectionV5IndexVsSHACRpzrlE9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension FlattenSequence.Index where Base: Collection, Base.Element: Collection, Base.Index: Hashable, Base.Element.Index: Hashable {
@_silgen_name("library_s15FlattenSequenceVsSlRzSl7ElementRpzrlE5IndexVsSHAERpzSHAC_AERPzrlE9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension LazyPrefixWhileSequence.Index where Base: Collection, Base.Index: Hashable {
@_silgen_name("library_s23LazyPrefixWhileSequenceVsSlRzrlE5IndexVsSHACRpzrlE9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension SIMDMask {
@_silgen_name("library_s8SIMDMaskV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension FloatingPointRoundingRule {
@_silgen_name("library_s25FloatingPointRoundingRuleO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension FloatingPointClassification {
@_silgen_name("library_s27FloatingPointClassificationO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Unicode.GeneralCategory {
@_silgen_name("library_s7UnicodeO15GeneralCategoryO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Unicode.NumericType {
@_silgen_name("library_s7UnicodeO11NumericTypeO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Unicode.CanonicalCombiningClass {
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Mirror.DisplayStyle {
@_silgen_name("library_s6MirrorV12DisplayStyleO9hashValueSivg") public func libraryHash() -> Int { hashed(self) }
}
extension Duration {
@_silgen_name("library_s8DurationV11nanosecondsyABSdFZ") public static func libraryNanoseconds(_ n: Double) -> Duration {
  let whole = n.rounded(.towardZero)
  let count = Int128(whole) * 1_000_000_000 + Int128(((n - whole) * 1_000_000_000).rounded())
  return Duration(_high: Int64(truncatingIfNeeded: count >> 64), low: UInt64(truncatingIfNeeded: count))
}
}
@_silgen_name("library_CodingUserInfoKey_equal") public func userInfoKeySame(_ a: UnsafeMutablePointer<CodingUserInfoKey>, _ b: UnsafeMutablePointer<CodingUserInfoKey>) -> Bool { a.pointee == b.pointee }
@_silgen_name("library_CodingUserInfoKey_hash") public func userInfoKeyFeed(_ h: UnsafeMutablePointer<Hasher>, _ k: UnsafeMutablePointer<CodingUserInfoKey>) { k.pointee.hash(into: &h.pointee) }

// What else Collection asks of CollectionDifference (difference.swift).
@_silgen_name("library_CollectionDifference_makeIterator")
public func differenceIterator<E>(_ o: LibraryPointer<IndexingIterator<CollectionDifference<E>>>, _ s: LibraryPointer<CollectionDifference<E>>) {
  o.initialize(to: IndexingIterator(_elements: s.move()))
}
@_silgen_name("library_CollectionDifference_underestimatedCount")
public func differenceUnderestimated<E>(_ s: LibraryPointer<CollectionDifference<E>>) -> Int { s.pointee.count }
@_silgen_name("library_CollectionDifference_toArray")
public func differenceArray<E>(_ s: LibraryPointer<CollectionDifference<E>>) -> ContiguousArray<CollectionDifference<E>.Change> {
  let d = s.move()
  var all: ContiguousArray<CollectionDifference<E>.Change> = []
  var at = d.startIndex
  while at < d.endIndex {
    all.append(d[at])
    d.formIndex(after: &at)
  }
  return all
}
@_silgen_name("library_CollectionDifference_slice")
public func differenceSlice<E>(_ o: LibraryPointer<Slice<CollectionDifference<E>>>, _ r: LibraryPointer<Range<CollectionDifference<E>.Index>>,
  _ s: LibraryPointer<CollectionDifference<E>>) { o.initialize(to: Slice(base: s.pointee, bounds: r.pointee)) }
@_silgen_name("library_CollectionDifference_indices")
public func differenceIndices<E>(_ o: LibraryPointer<LibraryIndices<E>>, _ s: LibraryPointer<CollectionDifference<E>>) {
  let d = s.pointee
  o.initialize(to: LibraryIndices(elements: d, start: d.startIndex, end: d.endIndex))
}
// LibraryIndices has the stored properties of DefaultIndices.
public struct LibraryIndices<E> {
  let elements: CollectionDifference<E>
  let start: CollectionDifference<E>.Index
  let end: CollectionDifference<E>.Index
}
@_silgen_name("library_CollectionDifference_moved")
public func differenceMoved<E>(_ o: LibraryPointer<Int>, _ i: LibraryPointer<Int>, _ n: Int, _ s: LibraryPointer<CollectionDifference<E>>) {
  o.initialize(to: i.pointee + n)
}
@_silgen_name("library_CollectionDifference_limited")
public func differenceLimited<E>(_ o: LibraryPointer<Int?>, _ i: LibraryPointer<Int>, _ n: Int, _ l: LibraryPointer<Int>,
  _ s: LibraryPointer<CollectionDifference<E>>) {
  let room = l.pointee - i.pointee
  o.initialize(to: (n < 0 ? room <= 0 && n < room : room >= 0 && n > room) ? nil : i.pointee + n)
}
@_silgen_name("library_CollectionDifference_check")
public func differenceCheck<E>(_ i: LibraryPointer<Int>, _ b: LibraryPointer<Range<Int>>, _ s: LibraryPointer<CollectionDifference<E>>) {}
@_silgen_name("library_CollectionDifference_checkRange")
public func differenceCheckRange<E>(_ i: LibraryPointer<Range<Int>>, _ b: LibraryPointer<Range<Int>>, _ s: LibraryPointer<CollectionDifference<E>>) {}
@_silgen_name("library_CollectionDifference_hash")
public func differenceHash<E: Hashable>(_ h: LibraryPointer<Hasher>, _ s: LibraryPointer<CollectionDifference<E>>) {
  h.pointee.combine(s.pointee.insertions)
  h.pointee.combine(s.pointee.removals)
}
@_silgen_name("library_CollectionDifference_Change_hash")
public func changeHash<E: Hashable>(_ h: LibraryPointer<Hasher>, _ c: LibraryPointer<CollectionDifference<E>.Change>) {
  switch c.pointee {
  case .insert(let offset, let element, let partner):
    h.pointee.combine(0)
    h.pointee.combine(offset)
    h.pointee.combine(element)
    h.pointee.combine(partner)
  case .remove(let offset, let element, let partner):
    h.pointee.combine(1)
    h.pointee.combine(offset)
    h.pointee.combine(element)
    h.pointee.combine(partner)
  }
}

// How arguments of C functions with any number of them lie in memory.
@_silgen_name("library_Int_cWords") public func cWords(_ a: UnsafePointer<Int>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Int8_cWords") public func cWords(_ a: UnsafePointer<Int8>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Int16_cWords") public func cWords(_ a: UnsafePointer<Int16>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Int32_cWords") public func cWords(_ a: UnsafePointer<Int32>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Int64_cWords") public func cWords(_ a: UnsafePointer<Int64>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UInt_cWords") public func cWords(_ a: UnsafePointer<UInt>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UInt8_cWords") public func cWords(_ a: UnsafePointer<UInt8>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UInt16_cWords") public func cWords(_ a: UnsafePointer<UInt16>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UInt32_cWords") public func cWords(_ a: UnsafePointer<UInt32>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UInt64_cWords") public func cWords(_ a: UnsafePointer<UInt64>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Double_cWords") public func cWords(_ a: UnsafePointer<Double>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Float_cWords") public func cWords(_ a: UnsafePointer<Float>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_OpaquePointer_cWords") public func cWords(_ a: UnsafePointer<OpaquePointer>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UnsafePointer_cWords") public func cWords<E>(_ a: UnsafePointer<UnsafePointer<E>>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_UnsafeMutablePointer_cWords") public func cWords<E>(_ a: UnsafePointer<UnsafeMutablePointer<E>>) -> [Int] { a.pointee._cVarArgEncoding }
@_silgen_name("library_Int64_cAlignment") public func cAlignment(_ a: UnsafePointer<Int64>) -> Int { a.pointee._cVarArgAlignment }
@_silgen_name("library_UInt64_cAlignment") public func cAlignment(_ a: UnsafePointer<UInt64>) -> Int { a.pointee._cVarArgAlignment }
@_silgen_name("library_Double_cAlignment") public func cAlignment(_ a: UnsafePointer<Double>) -> Int { a.pointee._cVarArgAlignment }
@_silgen_name("library_Float_cAlignment") public func cAlignment(_ a: UnsafePointer<Float>) -> Int { a.pointee._cVarArgAlignment }

// AtomicLazyReference is one word, an atomic of a reference that is set once.
@inline(__always) func lazyWord(_ p: UnsafeRawPointer) -> UnsafePointer<Atomic<UInt>> { p.assumingMemoryBound(to: Atomic<UInt>.self) }
@inline(__always) func referenced<T: AnyObject>(_ w: UInt) -> T { Unmanaged<T>.fromOpaque(UnsafeRawPointer(bitPattern: w)!).takeUnretainedValue() }
@_silgen_name("library_15Synchronization19AtomicLazyReferenceV4loadxSgyF") public func lazyLoad<T: AnyObject>(_ p: UnsafeRawPointer) -> T? {
  let w = lazyWord(p).pointee.load(ordering: .acquiring)
  return w == 0 ? nil : referenced(w)
}
@_silgen_name("library_15Synchronization19AtomicLazyReferenceV10storeIfNilyxxnF") public func lazyStore<T: AnyObject>(_ new: __owned T, _ p: UnsafeRawPointer) -> T {
  let mine = Unmanaged.passRetained(new)
  let r = lazyWord(p).pointee.compareExchange(expected: 0, desired: UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing)
  if r.exchanged { return new }
  mine.release()
  return referenced(r.original)
}
