// Indices of one view of a string in another (stdlib/public/core/StringIndexConversions.swift), and what else substrings have.

extension String.Index {
@_silgen_name("library_SS5IndexV_6withinABSgAB_SS17UnicodeScalarViewVtcfC") public static func scalar(_ i: Self, _ s: String.UnicodeScalarView) -> Self? { onScalar(i, String(s)) ? i : nil }
@_silgen_name("library_SS5IndexV_6withinABSgAB_SS9UTF16ViewVtcfC") public static func code16(_ i: Self, _ s: String.UTF16View) -> Self? { inUTF16(i, String(s)) ? i : nil }
@_silgen_name("library_SS5IndexV_6withinABSgAB_SS8UTF8ViewVtcfC") public static func code8(_ i: Self, _ s: String.UTF8View) -> Self? { bits(i) >> 14 & 3 == 0 && bits(i) >> 16 <= s.count ? i : nil }
@_silgen_name("library_SS5IndexV12samePosition2inABSgSS17UnicodeScalarViewV_tF") public func inScalars(_ s: String.UnicodeScalarView) -> Self? { onScalar(self, String(s)) ? self : nil }
@_silgen_name("library_SS5IndexV12samePosition2inABSgSS9UTF16ViewV_tF") public func in16(_ s: String.UTF16View) -> Self? { inUTF16(self, String(s)) ? self : nil }
@_silgen_name("library_SS5IndexV12samePosition2inABSgSS8UTF8ViewV_tF") public func in8(_ s: String.UTF8View) -> Self? { Self.code8(self, s) }
}
// bits are the word of an index: its offset in UTF-8 from bit 16 on, one within a scalar in bits 14 and 15.
@inline(__always) func bits(_ i: String.Index) -> Int { Int(truncatingIfNeeded: unsafeBitCast(i, to: UInt64.self)) }

@inline(never) func onScalar(_ i: String.Index, _ s: String) -> Bool {
  let at = bits(i) >> 16
  if bits(i) >> 14 & 3 != 0 || at > s.utf8.count { return false }
  return at == s.utf8.count || s.utf8[s.utf8.index(s.utf8.startIndex, offsetBy: at)] & 0xC0 != 0x80
}
@inline(never) func inUTF16(_ i: String.Index, _ s: String) -> Bool {
  if bits(i) >> 14 & 3 == 0 { return onScalar(i, s) }
  return bits(i) >> 14 & 3 == 1 && bits(i) >> 16 < s.utf8.count && s.utf8[s.utf8.index(s.utf8.startIndex, offsetBy: bits(i) >> 16)] >= 0xF0
}

extension Substring {
@_silgen_name("library_Ss6filterySSSbSJKXEKF") public func kept(_ f: (Character) throws -> Bool) rethrows -> String {
  var text = ""
  for c in self where try f(c) { text.append(c) }
  return text
}
@_silgen_name("library_Ss5writeyySSF") public mutating func put(_ s: String) { append(contentsOf: s) }
@_silgen_name("library_Ss7cStringSsSPys4Int8VG_tcfC") public static func fromC(_ p: UnsafePointer<Int8>) -> Substring { Substring(String(cString: p)) }
}
extension StringProtocol {
@_silgen_name("library_SysE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(String(self)) }
}
extension String {
@_silgen_name("library_SS14validatingUTF8SSSgSPys4Int8VG_tcfC") public static func validated(_ p: UnsafePointer<Int8>) -> String? { String(validatingCString: p) }
}
extension String.UnicodeScalarView {
@_silgen_name("library_SS17UnicodeScalarViewV15reserveCapacityyySiF") public mutating func makeRoom(_ n: Int) {}
}
