// More of what programs do with sets of characters and text: comparing both, finding characters, percent encoding, lines.

import Foundation

// Two sets are compared piece by piece between the ends of their ranges, and there by general category.

let allCategories: [Unicode.GeneralCategory] = [
  .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
  .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
  .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .privateUse, .unassigned,
]
extension LibraryScalars {
  // Where pieces begin.
  func bounds(_ to: inout [UInt32]) {
    switch self {
    case .ranges(let all):
      for r in all { to += [r.lowerBound, r.upperBound + 1] }
    case .predefined(let all, _):
      for u in all.unicodeScalars { to += [u.value, u.value + 1] }
    case .categories: break
    case .inverted(let s): s.bounds(&to)
    case .either(let a, let b), .both(let a, let b):
      a.bounds(&to)
      b.bounds(&to)
    }
  }
  var hasCategories: Bool {
    switch self {
    case .ranges, .predefined: false
    case .categories: true
    case .inverted(let s): s.hasCategories
    case .either(let a, let b), .both(let a, let b): a.hasCategories || b.hasCategories
    }
  }
  func has(_ v: UInt32, _ c: Unicode.GeneralCategory) -> Bool {
    switch self {
    case .ranges(let all): all.contains { $0.contains(v) }
    case .predefined(let all, _): all.unicodeScalars.contains { $0.value == v }
    case .categories(let f, _): f(c)
    case .inverted(let s): !s.has(v, c)
    case .either(let a, let b): a.has(v, c) || b.has(v, c)
    case .both(let a, let b): a.has(v, c) && b.has(v, c)
    }
  }
  // Whether something is true of every scalar, by its being in one set and in another.
  func holds(_ other: LibraryScalars, _ isTrue: (Bool, Bool) -> Bool) -> Bool {
    var ends: [UInt32] = [0, 0xd800, 0xe000, 0x110000]
    bounds(&ends)
    other.bounds(&ends)
    ends.sort()
    let categories = hasCategories || other.hasCategories ? allCategories : [.unassigned]
    var unknown = false
    for n in 1..<ends.count where ends[n - 1] < ends[n] && ends[n - 1] != 0xd800 {
      let wrong = categories.filter { c in !isTrue(has(ends[n - 1], c), other.has(ends[n - 1], c)) }
      if wrong.isEmpty { continue }
      if wrong.count == categories.count { return false }
      for v in ends[n - 1]..<ends[n] {
        if !isSettled(v) { unknown = true } else if let u = Unicode.Scalar(v), wrong.contains(u.properties.generalCategory) { return false }
      }
    }
    if unknown { refuse("a comparison of CharacterSets that goes by newer characters") }
    return true
  }
}
extension NSCharacterSet {
@_silgen_name("library_10Foundation14NSCharacterSetC7isEqualySbypSgF") public func librarySameCharacters(_ o: Any?) -> Bool {
  guard let o else { return false }
  if type(of: o) is AnyObject.Type { return (o as? NSCharacterSet).map { scalarsOf(self).holds(scalarsOf($0), ==) } ?? false }
  return (o as? CharacterSet).map { scalarsOf(self).holds(scalars($0), ==) } ?? false
}
@_silgen_name("library_10Foundation14NSCharacterSetC10isSuperset2ofSbAA09CharacterC0V_tF") public func libraryIsSuperset(_ s: CharacterSet) -> Bool { scalarsOf(self).holds(scalars(s)) { $0 || !$1 } }
@_silgen_name("library_10Foundation14NSCharacterSetC4hashSivg") public func libraryHash() -> Int {
  let s = scalarsOf(self)
  return (0..<64).reduce(0) { $0 << 1 | (s.has(Unicode.Scalar(0x30 + UInt8($1))) ? 1 : 0) }
}
}

// Bitmaps: 8192 bytes of the basic plane, and behind them, for each other plane that has something, its number and as many.
extension LibraryScalars {
  var isBasic: Bool {
    switch self {
    case .ranges(let all): all.allSatisfy { $0.lowerBound <= 0xffff }
    case .predefined: true
    case .categories: false
    case .inverted(let s): s.isBasic
    case .either(let a, let b), .both(let a, let b): a.isBasic && b.isBasic
    }
  }
  func bitmap() -> [UInt8] {
    if !isBasic { refuse("the bitmap of a CharacterSet of categories, or of characters beyond the basic plane one by one") }
    var ends: [UInt32] = [0, 0x110000]
    bounds(&ends)
    ends.sort()
    var planes: [[UInt8]?] = Array(repeating: nil, count: 17)
    planes[0] = Array(repeating: 0, count: 8192)
    for n in 1..<ends.count where ends[n - 1] < ends[n] && has(ends[n - 1], .unassigned) {
      var v = Int(ends[n - 1])
      let end = Int(ends[n])
      while v < end {
        let plane = v >> 16, at = v >> 3 & 0x1fff
        if planes[plane] == nil { planes[plane] = Array(repeating: 0, count: 8192) }
        if v & 7 == 0 && v + 8 <= end {
          planes[plane]![at] = 255
          v += 8
        } else {
          planes[plane]![at] |= 1 << UInt8(v & 7)
          v += 1
        }
      }
    }
    var out = planes[0]!
    for n in 1..<17 {
      if let plane = planes[n] { out += [UInt8(n)] + plane }
    }
    return out
  }
}
extension NSCharacterSet {
@_silgen_name("library_10Foundation14NSCharacterSetC20bitmapRepresentation0A10Essentials4DataVvg") public func libraryBitmap() -> Data { Data(scalarsOf(self).bitmap()) }
}

// Comparing text. There, text is compared decomposed; here what differs first has to be ASCII.

struct LibraryOrder {
  let ignoresCase: Bool
  let isNumeric: Bool
  init(_ o: String.CompareOptions) {
    let options = unsafeBitCast(o, to: UInt.self)
    if options & ~(1 | 2 | 64) != 0 { refuse("comparing with String.CompareOptions(rawValue: \(options))") }
    ignoresCase = options & 1 != 0
    isNumeric = options & 64 != 0
  }
  func fold(_ v: UInt32) -> UInt32 { ignoresCase && v >= 0x41 && v <= 0x5a ? v + 0x20 : v }
  func number(_ s: [UInt32], _ at: inout Int) -> Int {
    var n = 0
    let from = at
    while at < s.count, s[at] >= 0x30, s[at] <= 0x39 {
      if at - from == 18 { refuse("comparing numbers of more than 18 digits in text") }
      n = n * 10 + Int(s[at] - 0x30)
      at += 1
    }
    return n
  }
  func compare<A: StringProtocol, B: StringProtocol>(_ a: A, _ b: B) -> ComparisonResult {
    let x = a.unicodeScalars.map { fold($0.value) }, y = b.unicodeScalars.map { fold($0.value) }
    var i = 0, j = 0
    func isDigit(_ s: [UInt32], _ at: Int) -> Bool { at < s.count && s[at] >= 0x30 && s[at] <= 0x39 }
    while i < x.count && j < y.count {
      if isNumeric && isDigit(x, i) && isDigit(y, j) {
        let m = number(x, &i), n = number(y, &j)
        if m != n { return m < n ? .orderedAscending : .orderedDescending }
        continue
      }
      if x[i] != y[j] { break }
      i += 1
      j += 1
    }
    if i < x.count && x[i] > 0x7f || j < y.count && y[j] > 0x7f { refuse("comparing text that is not ASCII where it differs") }
    if i == x.count || j == y.count { return i < x.count ? .orderedDescending : j < y.count ? .orderedAscending : .orderedSame }
    return x[i] < y[j] ? .orderedAscending : .orderedDescending
  }
}

@inline(__always) func isHex(_ b: UInt8) -> Bool { b >= 0x30 && b <= 0x39 || b | 0x20 >= 0x61 && b | 0x20 <= 0x66 }
@inline(__always) func hexValue(_ b: UInt8) -> UInt8 { b <= 0x39 ? b - 0x30 : (b | 0x20) - 0x61 + 10 }
@inline(__always) func hexDigit(_ v: UInt8) -> UInt8 { v < 10 ? 0x30 + v : 0x41 + v - 10 }

extension StringProtocol {
@_silgen_name("library_Sy10FoundationE7compare_7options5range6locale0A10Essentials16ComparisonResultOqd___SSAFE14CompareOptionsVSnySS5IndexVGSgAF6LocaleVSgtSyRd__lF")
public func libraryCompare<T: StringProtocol>(_ other: T, _ options: String.CompareOptions, _ range: Range<String.Index>?, _ locale: Locale?) -> ComparisonResult {
  if locale != nil { refuse("compare(_:options:range:locale:) with a locale") }
  guard let range else { return LibraryOrder(options).compare(self, other) }
  return LibraryOrder(options).compare(String(self[range]), other)
}
@_silgen_name("library_Sy10FoundationE22caseInsensitiveComparey0A10Essentials16ComparisonResultOqd__SyRd__lF") public func libraryCompareFolded<T: StringProtocol>(_ other: T) -> ComparisonResult {
  LibraryOrder(unsafeBitCast(UInt(1), to: String.CompareOptions.self)).compare(self, other)
}
@_silgen_name("library_Sy10FoundationE16rangeOfCharacter4from7options0B0SnySS5IndexVGSgAA0D3SetV_SS0A10EssentialsE14CompareOptionsVAItF")
public func libraryFound(_ set: CharacterSet, _ options: String.CompareOptions, _ range: Range<String.Index>?) -> Range<String.Index>? {
  let options = unsafeBitCast(options, to: UInt.self), set = scalars(set)
  if options & ~(1 | 2 | 4 | 8) != 0 { refuse("rangeOfCharacter(from:options:range:) with String.CompareOptions(rawValue: \(options))") }
  var places: [(at: Int, has: Bool, width: Int)] = []
  let units = self.utf16
  var i = range?.lowerBound ?? self.unicodeScalars.startIndex, at = units.distance(from: units.startIndex, to: i)
  let end = range?.upperBound ?? self.unicodeScalars.endIndex
  while i < end {
    let u = self.unicodeScalars[i]
    let width = u.value > 0xffff ? 2 : 1
    let has = set.has(u)
    places.append((at, has, width))
    if options & 4 == 0 && (has || options & 8 != 0) { break }
    at += width
    i = self.unicodeScalars.index(after: i)
  }
  let last = options & 8 != 0 ? places.last.flatMap { $0.has ? $0 : nil } : places.last { $0.has }
  guard let last else { return nil }
  return units.index(units.startIndex, offsetBy: last.at)..<units.index(units.startIndex, offsetBy: last.at + last.width)
}
@_silgen_name("library_Sy10FoundationE21addingPercentEncoding21withAllowedCharactersSSSgAA12CharacterSetV_tF") public func libraryEncoded(_ allowed: CharacterSet) -> String? {
  var set = scalars(allowed), out: [UInt8] = []
  if case .predefined(let all, let kept) = set {
    if all.utf8.contains(0x5b) && self.utf8.first == 0x5b && Array(self.utf8).last == 0x5d { refuse("percent encoding of a host in brackets") }
    set = .predefined(kept, encoding: kept)
  }
  for b in self.utf8 {
    if b <= 0x7f && set.has(Unicode.Scalar(b)) { out.append(b) } else { out += [0x25, hexDigit(b >> 4), hexDigit(b & 15)] }
  }
  return String(decoding: out, as: UTF8.self)
}
@_silgen_name("library_Sy10FoundationE23removingPercentEncodingSSSgvg") public func libraryDecoded() -> String? {
  let bytes = Array(self.utf8)
  var out: [UInt8] = [], at = 0
  while at < bytes.count {
    if bytes[at] != 0x25 {
      out.append(bytes[at])
      at += 1
    } else if at + 2 < bytes.count && isHex(bytes[at + 1]) && isHex(bytes[at + 2]) {
      out.append(hexValue(bytes[at + 1]) << 4 | hexValue(bytes[at + 2]))
      at += 3
    } else {
      return nil
    }
  }
  return String(validating: out, as: UTF8.self)
}
@_silgen_name("library_Sy10FoundationE14enumerateLines8invokingyySS_Sbztc_tF") public func libraryLines(_ body: (String, inout Bool) -> Void) {
  var line = String.UnicodeScalarView(), wasReturn = false, stop = false, isOpen = false
  for u in self.unicodeScalars {
    if u.value == 0xa && wasReturn {
      wasReturn = false
      continue
    }
    wasReturn = u.value == 0xd
    switch u.value {
    case 0xa, 0xd, 0x85, 0x2028, 0x2029:
      body(String(line), &stop)
      if stop { return }
      line = String.UnicodeScalarView()
      isOpen = false
    default:
      line.append(u)
      isOpen = true
    }
  }
  if isOpen { body(String(line), &stop) }
}
@_silgen_name("library_Sy10FoundationE13lengthOfBytes5usingSiSS0A10EssentialsE8EncodingV_tF") public func librarySize(_ encoding: String.Encoding) -> Int {
  switch encoding.rawValue {
  case 4: self.utf8.count
  case 1: self.utf8.allSatisfy { $0 <= 0x7f } ? self.utf8.count : 0
  case 10, 0x90000100, 0x94000100: self.utf16.count * 2
  default: refuse("lengthOfBytes(using: String.Encoding(rawValue: \(encoding.rawValue)))")
  }
}
@_silgen_name("library_Sy10FoundationE9substring4fromS2S5IndexV_tF") public func librarySubstring(from: String.Index) -> String { String(self[from...]) }
@_silgen_name("library_Sy10FoundationE9substring4withSSSnySS5IndexVG_tF") public func librarySubstring(_ r: Range<String.Index>) -> String { String(self[r]) }
@_silgen_name("library_Sy10FoundationE9substring2toS2S5IndexV_tF") public func librarySubstring(to: String.Index) -> String { String(self[..<to]) }
}
