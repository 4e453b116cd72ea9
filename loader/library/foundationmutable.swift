// More of NSString, NSMutableString, and the standard streams as FileHandles, which are written to and no more.

import Foundation

@_silgen_name("library_mutable_new") func newMutable() -> NSMutableString
@_silgen_name("library_handle_new") func newHandle() -> FileHandle
@_silgen_name("silvm_write") func cWrite(_ fd: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int

// The number at the beginning of a text, behind blanks; where it has none, 0.
func leadingNumber(_ s: String) -> [UInt8] {
  let all = Array(s.utf8)
  var at = 0, out: [UInt8] = []
  while at < all.count, all[at] == 0x20 || all[at] >= 9 && all[at] <= 13 { at += 1 }
  if at < all.count, all[at] > 0x7f { refuse("the number of a text that begins with a character beyond ASCII") }
  if at < all.count, all[at] == 0x2b || all[at] == 0x2d {
    out.append(all[at])
    at += 1
  }
  func digits() -> Int {
    let from = out.count
    while at < all.count, all[at] >= 0x30, all[at] <= 0x39 {
      out.append(all[at])
      at += 1
    }
    return out.count - from
  }
  let whole = digits()
  if at < all.count, all[at] == 0x2e {
    out.append(all[at])
    at += 1
    if digits() == 0 { out.append(0x30) }
    if whole == 0 { out.insert(0x30, at: out.firstIndex(of: 0x2e)!) }
  } else if whole == 0 {
    if at < all.count, all[at] | 0x20 == 0x69 || all[at] | 0x20 == 0x6e { refuse("the number of a text that begins with i or n") }
    return [0x30]
  }
  if at + 1 < all.count, all[at] | 0x20 == 0x65, all[at + 1] >= 0x30 && all[at + 1] <= 0x39 || all[at + 1] == 0x2b || all[at + 1] == 0x2d {
    out += [0x65, all[at + 1]]
    at += 2
    if digits() == 0 && out.last! < 0x30 { refuse("the number of a text with an exponent without digits") }
  } else if at < all.count, all[at] | 0x20 == 0x65 {
    refuse("the number of a text with an e behind it")
  }
  return out
}
func wholeNumber(_ s: String) -> Int {
  if let c = s.utf8.first(where: { $0 != 0x20 }), c > 0x7f { refuse("the number of a text that begins with a character beyond ASCII") }
  var n = 0, isNegative = false, first = true
  for c in s.utf8.drop(while: { $0 == 0x20 || $0 >= 9 && $0 <= 13 }).prefix(while: { $0 >= 0x2b && $0 <= 0x39 }) {
    if c < 0x30 {
      if !first || c != 0x2b && c != 0x2d { break }
      first = false
      isNegative = c == 0x2d
      continue
    }
    first = false
    let (m, o) = n.multipliedReportingOverflow(by: 10), (k, p) = m.addingReportingOverflow(isNegative ? -Int(c - 0x30) : Int(c - 0x30))
    if o || p { return isNegative ? .min : .max }
    n = k
  }
  return n
}

extension NSString {
@_silgen_name("library_10Foundation8NSStringC10uppercasedSSvg") public func libraryUpper() -> String { text(self).uppercased() }
@_silgen_name("library_10Foundation8NSStringC10lowercasedSSvg") public func libraryLower() -> String { text(self).lowercased() }
@_silgen_name("library_10Foundation8NSStringC10uppercased4withSS0A10Essentials6LocaleVSg_tF") public func libraryUpper(_ l: Locale?) -> String { l == nil ? text(self).uppercased() : refuseLocale() }
@_silgen_name("library_10Foundation8NSStringC10lowercased4withSS0A10Essentials6LocaleVSg_tF") public func libraryLower(_ l: Locale?) -> String { l == nil ? text(self).lowercased() : refuseLocale() }
@_silgen_name("library_10Foundation8NSStringC11capitalized4withSS0A10Essentials6LocaleVSg_tF") public func libraryCapital(_ l: Locale?) -> String { l == nil ? text(self).capitalized : refuseLocale() }
@_silgen_name("library_10Foundation8NSStringC11capitalizedSSvg") public func libraryCapital() -> String { text(self).capitalized }
@_silgen_name("library_10Foundation8NSStringC10components11separatedBySaySSGSS_tF") public func librarySplit(_ s: String) -> [String] { text(self).components(separatedBy: s) }
@_silgen_name("library_10Foundation8NSStringC10components11separatedBySaySSGAA12CharacterSetV_tF") public func librarySplit(_ s: CharacterSet) -> [String] { text(self).components(separatedBy: s) }
@_silgen_name("library_10Foundation8NSStringC18trimmingCharacters2inSSAA12CharacterSetV_tF") public func libraryTrim(_ s: CharacterSet) -> String { text(self).trimmingCharacters(in: s) }
@_silgen_name("library_10Foundation8NSStringC20replacingOccurrences2of4withS2S_SStF") public func libraryReplace(_ s: String, _ t: String) -> String { text(self).replacingOccurrences(of: s, with: t) }
@_silgen_name("library_10Foundation8NSStringC20replacingOccurrences2of4with7options5rangeS2S_S2S0A10EssentialsE14CompareOptionsVAA8_NSRangeVtF")
public func libraryReplace(_ s: String, _ t: String, _ o: String.CompareOptions, _ r: NSRange) -> String {
  let own = text(self)
  guard let bounds = Range(r, in: own) else { refuse("a range outside the text of an NSString, or that ends inside a character") }
  return own.replacingOccurrences(of: s, with: t, options: o, range: bounds)
}
@_silgen_name("library_10Foundation8NSStringC8containsySbSSF") public func libraryHas(_ s: String) -> Bool { !s.isEmpty && text(self).range(of: s) != nil }
@_silgen_name("library_10Foundation8NSStringC9hasPrefixySbSSF") public func libraryBegins(_ s: String) -> Bool { find(s, [.anchored]).location != NSNotFound }
@_silgen_name("library_10Foundation8NSStringC9hasSuffixySbSSF") public func libraryEnds(_ s: String) -> Bool { find(s, [.anchored, .backwards]).location != NSNotFound }
@_silgen_name("library_10Foundation8NSStringC5range2ofAA8_NSRangeVSS_tF") public func libraryFind(_ s: String) -> NSRange { find(s, []) }
@_silgen_name("library_10Foundation8NSStringC5range2of7optionsAA8_NSRangeVSS_SS0A10EssentialsE14CompareOptionsVtF") public func libraryFind(_ s: String, _ o: String.CompareOptions) -> NSRange { find(s, o) }
@_silgen_name("library_10Foundation8NSStringC5range2of7optionsAdA8_NSRangeVSS_SS0A10EssentialsE14CompareOptionsVAHtF") public func libraryFind(_ s: String, _ o: String.CompareOptions, _ r: NSRange) -> NSRange { find(s, o, r) }
@_silgen_name("library_10Foundation8NSStringC5range2of7optionsAD6localeAA8_NSRangeVSS_SS0A10EssentialsE14CompareOptionsVAiJ6LocaleVSgtF") public func libraryFind(_ s: String, _ o: String.CompareOptions, _ r: NSRange, _ l: Locale?) -> NSRange {
  if l != nil { refuse("a search in an NSString with a locale") }
  return find(s, o, r)
}
func find(_ s: String, _ options: String.CompareOptions, _ within: NSRange? = nil) -> NSRange {
  let own = text(self)
  var bounds = own.startIndex..<own.endIndex
  if let within {
    guard let r = Range(within, in: own) else { refuse("a range outside the text of an NSString, or that ends inside a character") }
    bounds = r
  }
  guard let r = own.range(of: s, options: options, range: bounds) else { return NSRange(location: NSNotFound, length: 0) }
  return NSRange(location: r.lowerBound.utf16Offset(in: own), length: r.upperBound.utf16Offset(in: own) - r.lowerBound.utf16Offset(in: own))
}
@_silgen_name("library_10Foundation8NSStringC12integerValueSivg") public func libraryInteger() -> Int { wholeNumber(text(self)) }
@_silgen_name("library_10Foundation8NSStringC13longLongValues5Int64Vvg") public func libraryLong() -> Int64 { Int64(wholeNumber(text(self))) }
@_silgen_name("library_10Foundation8NSStringC8intValues5Int32Vvg") public func libraryInt() -> Int32 { Int32(clamping: wholeNumber(text(self))) }
@_silgen_name("library_10Foundation8NSStringC11doubleValueSdvg") public func libraryDouble() -> Double {
  if let c = text(self).utf8.first(where: { $0 != 0x20 }), c >= 9 && c <= 13 { refuse("doubleValue of a text that begins with blanks other than spaces") }
  return Double(String(decoding: leadingNumber(text(self)), as: UTF8.self)) ?? 0
}
@_silgen_name("library_10Foundation8NSStringC7isEqualySbypSgF") public func librarySameText(_ other: Any?) -> Bool {
  if let s = other as? String { return exactly(text(self), s) }
  guard let o = other as? NSString else { return false }
  return o === self || exactly(text(self), text(o))
}
// Objects are compared by their characters, strings by what these mean.
func exactly(_ a: String, _ b: String) -> Bool { a.utf16.elementsEqual(b.utf16) }
@_silgen_name("library_10Foundation8NSStringC11mutableCopy4withypAA6NSZoneVSg_tF") public func libraryMutable(_ z: NSZone?) -> Any { mutable(text(self)) }
@_silgen_name("library_10Foundation8NSStringC4copy4withypAA6NSZoneVSg_tF") public func libraryCopy(_ z: NSZone?) -> Any { type(of: self) == NSString.self ? self : object(text(self)) }
@_silgen_name("library_10Foundation8NSStringC21replacingCharacters2in4withSSAA8_NSRangeV_SStF") public func libraryReplaceRange(_ r: NSRange, _ s: String) -> String { edited(text(self), r, s) }
}
func refuseLocale() -> String { refuse("the case of text in a locale") }
func mutable(_ s: __owned String) -> NSMutableString {
  let o = newMutable()
  _ = fill(o, s)
  return o
}
func edited(_ s: String, _ r: NSRange, _ with: String) -> String {
  let units = s.utf16
  if r.location < 0 || r.length < 0 || r.location > units.count - r.length { refuse("a range outside the text of an NSString") }
  let from = units.index(units.startIndex, offsetBy: r.location), to = units.index(from, offsetBy: r.length)
  guard let a = String(units[..<from]), let b = String(units[to...]) else { refuse("a range of an NSString that ends inside a character") }
  return a + with + b
}
@_silgen_name("library_10Foundation15NSMutableStringC6stringACSS_tcfc") public func mutableMake(_ s: __owned String, _ o: __owned NSMutableString) -> NSMutableString {
  if type(of: o) != NSMutableString.self { refuse("a subclass of NSMutableString") }
  _ = fill(o, s)
  return o
}
@_silgen_name("library_10Foundation15NSMutableStringC8capacityACSi_tcfc") public func mutableMake(_ n: Int, _ o: __owned NSMutableString) -> NSMutableString { mutableMake("", o) }
@_silgen_name("library_10Foundation15NSMutableStringC8capacityACSi_tcfC") public func mutableNew(_ n: Int, _ t: NSMutableString.Type) -> NSMutableString { mutableMake("", newMutable()) }
@_silgen_name("library_10Foundation15NSMutableStringC6stringACSS_tcfC") public func mutableNew(_ s: __owned String, _ t: NSMutableString.Type) -> NSMutableString { mutableMake(s, newMutable()) }
extension NSMutableString {
@_silgen_name("library_10Foundation15NSMutableStringC17replaceCharacters2in4withyAA8_NSRangeV_SStF") public func libraryEdit(_ r: NSRange, _ s: String) { storage(self).pointee = edited(text(self), r, s) }
@_silgen_name("library_10Foundation15NSMutableStringC16deleteCharacters2inyAA8_NSRangeV_tF") public func libraryDelete(_ r: NSRange) { storage(self).pointee = edited(text(self), r, "") }
@_silgen_name("library_10Foundation15NSMutableStringC6insert_2atySS_SitF") public func libraryInsert(_ s: String, _ at: Int) { storage(self).pointee = edited(text(self), NSRange(location: at, length: 0), s) }
@_silgen_name("library_10Foundation15NSMutableStringC6appendyySSF") public func libraryAppend(_ s: String) { storage(self).pointee += s }
@_silgen_name("library_10Foundation15NSMutableStringC03setC0yySSF") public func librarySet(_ s: String) { storage(self).pointee = s }
}

// The standard streams by the first of their stored properties.
func handle(_ fd: Int32) -> FileHandle {
  let h = newHandle()
  place(h, 16, Int32.self).initialize(to: fd)
  return h
}
nonisolated(unsafe) let outHandle = handle(1)
nonisolated(unsafe) let errorHandle = handle(2)
extension FileHandle {
@_silgen_name("library_10Foundation10FileHandleC14standardOutputACvgZ") public class func libraryOut() -> FileHandle { outHandle }
@_silgen_name("library_10Foundation10FileHandleC13standardErrorACvgZ") public class func libraryError() -> FileHandle { errorHandle }
@_silgen_name("library_10Foundation10FileHandleC14fileDescriptors5Int32Vvg") public func libraryNumber() -> Int32 { place(self, 16, Int32.self).pointee }
@_silgen_name("library_10Foundation10FileHandleC5writeyy0A10Essentials4DataVF") public func libraryWrite(_ d: Data) { put(d) }
@_silgen_name("library_10Foundation10FileHandleC5write10contentsOfyx_tK0A10Essentials12DataProtocolRzlF") public func libraryWrite<D: DataProtocol>(_ d: D) throws { put(Data(d)) }
@_silgen_name("library_10Foundation10FileHandleC11synchronizeyyKF") public func librarySync() throws { refuse("synchronize() of a FileHandle") }
func put(_ d: Data) {
  var at = 0
  d.withUnsafeBytes { b in
    while at < b.count {
      let n = cWrite(place(self, 16, Int32.self).pointee, b.baseAddress! + at, b.count - at)
      if n <= 0 { refuse("a FileHandle that can't be written to") }
      at += n
    }
  }
}
}
