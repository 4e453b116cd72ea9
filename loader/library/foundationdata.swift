// Data: what of it is no text of the toolchain's. Its representation and its storage have the stored properties that the text declares.

import Foundation
import Glibc

public typealias LibraryFree = (UnsafeMutableRawPointer, Int) -> Void

// LibraryBytes is __DataStorage. Bytes in front of the first have no memory: a slice counts from offset.
public final class LibraryBytes {
  var bytes: UnsafeMutableRawPointer?
  var length: Int
  var capacity: Int
  var offset: Int
  var deallocator: LibraryFree?
  var needToZero: Bool
  init(_ from: UnsafeRawPointer?, _ n: Int, _ offset: Int = 0, room: Int = 0) {
    let p = malloc(max(n, room, 16))!
    if let from = from, n > 0 { p.copyMemory(from: from, byteCount: n) } else if n > 0 { p.initializeMemory(as: UInt8.self, repeating: 0, count: n) }
    bytes = p
    length = n
    capacity = max(n, room, 16)
    self.offset = offset
    deallocator = nil
    needToZero = true
  }
  deinit { release() }
  // Room for so many bytes in memory of its own.
  func grow(_ n: Int, _ clear: Bool) {
    if deallocator == nil && n <= capacity && bytes != nil { return }
    let room = max(n + n / 4, length, 16), p = malloc(room)!
    if let old = bytes { p.copyMemory(from: old, byteCount: length) }
    if clear { (p + length).initializeMemory(as: UInt8.self, repeating: 0, count: room - length) }
    release()
    bytes = p
    capacity = room
    needToZero = true
  }
  func release() {
    guard let p = bytes else { return }
    bytes = nil
    let f = deallocator
    deallocator = nil
    if let f = f { f(p, length) } else { Glibc.free(p) }
  }
  func replace(_ from: Int, _ to: Int, _ with: UnsafeRawPointer?, _ n: Int) {
    let start = from - offset, end = to - offset, old = length, new = old - (end - start) + n
    grow(max(new, old), false)
    let p = bytes!
    if new != old { copyBytes(p + start + n, p + end, old - end) }
    if let with = with { copyBytes(p + start, with, n) } else { (p + start).initializeMemory(as: UInt8.self, repeating: 0, count: n) }
    if new < old { needToZero = true }
    length = new
  }
}
@inline(__always) func copyBytes(_ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer, _ n: Int) { if n > 0 { to.copyMemory(from: from, byteCount: n) } }

func begin(_ s: LibraryBytes, _ bytes: UnsafeMutableRawPointer?, _ length: Int, _ capacity: Int, _ offset: Int, _ free: LibraryFree?, _ zero: Bool) {
  let p = Unmanaged.passUnretained(s).toOpaque()
  (p + 16).initializeMemory(as: UnsafeMutableRawPointer?.self, repeating: bytes, count: 1)
  (p + 24).initializeMemory(as: Int.self, repeating: length, count: 1)
  (p + 32).initializeMemory(as: Int.self, repeating: capacity, count: 1)
  (p + 40).initializeMemory(as: Int.self, repeating: offset, count: 1)
  (p + 48).initializeMemory(as: Int.self, repeating: 0, count: 2) // nil; assigned below, as a function in a field is not one behind a pointer
  (p + 64).initializeMemory(as: Bool.self, repeating: zero, count: 1)
  s.deallocator = free
}
func filled(_ s: LibraryBytes, _ from: UnsafeRawPointer?, _ n: Int, _ offset: Int) {
  let p = malloc(max(n, 16))!
  if let from = from { copyBytes(p, from, n) } else { p.initializeMemory(as: UInt8.self, repeating: 0, count: n) }
  begin(s, p, n, max(n, 16), offset, nil, true)
}
@_silgen_name("library_20FoundationEssentials13__DataStorageC6lengthACSi_tcfc") public func storageMake(_ n: Int, _ s: __owned LibraryBytes) -> LibraryBytes { filled(s, nil, n, 0); return s }
@_silgen_name("library_20FoundationEssentials13__DataStorageC8capacityACSi_tcfc") public func storageMakeRoom(_ n: Int, _ s: __owned LibraryBytes) -> LibraryBytes { begin(s, malloc(max(n, 16)), 0, max(n, 16), 0, nil, true); return s }
@_silgen_name("library_20FoundationEssentials13__DataStorageC5bytes6lengthACSVSg_Sitcfc") public func storageMakeFrom(_ p: UnsafeRawPointer?, _ n: Int, _ s: __owned LibraryBytes) -> LibraryBytes {
  if n > 0 || p != nil { filled(s, p, n, 0) } else { begin(s, nil, 0, 0, 0, nil, false) }
  return s
}
@_silgen_name("library_20FoundationEssentials13__DataStorageC5bytes6length4copy11deallocator6offsetACSvSg_SiSbySv_SitcSgSitcfc")
public func storageMakeOf(_ p: UnsafeMutableRawPointer?, _ n: Int, _ copy: Bool, _ free: __owned LibraryFree?, _ offset: Int, _ s: __owned LibraryBytes) -> LibraryBytes {
  guard let p = p, n > 0 || !copy else {
    begin(s, nil, 0, 0, offset, nil, false)
    if let p = p { free?(p, n) }
    return s
  }
  if copy {
    filled(s, p, n, offset)
    free?(p, n)
  } else {
    begin(s, p, n, n, offset, free, false)
  }
  return s
}
@_silgen_name("library_20FoundationEssentials13__DataStorageC6offset5bytes8capacity10needToZero6length11deallocatorACSi_SvSiSbSiySv_SitcSgtcfc")
public func storageMakeWhole(_ offset: Int, _ p: UnsafeMutableRawPointer, _ capacity: Int, _ zero: Bool, _ n: Int, _ free: __owned LibraryFree?, _ s: __owned LibraryBytes) -> LibraryBytes { begin(s, p, n, capacity, offset, free, zero); return s }
@_silgen_name("library_bytes_free") public func storageFree(_ s: AnyObject) { unsafeBitCast(s, to: LibraryBytes.self).release() }
@_silgen_name("library_20FoundationEssentials13__DataStorageC27ensureUniqueBufferReference9growingTo5clearySi_SbtF") public func storageGrow(_ n: Int, _ clear: Bool, _ s: LibraryBytes) { s.grow(max(n, s.length), clear) }
@_silgen_name("library_20FoundationEssentials13__DataStorageC12replaceBytes2in4with6lengthySnySiG_SVSgSitF") public func storageReplace(_ from: Int, _ to: Int, _ p: UnsafeRawPointer?, _ n: Int, _ s: LibraryBytes) { s.replace(from, to, p, n) }
@_silgen_name("library_20FoundationEssentials13__DataStorageC10resetBytes2inySnySiG_tF") public func storageReset(_ from: Int, _ to: Int, _ s: LibraryBytes) {
  let start = from - s.offset, n = to - from
  if n == 0 { return }
  let old = s.length
  s.grow(max(start + n, old), false)
  if start > old { (s.bytes! + old).initializeMemory(as: UInt8.self, repeating: 0, count: start - old) }
  s.length = max(start + n, old)
  (s.bytes! + start).initializeMemory(as: UInt8.self, repeating: 0, count: n)
}
@_silgen_name("library_20FoundationEssentials13__DataStorageC4moveyySv_SVSgSitFZ") public func storageMove(_ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer?, _ n: Int, _ t: UInt) { if let from = from { copyBytes(to, from, n) } }

// LibraryData is Data._Representation, and with that Data.
public enum LibraryData {
  case empty
  case inline(LibraryInline)
  case slice(LibraryPart)
  case large(LibraryLarge)
}
public struct LibraryInline {
  var bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  var length: UInt8 = 0
}
public struct LibraryPart {
  var range: Range<Int32>
  var storage: LibraryBytes
}
public struct LibraryLarge {
  var bounds: LibraryBounds
  var storage: LibraryBytes
}
public final class LibraryBounds {
  var range: Range<Int>
  init(_ r: Range<Int>) { range = r }
}

// A slice of some storage, as small as it can be told.
func part(_ s: __owned LibraryBytes, _ r: Range<Int>) -> LibraryData {
  if r.upperBound < Int(Int32.max) { return .slice(LibraryPart(range: Int32(r.lowerBound)..<Int32(r.upperBound), storage: s)) }
  return .large(LibraryLarge(bounds: LibraryBounds(r), storage: s))
}
func small(_ p: UnsafeRawPointer, _ n: Int) -> LibraryData {
  var i = LibraryInline()
  i.length = UInt8(n)
  withUnsafeMutableBytes(of: &i.bytes) { copyBytes($0.baseAddress!, p, n) }
  return .inline(i)
}
// Replaces a part of a slice in its storage, of which another Data may have its own.
func replaced(_ storage: __owned LibraryBytes, _ r: Range<Int>, _ from: Int, _ to: Int, _ with: UnsafeRawPointer?, _ n: Int) -> LibraryData {
  precondition(r.lowerBound <= from && to <= r.upperBound, "index \(from) is out of bounds of \(r.lowerBound)..<\(r.upperBound)")
  var s = storage
  if !isKnownUniquelyReferenced(&s) { s = LibraryBytes(s.bytes.map { UnsafeRawPointer($0 + (r.lowerBound - s.offset)) }, r.count, r.lowerBound, room: r.count + n) }
  s.replace(from, to, with, n)
  let end = r.upperBound + n - (to - from)
  if r.lowerBound == 0 && end == 0 { return .empty }
  if r.lowerBound == 0 && end <= 14 { return small(s.bytes!, end) }
  return part(s, r.lowerBound..<end)
}
@_silgen_name("library_20FoundationEssentials4DataV15_RepresentationO15replaceSubrange_4with5countySnySiG_SVSgSitF")
public func dataReplace(_ from: Int, _ to: Int, _ with: UnsafeRawPointer?, _ n: Int, _ d: UnsafeMutablePointer<LibraryData>) {
  let new: LibraryData
  switch d.move() {
  case .empty:
    precondition(from == 0 && to == 0, "range \(from)..<\(to) out of bounds")
    if n == 0 { new = .empty } else if n <= 14, let p = with { new = small(p, n) } else { new = part(LibraryBytes(with, n), 0..<n) }
  case .inline(var i):
    let old = Int(i.length), s = LibraryBytes(&i.bytes, old, 0, room: old + n)
    new = replaced(s, 0..<old, from, to, with, n)
  case .slice(let p): new = replaced(p.storage, Int(p.range.lowerBound)..<Int(p.range.upperBound), from, to, with, n)
  case .large(let p): new = replaced(p.storage, p.bounds.range, from, to, with, n)
  }
  d.initialize(to: new)
}
@_silgen_name("library_20FoundationEssentials4DataV15_RepresentationO15reserveCapacityyySiF") public func dataReserve(_ n: Int, _ d: UnsafeMutablePointer<LibraryData>) {} // room is nothing that a program sees

func made(_ d: UnsafeRawBufferPointer) -> Data { d.count == 0 ? Data() : Data(bytes: d.baseAddress!, count: d.count) }

// The bytes that come next are read 32 at a time.
public struct LibraryDataIterator {
  var data: Data
  var buffer: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var at: Int
  var end: Int
  mutating func fill(_ from: Int) {
    let to = min(end, from + 32)
    if from < to { withUnsafeMutableBytes(of: &buffer) { data.copyBytes(to: $0.baseAddress!.assumingMemoryBound(to: UInt8.self), from: from..<to) } }
  }
}

extension Data {
@_silgen_name("library_20FoundationEssentials4DataV6appendyyACF") public mutating func libraryAppend(_ d: Data) { d.withUnsafeBytes { if $0.count > 0 { append($0.bindMemory(to: UInt8.self)) } } }
@_silgen_name("library_20FoundationEssentials4DataV7subdata2inACSnySiG_tF") public func librarySubdata(_ r: Range<Int>) -> Data { self[r].withUnsafeBytes { made($0) } }
@_silgen_name("library_20FoundationEssentials4DataV8advanced2byACSi_tF") public func libraryAdvanced(_ n: Int) -> Data {
  precondition(n >= 0)
  precondition(startIndex + n <= endIndex)
  return self[(startIndex + n)...].withUnsafeBytes { made($0) }
}
@_silgen_name("library_20FoundationEssentials4DataV5bytesACSays5UInt8VG_tcfC") public static func libraryMake(_ a: __owned [UInt8]) -> Data { a.withUnsafeBytes { made($0) } }
@_silgen_name("library_20FoundationEssentials4DataV5bytesACs10ArraySliceVys5UInt8VG_tcfC") public static func libraryMake(_ a: __owned ArraySlice<UInt8>) -> Data { a.withUnsafeBytes { made($0) } }
@_silgen_name("library_20FoundationEssentials4DataV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) {
  h.combine(count)
  withUnsafeBytes { h.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(80))) }
}
@_silgen_name("library_20FoundationEssentials4DataV11descriptionSSvg") public func libraryText() -> String { "\(count) bytes" }
@_silgen_name("library_20FoundationEssentials4DataV8IteratorV_2atAeC_SitcfC") public static func libraryIterator(_ d: __owned Data, _ at: Int) -> Data.Iterator {
  var i = LibraryDataIterator(data: d, at: at, end: d.endIndex)
  i.fill(at)
  return unsafeBitCast(i, to: Data.Iterator.self)
}
@_silgen_name("library_20FoundationEssentials4DataV19base64EncodedString7optionsSSAC21Base64EncodingOptionsV_tF") public func libraryBase64(_ o: Base64EncodingOptions) -> String { String(decoding: base64(self, o.rawValue), as: UTF8.self) }
@_silgen_name("library_20FoundationEssentials4DataV013base64EncodedC07optionsA2C21Base64EncodingOptionsV_tF") public func libraryBase64Data(_ o: Base64EncodingOptions) -> Data { base64(self, o.rawValue).withUnsafeBytes { made($0) } }
@_silgen_name("library_20FoundationEssentials4DataV13base64Encoded7optionsACSgSSh_AC21Base64DecodingOptionsVtcfC") public static func libraryDecode(_ s: String, _ o: Base64DecodingOptions) -> Data? { unbase64(Array(s.utf8), o.rawValue & 1 != 0) }
@_silgen_name("library_20FoundationEssentials4DataV13base64Encoded7optionsACSgACh_AC21Base64DecodingOptionsVtcfC") public static func libraryDecode(_ d: Data, _ o: Base64DecodingOptions) -> Data? { unbase64(Array(d), o.rawValue & 1 != 0) }
@_silgen_name("library_20FoundationEssentials4DataV0A0E5range2of7options2inSnySiGSgAC_AC13SearchOptionsVAJtF") public func libraryRange(_ d: Data, _ o: SearchOptions, _ r: Range<Int>?) -> Range<Int>? {
  let n = d.count, from = r?.lowerBound ?? startIndex, to = r?.upperBound ?? endIndex
  precondition(from >= startIndex && to <= endIndex)
  if n == 0 || to - from < n { return nil }
  var all = Array(from...(to - n))
  if o.rawValue & 1 != 0 { all.reverse() }
  if o.rawValue & 2 != 0 { all.removeLast(all.count - 1) }
  for at in all where self[at..<(at + n)] == d { return at..<(at + n) }
  return nil
}
@_silgen_name("library_20FoundationEssentials4DataV15withUnsafeBytesyxxSPyq_GKXEKr0_lF") public func libraryBytes<R, C>(_ body: (UnsafePointer<C>) throws -> R) rethrows -> R {
  try withUnsafeBytes { (b: UnsafeRawBufferPointer) in try body(b.baseAddress?.assumingMemoryBound(to: C.self) ?? UnsafePointer(bitPattern: 0xBAD0)!) }
}
@_silgen_name("library_20FoundationEssentials4DataV22withUnsafeMutableBytesyxxSpyq_GKXEKr0_lF") public mutating func libraryMutableBytes<R, C>(_ body: (UnsafeMutablePointer<C>) throws -> R) rethrows -> R {
  try withUnsafeMutableBytes { (b: UnsafeMutableRawBufferPointer) in try body(b.baseAddress?.assumingMemoryBound(to: C.self) ?? UnsafeMutablePointer(bitPattern: 0xBAD0)!) }
}
@_silgen_name("library_20FoundationEssentials4DataV6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  for b in self { try c.encode(b) }
}
@_silgen_name("library_20FoundationEssentials4DataV4fromACs7Decoder_p_tKcfC") public static func libraryDecode(_ d: any Decoder) throws -> Data {
  var c = try d.unkeyedContainer(), a: [UInt8] = []
  while !c.isAtEnd { a.append(try c.decode(UInt8.self)) }
  return a.withUnsafeBytes { made($0) }
}
}
@_silgen_name("library_20FoundationEssentials4DataV8IteratorV4nexts5UInt8VSgyF") public func dataNext(_ i: UnsafeMutablePointer<LibraryDataIterator>) -> UInt8? {
  let at = i.pointee.at
  if at >= i.pointee.end { return nil }
  i.pointee.at = at + 1
  let n = (at - i.pointee.data.startIndex) % 32
  if n == 0 { i.pointee.fill(at) }
  return withUnsafeBytes(of: &i.pointee.buffer) { $0[n] }
}

extension Data.Deallocator {
@_silgen_name("library_20FoundationEssentials4DataV11DeallocatorO12_deallocatoryySv_Sitcvg") public func libraryFree() -> LibraryFree {
  switch self {
  case .custom(let f): return f
  case .free: return { p, n in Glibc.free(p) }
  case .none: return { p, n in }
  default: return { p, n in refuse("memory that is unmapped") }
  }
}
}
extension DataProtocol {
@_silgen_name("library_20FoundationEssentials12DataProtocolPAAE10firstRange2ofSny5IndexQzGSgqd___tAaBRd__lF") public func libraryFirst<D: DataProtocol>(_ d: D) -> Range<Index>? { place(d, false) }
@_silgen_name("library_20FoundationEssentials12DataProtocolPAAE9lastRange2ofSny5IndexQzGSgqd___tAaBRd__lF") public func libraryLast<D: DataProtocol>(_ d: D) -> Range<Index>? { place(d, true) }
func place<D: DataProtocol>(_ d: D, _ last: Bool) -> Range<Index>? {
  let all = Array(self), what = Array(d)
  if what.isEmpty || what.count > all.count { return nil }
  var at = last ? all.count - what.count : 0
  while at >= 0 && at + what.count <= all.count {
    if all[at..<(at + what.count)].elementsEqual(what) { return index(startIndex, offsetBy: at)..<index(startIndex, offsetBy: at + what.count) }
    at += last ? -1 : 1
  }
  return nil
}
}

// Base 64. Options for what is written: 1 and 2 for lines of 64 and 76, 16 and 32 for their ends.
func base64(_ d: Data, _ options: UInt) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let line = options & 1 != 0 ? 64 : options & 2 != 0 ? 76 : Int.max
  let end: [UInt8] = options & 16 != 0 ? (options & 32 != 0 ? [13, 10] : [13]) : options & 32 != 0 ? [10] : [13, 10]
  let a = Array(d)
  var out: [UInt8] = [], at = 0, column = 0
  while at < a.count {
    let n = min(3, a.count - at)
    let w = UInt32(a[at]) << 16 | (n > 1 ? UInt32(a[at + 1]) << 8 : 0) | (n > 2 ? UInt32(a[at + 2]) : 0)
    if column == line {
      out += end
      column = 0
    }
    for k in 0..<4 { out.append(k <= n ? digits[Int(w >> UInt32(18 - 6 * k)) & 63] : 0x3d) }
    at += 3
    column += 4
  }
  return out
}
func unbase64(_ a: [UInt8], _ lenient: Bool) -> Data? {
  var out: [UInt8] = [], w: UInt32 = 0, n = 0, padding = 0
  for c in a {
    var v: UInt32
    switch c {
    case 0x41...0x5a: v = UInt32(c) - 0x41
    case 0x61...0x7a: v = UInt32(c) - 0x61 + 26
    case 0x30...0x39: v = UInt32(c) - 0x30 + 52
    case 0x2b: v = 62
    case 0x2f: v = 63
    case 0x3d:
      padding += 1
      if n == 1 { refuse("base 64 that ends after the first digit of four, which versions take or not") }
      if n + padding > 4 || n < 2 { return nil }
      continue
    default:
      if lenient { continue }
      return nil
    }
    if padding > 0 { return nil }
    w = w << 6 | v
    n += 1
    if n == 4 {
      out += [UInt8(w >> 16 & 255), UInt8(w >> 8 & 255), UInt8(w & 255)]
      w = 0
      n = 0
    }
  }
  if n + padding != 0 && n + padding != 4 || n == 1 { return nil }
  if n == 2 { out.append(UInt8(w >> 4 & 255)) }
  if n == 3 { out += [UInt8(w >> 10 & 255), UInt8(w >> 2 & 255)] }
  return out.withUnsafeBytes { made($0) }
}
nonisolated(unsafe) var base64Options: (UInt, UInt, UInt, UInt, UInt) = (1, 2, 16, 32, 1)
func option(_ n: Int) -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &base64Options) { UnsafeMutableRawPointer($0) + n * 8 } }
@_silgen_name("library_20FoundationEssentials4DataV21Base64EncodingOptionsV22lineLength64CharactersAEvau") public func base64Lines64() -> UnsafeMutableRawPointer { option(0) }
@_silgen_name("library_20FoundationEssentials4DataV21Base64EncodingOptionsV22lineLength76CharactersAEvau") public func base64Lines76() -> UnsafeMutableRawPointer { option(1) }
@_silgen_name("library_20FoundationEssentials4DataV21Base64EncodingOptionsV25endLineWithCarriageReturnAEvau") public func base64Return() -> UnsafeMutableRawPointer { option(2) }
@_silgen_name("library_20FoundationEssentials4DataV21Base64EncodingOptionsV011endLineWithH4FeedAEvau") public func base64Feed() -> UnsafeMutableRawPointer { option(3) }
@_silgen_name("library_20FoundationEssentials4DataV21Base64DecodingOptionsV23ignoreUnknownCharactersAEvau") public func base64Lenient() -> UnsafeMutableRawPointer { option(4) }

@_silgen_name("library_20FoundationEssentials4DataV13SearchOptionsV9backwardsAEvau") public func searchBackwards() -> UnsafeMutableRawPointer { option(0) }
@_silgen_name("library_20FoundationEssentials4DataV13SearchOptionsV8anchoredAEvau") public func searchAnchored() -> UnsafeMutableRawPointer { option(1) }

// Text and bytes: UTF-8, ASCII and ISO Latin 1, by the number of the encoding.
nonisolated(unsafe) var encodings: (UInt, UInt, UInt) = (1, 4, 5)
func encoding(_ n: Int) -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &encodings) { UnsafeMutableRawPointer($0) + n * 8 } }
@_silgen_name("library_SS20FoundationEssentialsE8EncodingV5asciiACvau") public func encodingASCII() -> UnsafeMutableRawPointer { encoding(0) }
@_silgen_name("library_SS20FoundationEssentialsE8EncodingV4utf8ACvau") public func encodingUTF8() -> UnsafeMutableRawPointer { encoding(1) }
@_silgen_name("library_SS20FoundationEssentialsE8EncodingV9isoLatin1ACvau") public func encodingLatin() -> UnsafeMutableRawPointer { encoding(2) }

func decoded(_ b: UnsafeRawBufferPointer, _ encoding: UInt) -> String? {
  switch encoding {
  case 4:
    if b.count >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf { refuse("text from bytes with a byte order mark, which versions keep or drop") }
    return String(validating: b, as: UTF8.self)
  case 1: return b.allSatisfy { $0 < 0x80 } ? String(decoding: b, as: UTF8.self) : nil
  case 5: return String(String.UnicodeScalarView(b.map { Unicode.Scalar($0) }))
  default: refuse("text in encoding \(encoding)")
  }
}
extension String {
@_silgen_name("library_SS20FoundationEssentialsE4data5using20allowLossyConversionAA4DataVSgSSAAE8EncodingV_SbtF") public func libraryData(_ e: Encoding, _ lossy: Bool) -> Data? {
  if e.rawValue == 4 { return Array(utf8).withUnsafeBytes { made($0) } }
  guard e.rawValue == 1 || e.rawValue == 5 else { refuse("text in encoding \(e.rawValue)") }
  let limit: UInt32 = e.rawValue == 1 ? 0x80 : 0x100
  var out: [UInt8] = []
  for c in unicodeScalars {
    if c.value >= limit {
      if lossy { refuse("lossy conversion of text") }
      return nil
    }
    out.append(UInt8(c.value))
  }
  return out.withUnsafeBytes { made($0) }
}
@_silgen_name("library_SS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC") public static func libraryText(_ d: Data, _ e: Encoding) -> String? { d.withUnsafeBytes { decoded($0, e.rawValue) } }
@_silgen_name("library_SS20FoundationEssentialsE5bytes8encodingSSSgxh_SSAAE8EncodingVtcSTRzs5UInt8V7ElementRtzlufC") public static func libraryText<S: Sequence>(_ s: S, _ e: Encoding) -> String? where S.Element == UInt8 { Array(s).withUnsafeBytes { decoded($0, e.rawValue) } }
}
