// Parts of the strings' views that are plain logic over what natives do.

extension String.Index {
// An index is a place in a string if it is where a Character starts, or the end.
func place(_ s: String) -> String.Index? {
  if self == s.endIndex { return self }
  if self < s.startIndex || self > s.endIndex { return nil }
  var at = s.startIndex
  while at < self { at = s.index(after: at) }
  return at == self ? at : nil
}
@_silgen_name("library_SS5IndexV12samePosition2inABSgSS_tF") public func sameIn(_ s: String) -> String.Index? { place(s) }
}
@_silgen_name("library_SS5IndexV_6withinABSgAB_SStcfC") public func indexWithin(_ i: String.Index, _ s: __owned String) -> String.Index? { i.place(s) }

extension String.UTF16View {
@_silgen_name("library_SS9UTF16ViewV5index_8offsetBy07limitedE0SS5IndexVSgAG_SiAGtF") public func limited(_ i: String.Index, _ n: Int, _ limit: String.Index) -> String.Index? {
  let room = distance(from: i, to: limit)
  if n > 0 ? room >= 0 && room < n : room <= 0 && n < room { return nil }
  return index(i, offsetBy: n)
}
}
extension String.UnicodeScalarView {
@_silgen_name("library_SS17UnicodeScalarViewV6append10contentsOfyx_tSTRzs0A0O0B0V7ElementRtzlF") public mutating func appendAll<S: Sequence>(_ new: S) where S.Element == Unicode.Scalar {
  for u in new { append(u) }
}
@_silgen_name("library_SS17UnicodeScalarViewV15replaceSubrange_4withySnySS5IndexVG_xtSlRzs0A0O0B0V7ElementRtzlF") public mutating func putIn<C: Collection>(_ r: Range<Index>, _ new: C) where C.Element == Unicode.Scalar {
  var made = String.UnicodeScalarView()
  for u in self[startIndex..<r.lowerBound] { made.append(u) }
  for u in new { made.append(u) }
  for u in self[r.upperBound...] { made.append(u) }
  self = made
}
}
@_silgen_name("library_SSySSSgSs8UTF8ViewVcfC") public func stringOfCodes(_ v: __owned Substring.UTF8View) -> String? {
  let whole = Substring(v).base
  guard onScalar(v.startIndex, whole), onScalar(v.endIndex, whole) else { return nil }
  var bytes: [UInt8] = []
  for b in v { bytes.append(b) }
  return bytes.withUnsafeBufferPointer { validText($0) }
}
@_silgen_name("library_SSySSSgSs9UTF16ViewVcfC") public func stringOfUnits(_ v: __owned Substring.UTF16View) -> String? {
  let whole = Substring(v).base
  guard onScalar(v.startIndex, whole), onScalar(v.endIndex, whole) else { return nil }
  var units: [UInt16] = []
  for u in v { units.append(u) }
  return decoded16(units, false)?.0
}
@_silgen_name("library_SSySSSs17UnicodeScalarViewVcfC") public func stringOfScalars(_ v: __owned Substring.UnicodeScalarView) -> String { String(Substring(v)) }

func validText(_ b: UnsafeBufferPointer<UInt8>) -> String? {
  let (s, repaired) = repaired(b)
  return repaired ? nil : s
}
@_silgen_name("library_repairedText") func repaired(_ b: UnsafeBufferPointer<UInt8>) -> (String, Bool)

// decoded16 reads UTF-16; a surrogate that stands alone becomes U+FFFD, or makes it nil.
func decoded16(_ units: [UInt16], _ repair: Bool) -> (String, repairsMade: Bool)? {
  var s = String.UnicodeScalarView(), bad = false
  var n = 0
  while n < units.count {
    let u = UInt32(units[n])
    n += 1
    if u & 0xF800 != 0xD800 {
      s.append(Unicode.Scalar(u)!)
    } else if u < 0xDC00, n < units.count, units[n] & 0xFC00 == 0xDC00 {
      s.append(Unicode.Scalar(0x10000 + (u & 0x3FF) << 10 + UInt32(units[n]) & 0x3FF)!)
      n += 1
    } else {
      bad = true
      s.append("\u{FFFD}")
    }
  }
  return bad && !repair ? nil : (String(s), bad)
}
func decoded32(_ units: [UInt32], _ repair: Bool) -> (String, repairsMade: Bool)? {
  var s = String.UnicodeScalarView(), bad = false
  for u in units {
    if let scalar = Unicode.Scalar(u) {
      s.append(scalar)
    } else {
      bad = true
      s.append("\u{FFFD}")
    }
  }
  return bad && !repair ? nil : (String(s), bad)
}
@inline(__always) func decodedUnits<C: Collection, E: _UnicodeEncoding>(_ c: C, _ e: E.Type, _ repair: Bool) -> (String, repairsMade: Bool)? where C.Element == E.CodeUnit {
  if e == UTF8.self || e == Unicode.ASCII.self {
    var bytes: [UInt8] = []
    for u in c { bytes.append(UInt8(truncatingIfNeeded: u)) }
    if e == Unicode.ASCII.self {
      var bad = false
      for n in bytes.indices where bytes[n] > 127 { bad = true }
      if bad && !repair { return nil }
      if bad {
        var s = String.UnicodeScalarView()
        for b in bytes { s.append(b > 127 ? "\u{FFFD}" : Unicode.Scalar(b)) }
        return (String(s), true)
      }
    }
    let (s, bad) = bytes.withUnsafeBufferPointer { repaired($0) }
    return bad && !repair ? nil : (s, bad)
  }
  if e == UTF16.self {
    var units: [UInt16] = []
    for u in c { units.append(UInt16(truncatingIfNeeded: u)) }
    return decoded16(units, repair)
  }
  if e == UTF32.self {
    var units: [UInt32] = []
    for u in c { units.append(UInt32(truncatingIfNeeded: u)) }
    return decoded32(units, repair)
  }
  fatalError("decoding of an encoding that the standard library does not have")
}

extension String {
@_silgen_name("library_SS14_fromCodeUnits_8encoding6repairSS_Sb11repairsMadetSgx_q_mSbtSlRzs16_UnicodeEncodingR_0B4UnitQy_7ElementRtzr0_lFZ") public static func decode<C: Collection, E: _UnicodeEncoding>(_ c: C, _ e: E.Type, _ repair: Bool) -> (String, repairsMade: Bool)? where C.Element == E.CodeUnit {
  decodedUnits(c, e, repair)
}
@_silgen_name("library_SS9_validate_2asSSSgSRy8CodeUnitQzG_xmts16_UnicodeEncodingRzlFZ") public static func validated<E: _UnicodeEncoding>(_ b: UnsafeBufferPointer<E.CodeUnit>, _ e: E.Type) -> String? {
  decodedUnits(b, e, false)?.0
}
@_silgen_name("library_SS12_tryFromUTF8ySSSgSRys5UInt8VGFZ") public static func tried(_ b: UnsafeBufferPointer<UInt8>) -> String? { validText(b) }
}
@_silgen_name("library_SS27unsafeUninitializedCapacity20initializingUTF8WithSSSi_SiSrys5UInt8VGKXEtKcfC") public func stringOfRoom(_ n: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Int) throws -> String {
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: n)
  defer { room.deallocate() }
  let count = try fill(room)
  return repaired(UnsafeBufferPointer(rebasing: room[..<count])).0
}
@_silgen_name("library_s11_StringGutsV16_slowWithCStringyxxSPys4Int8VGKXEKlF") public func slowCString<R>(_ f: (UnsafePointer<Int8>) throws -> R, _ s: String) throws -> R {
  let codes = s.utf8CString
  return try codes.withUnsafeBufferPointer { try f($0.baseAddress!) }
}

extension Substring.UnicodeScalarView {
@_silgen_name("library_Ss17UnicodeScalarViewV15replaceSubrange_4withySnySS5IndexVG_xtSlRzs0A0O0B0V7ElementRtzlF") public mutating func putIn<C: Collection>(_ r: Range<Index>, _ new: C) where C.Element == Unicode.Scalar {
  var made = String.UnicodeScalarView()
  for u in self[startIndex..<r.lowerBound] { made.append(u) }
  for u in new { made.append(u) }
  for u in self[r.upperBound...] { made.append(u) }
  self = Substring(String(made)).unicodeScalars
}
}
extension String {
@_silgen_name("library_SS17_withNFCCodeUnitsyyys5UInt8VKXEKF") public func eachComposed(_ f: (UInt8) throws -> Void) throws {
  for b in composedText(self).utf8 { try f(b) }
}
}
@_silgen_name("library_composedText") func composedText(_ s: String) -> String

extension Unicode.Scalar {
@_silgen_name("library_s7UnicodeO6ScalarV7escaped7asASCIISSSb_tF") public func escapedText(_ ascii: Bool) -> String {
  switch value {
  case 0x5c: return "\\\\"
  case 0x27: return "\\\'"
  case 0x22: return "\\\""
  case 0x20...0x7e: return String(self)
  case 0: return "\\0"
  case 0x0a: return "\\n"
  case 0x0d: return "\\r"
  case 0x09: return "\\t"
  case 0...0x7f: return "\\u{" + (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) + "}"
  default:
    if !ascii { return String(self) }
    let digits = String(value, radix: 16, uppercase: true)
    return "\\u{" + String(repeating: "0", count: Swift.max(0, (value > 0xffff ? 8 : 4) - digits.utf8.count)) + digits + "}"
  }
}
}

extension Unicode.UTF8.ForwardParser {
// The bytes at the front of the buffer that one replacement character stands for: the longest beginning of a sequence that could be valid
// (The Unicode Standard, table 3-7 and section 3.9, U+FFFD Substitution of Maximal Subparts).
@_silgen_name("library_s7UnicodeO4UTF8O13ForwardParserV14_invalidLengths5UInt8VyF") public func brokenLength() -> UInt8 {
  let bytes = _buffer._storage, lead = bytes & 0xFF, second = bytes >> 8 & 0xFF, third = bytes >> 16 & 0xFF
  var low: UInt32 = 0x80, high: UInt32 = 0xBF
  switch lead {
  case 0xE0: low = 0xA0
  case 0xED: high = 0x9F
  case 0xF0: low = 0x90
  case 0xF4: high = 0x8F
  case 0xE1...0xEF, 0xF1...0xF3: break
  default: return 1
  }
  if second < low || second > high { return 1 }
  return lead >= 0xF0 && third & 0xC0 == 0x80 ? 3 : 2
}
}
