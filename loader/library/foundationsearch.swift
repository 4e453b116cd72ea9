import Foundation

// Finding text, as the functions of C's CoreFoundation do that Foundation uses: scalar by scalar, where canonically equivalent ones are equal, and
// nothing is found that a mark follows, which would change it.

// isPlain reports whether a scalar is canonically equivalent to nothing but itself, whatever stands beside it, and is a Character of its own unless it
// is part of a line end.
func isPlain(_ v: UInt32) -> Bool {
  switch v {
  case 0..<0x300, 0x388..<0x483, 0x2010..<0x2028, 0x2030..<0x2060, 0x2190..<0x2329, 0x232b..<0x2c00, 0x3001..<0x302a, 0x3030..<0x3099, 0x309b..<0xa000, 0xac00..<0xd7a4, 0x1f300..<0x1f3fb, 0x1f400..<0x1fb00: true
  default: false
  }
}
// isFixed reports whether no sequence of other scalars is canonically equivalent to a scalar, or to it with a mark behind it.
func isFixed(_ v: UInt32) -> Bool {
  switch v {
  case 0..<0x80, 0x200d, 0x2300..<0x2329, 0x232b..<0x2adc, 0x2add..<0x2c00, 0x3400..<0x4dc0, 0x4e00..<0xa000, 0xfe0e...0xfe0f, 0x1f000..<0x1fc00, 0xe0020..<0xe0080: true
  default: false
  }
}
// isOtherName reports whether a scalar is canonically equivalent to one other, or part of a Hangul syllable.
func isOtherName(_ v: UInt32) -> Bool {
  switch v {
  case 0x340...0x341, 0x343...0x344, 0x374, 0x37e, 0x387, 0x1100..<0x1200, 0x1fbe, 0x1fef, 0x1ffd, 0x2000...0x2001, 0x2126, 0x212a...0x212b, 0x2329...0x232a, 0xa960..<0xa980, 0xd7b0..<0xd800, 0xf900..<0xfb00, 0x2f800..<0x2fa20: true
  default: false
  }
}
// isMark reports whether a scalar belongs to the one before it, nil for those of which this is not known.
func isMark(_ v: UInt32) -> Bool? {
  switch v {
  case 0x300..<0x370, 0x483..<0x48a, 0x591..<0x5be, 0x200c, 0x20d0..<0x20f1, 0x302a..<0x302e, 0x3099...0x309a, 0xfe00..<0xfe10, 0x1f3fb..<0x1f400, 0xe0020..<0xe0080: true
  case 0..<0x300, 0x370..<0x483, 0x48a..<0x531, 0x5d0..<0x5eb, 0x620..<0x64b, 0xe01..<0xe31, 0x1e00..<0x2000, 0x200d, 0x2010..<0x2028, 0x2030..<0x2060, 0x2070..<0x20d0, 0x2100..<0x2c00, 0x3001..<0x302a, 0x3030..<0x3099, 0x309b..<0xa000, 0xac00..<0xd7a4, 0x1f000..<0x1fc00, 0x20000..<0x2f800: false
  default: nil
  }
}
// mayCompose reports whether a scalar may be, with the one before it, canonically equivalent to a single one.
func mayCompose(_ v: UInt32) -> Bool {
  switch v {
  case 0x200c, 0xfe00..<0xfe10, 0x1f3fb..<0x1f400, 0xe0020..<0xe0080: false
  default: isMark(v) != false
  }
}
// foldsToASCII reports whether a scalar that is not ASCII is, without regard to case, something that is.
func foldsToASCII(_ v: UInt32) -> Bool {
  switch v {
  case 0xdf, 0x17f, 0x1e9e, 0x212a, 0xfb00..<0xfb07: true
  default: false
  }
}
func refuse(_ what: String, _ v: UInt32) -> Never { refuse("\(what) U+\(String(v, radix: 16, uppercase: true))") }

// LibraryText is text to be searched, scalar by scalar.
struct LibraryText {
  var scalars: [UInt32] = []
  var indices: [String.Index] = []
  var plain = true // see isPlain

  init<S: StringProtocol>(_ s: S, _ fold: Bool, _ places: Bool) {
    let view = s.unicodeScalars
    var i = view.startIndex
    while i != view.endIndex {
      var v = view[i].value
      if !isPlain(v) { plain = false }
      if fold {
        if v > 0x7f {
          if foldsToASCII(v) { refuse("finding text without regard to case that has", v) }
          plain = false
        }
        if v >= 0x41 && v <= 0x5a { v += 0x20 }
      }
      scalars.append(v)
      if places { indices.append(i) }
      i = view.index(after: i)
    }
    if places { indices.append(view.endIndex) }
  }
}
extension LibraryText {
  func bounds(_ r: Range<String.Index>?) -> (Int, Int) {
    guard let r = r else { return (0, scalars.count) }
    guard let a = indices.firstIndex(of: r.lowerBound), let b = indices.firstIndex(of: r.upperBound) else { refuse("a range whose ends are inside of a character") }
    return (a, b)
  }
}
struct LibrarySearch {
  let options: UInt // of String.CompareOptions
  let what, text: LibraryText
  let exact: Bool // scalars alone decide

  init<T: StringProtocol, S: StringProtocol>(_ what: T, _ text: S, _ o: String.CompareOptions, _ places: Bool) {
    options = unsafeBitCast(o, to: UInt.self)
    if options & ~(1 | 2 | 4 | 8) != 0 { refuse("String.CompareOptions(rawValue: \(options))") }
    self.what = LibraryText(what, options & 1 != 0, false)
    self.text = LibraryText(text, options & 1 != 0, places)
    exact = options & 2 != 0 || self.what.plain && self.text.plain
    if exact || self.what.scalars.isEmpty { return }
    let composes = self.text.scalars.contains(where: mayCompose)
    for v in self.what.scalars where !isFixed(v) && (composes || !isPlain(v)) { refuse("finding", v) }
    if self.what.scalars[0] == 0x200d || self.what.scalars.last! == 0x200d { refuse("finding", 0x200d) }
    for v in self.text.scalars where isOtherName(v) { refuse("finding text that has", v) }
  }
  var count: Int { what.scalars.count }
  func matches(_ at: Int, _ to: Int) -> Bool {
    for n in 0..<count where text.scalars[at + n] != what.scalars[n] { return false }
    if exact || at + count == to { return true }
    guard let mark = isMark(text.scalars[at + count]) else { refuse("finding what stands in front of", text.scalars[at + count]) }
    return !mark
  }
  func first(_ from: Int, _ to: Int) -> Int? {
    if count == 0 || to - from < count { return nil }
    var places = Array(from...(to - count))
    if options & 4 != 0 { places.reverse() }
    if options & 8 != 0 { places = [places[0]] }
    return places.first { matches($0, to) }
  }
}

// .regularExpression: what is sought is a pattern. One that is none is not found.
func isPattern(_ o: String.CompareOptions) -> Bool {
  let options = unsafeBitCast(o, to: UInt.self)
  if options & 1024 == 0 { return false }
  if options & ~(1 | 8 | 1024) != 0 { refuse("String.CompareOptions(rawValue: \(options))") }
  return true
}
func pattern(_ s: String, _ o: String.CompareOptions) -> NSRegularExpression? {
  try? NSRegularExpression(pattern: s, options: unsafeBitCast(unsafeBitCast(o, to: UInt.self) & 1, to: NSRegularExpression.Options.self))
}
func matching(_ o: String.CompareOptions) -> NSRegularExpression.MatchingOptions { unsafeBitCast(unsafeBitCast(o, to: UInt.self) & 8 == 0 ? 0 : 4 as UInt, to: NSRegularExpression.MatchingOptions.self) }
extension StringProtocol {
  func whole(_ r: Range<String.Index>?) -> NSRange {
    guard let r else { return NSRange(location: 0, length: utf16.count) }
    return NSRange(location: utf16.distance(from: startIndex, to: r.lowerBound), length: utf16.distance(from: r.lowerBound, to: r.upperBound))
  }
}

extension StringProtocol {
@_silgen_name("library_Sy20FoundationEssentialsE10components11separatedBySaySSGqd___tSyRd__lF") public func libraryParts<T: StringProtocol>(_ separator: T) -> [String] {
  let what = Array(String(separator)), text = Array(String(self)) // Characters are compared
  var parts: [String] = [], part = "", at = 0
  while at < text.count {
    if !what.isEmpty && at + what.count <= text.count && text[at..<(at + what.count)] == what[...] {
      parts.append(part)
      part = ""
      at += what.count
    } else {
      part.append(text[at])
      at += 1
    }
  }
  parts.append(part)
  return parts
}
@_silgen_name("library_Sy10FoundationE20replacingOccurrences2of4with7options5rangeSSqd___qd_0_SS0A10EssentialsE14CompareOptionsVSnySS5IndexVGSgtSyRd__SyRd_0_r0_lF")
public func libraryReplaced<T: StringProtocol, R: StringProtocol>(_ target: T, _ replacement: R, _ options: String.CompareOptions, _ range: Range<String.Index>?) -> String {
  if isPattern(options) {
    guard let r = pattern(String(target), options) else { return String(self) }
    return r.stringByReplacingMatches(in: String(self), options: matching(options), range: whole(range), withTemplate: String(replacement))
  }
  let search = LibrarySearch(target, self, options, true)
  if search.options & 12 != 0 { refuse("replacing backwards or what is anchored") }
  var (from, to) = search.text.bounds(range), view = String.UnicodeScalarView()
  let all = Array(self.unicodeScalars)
  for u in all[..<from] { view.append(u) }
  while let at = search.first(from, to) {
    for u in all[from..<at] { view.append(u) }
    for u in replacement.unicodeScalars { view.append(u) }
    from = at + search.count
  }
  for u in all[from...] { view.append(u) }
  return String(view)
}
@_silgen_name("library_Sy10FoundationE5range2of7optionsAB6localeSnySS5IndexVGSgqd___SS0A10EssentialsE14CompareOptionsVAiJ6LocaleVSgtSyRd__lF")
public func libraryFound<T: StringProtocol>(_ what: T, _ options: String.CompareOptions, _ range: Range<String.Index>?, _ locale: Locale?) -> Range<String.Index>? {
  if locale != nil { refuse("range(of:options:range:locale:) with a locale") }
  if isPattern(options) {
    guard let r = pattern(String(what), options) else { return nil }
    let found = r.rangeOfFirstMatch(in: String(self), options: matching(options), range: whole(range))
    if found.location == NSNotFound { return nil }
    let from = utf16.index(startIndex, offsetBy: found.location)
    return from..<utf16.index(from, offsetBy: found.length)
  }
  let search = LibrarySearch(what, self, options, true)
  let (from, to) = search.text.bounds(range)
  guard let at = search.first(from, to) else { return nil }
  return search.text.indices[at]..<search.text.indices[at + search.count]
}
@_silgen_name("library_Sy10FoundationE8containsySbqd__SyRd__lF") public func libraryContains<T: StringProtocol>(_ what: T) -> Bool {
  let search = LibrarySearch(what, self, [], false)
  return search.count == 0 || search.first(0, search.text.scalars.count) != nil
}
}
