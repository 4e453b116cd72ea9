// NSRange, UUID, and what a program asks of the system.

import Foundation

extension NSRange {
@_silgen_name("library_10Foundation8_NSRangeV11descriptionSSvg") public func libraryText() -> String { "{\(location), \(length)}" }
@_silgen_name("library_10Foundation8_NSRangeV16debugDescriptionSSvg") public func libraryDebugText() -> String { "{\(location), \(length)}" }
@_silgen_name("library_10Foundation8_NSRangeV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: ["location": location, "length": length]) }
@_silgen_name("library_10Foundation8_NSRangeVyACxcSXRzs17FixedWidthInteger5BoundRpzlufC") public static func libraryMake<R: RangeExpression>(_ r: __owned R) -> NSRange where R.Bound: FixedWidthInteger {
  let r = r.relative(to: 0..<R.Bound.max)
  return NSRange(location: numericCast(r.lowerBound), length: numericCast(r.count))
}
@_silgen_name("library_10Foundation8_NSRangeV12intersectionyACSgACF") public func libraryIntersection(_ o: NSRange) -> NSRange? {
  let from = Swift.max(location, o.location), to = Swift.min(location + length, o.location + o.length)
  if location + length <= o.location && length > 0 && location != o.location || o.location + o.length <= location && o.length > 0 && location != o.location { return nil }
  return from <= to ? NSRange(location: from, length: to - from) : nil
}
}
@_silgen_name("library_10Foundation19NSIntersectionRangeyAA8_NSRangeVAD_ADtF") public func intersectionOf(_ a: NSRange, _ b: NSRange) -> NSRange {
  let from = max(a.location, b.location), to = min(a.location + a.length, b.location + b.length)
  let begins = b.location <= a.location ? a.location < b.location + b.length : b.location < a.location + a.length
  return begins ? NSRange(location: from, length: to - from) : NSRange(location: 0, length: 0)
}
@_silgen_name("library_10Foundation17NSStringFromRangeySSAA8_NSRangeVF") public func textOf(_ r: NSRange) -> String { "{\(r.location), \(r.length)}" }

extension Range where Bound: BinaryInteger {
@_silgen_name("library_Sn10FoundationSzRzrlEySnyxGSgAA8_NSRangeVcfC") public static func libraryMake(_ r: NSRange) -> Range<Bound>? {
  r.location == NSNotFound ? nil : Range(uncheckedBounds: (numericCast(r.location), numericCast(r.location + r.length)))
}
}
extension Range where Bound == String.Index {
@_silgen_name("library_Sn10FoundationSS5IndexVRszrlE_2inSnyACGSgAA8_NSRangeV_SStcfC") public static func libraryMake(_ r: NSRange, _ s: __owned String) -> Range<String.Index>? {
  let units = s.utf16
  if r.location == NSNotFound { return nil }
  guard let from = units.index(units.startIndex, offsetBy: r.location, limitedBy: units.endIndex),
    let to = units.index(units.startIndex, offsetBy: r.location + r.length, limitedBy: units.endIndex),
    let a = String.Index(from, within: s), let b = String.Index(to, within: s)
  else { return nil }
  return a..<b
}
}

// UUIDs: of the run's random numbers (RFC 9562, version 4), and as text.

extension UUID {
@_silgen_name("library_20FoundationEssentials4UUIDVACycfC") public static func libraryMake() -> UUID {
  var random = SystemRandomNumberGenerator()
  let high = random.next() & ~0xf000 | 0x4000, low = random.next() & ~(3 << 62) | 2 << 62
  return unsafeBitCast((high.bigEndian, low.bigEndian), to: UUID.self)
}
@_silgen_name("library_20FoundationEssentials4UUIDV4uuidACs5UInt8V_A15Ft_tcfC") public static func libraryMake(_ b: uuid_t) -> UUID { unsafeBitCast(b, to: UUID.self) }
@_silgen_name("library_20FoundationEssentials4UUIDV10uuidStringACSgSSh_tcfC") public static func libraryMake(_ s: __shared String) -> UUID? {
  let text = Array(s.utf8)
  if text.count != 36 || text.contains(0) { return nil }
  var bytes: [UInt8] = [], at = 0
  while at < 36 {
    if at == 8 || at == 13 || at == 18 || at == 23 {
      if text[at] != 0x2d { return nil }
      at += 1
    }
    if !isHex(text[at]) || !isHex(text[at + 1]) {
      // The C library reads numbers with signs, spaces and prefixes.
      if text.contains(where: { $0 == 0x2b || $0 == 0x20 || $0 >= 9 && $0 <= 13 || $0 | 0x20 == 0x78 }) || text[at] == 0x2d || text[at + 1] == 0x2d { refuse("UUID(uuidString:) of text that is no UUID") }
      return nil
    }
    bytes.append(hexValue(text[at]) << 4 | hexValue(text[at + 1]))
    at += 2
  }
  return bytes.withUnsafeBytes { libraryMake($0.load(as: uuid_t.self)) }
}
@_silgen_name("library_20FoundationEssentials4UUIDV10uuidStringSSvg") public func libraryText() -> String {
  var out: [UInt8] = []
  withUnsafeBytes(of: uuid) {
    for b in $0 {
      if out.count == 8 || out.count == 13 || out.count == 18 || out.count == 23 { out.append(0x2d) }
      out += [hexDigit(b >> 4), hexDigit(b & 15)]
    }
  }
  return String(decoding: out, as: UTF8.self)
}
@_silgen_name("library_20FoundationEssentials4UUIDV1loiySbAC_ACtFZ") public static func libraryLess(_ a: UUID, _ b: UUID) -> Bool {
  withUnsafeBytes(of: a.uuid) { x in withUnsafeBytes(of: b.uuid) { y in x.lexicographicallyPrecedes(y) } }
}
@_silgen_name("library_20FoundationEssentials4UUIDV12customMirrors0E0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: [] as [Mirror.Child], displayStyle: .struct) }
@_silgen_name("library_20FoundationEssentials4UUIDV4fromACs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UUID {
  let value = try d.singleValueContainer()
  guard let u = libraryMake(try value.decode(String.self)) else {
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: d.codingPath, debugDescription: "Attempted to decode UUID from invalid UUID string."))
  }
  return u
}
}

// The system, as far as silvm lets a program see one.

extension ProcessInfo {
@_silgen_name("library_20FoundationEssentials11ProcessInfoC22operatingSystemVersionAA09OperatingfG0Vvg") public func librarySystem() -> OperatingSystemVersion { OperatingSystemVersion(majorVersion: 6, minorVersion: 0, patchVersion: 0) }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC28operatingSystemVersionStringSSvg") public func librarySystemText() -> String { "Linux" }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC24isOperatingSystemAtLeastySbAA0fG7VersionVF") public func libraryIsAtLeast(_ v: OperatingSystemVersion) -> Bool {
  (v.majorVersion, v.minorVersion, v.patchVersion) <= (6, 0, 0)
}
@_silgen_name("library_20FoundationEssentials11ProcessInfoC8hostNameSSvg") public func libraryHost() -> String { "localhost" }
}
