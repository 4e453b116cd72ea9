// What command-line programs call of Foundation for text: String(format:), character sets, components and trimming. foundationsearch.swift finds and compares.

import Foundation

@_silgen_name("silvm_vsnprintf") func cFormat(_ to: UnsafeMutablePointer<Int8>?, _ room: Int, _ format: UnsafePointer<Int8>, _ list: CVaListPointer) -> Int32

// String(format:)

// stringOf returns what is a String or an NSString, nil for all else.
func stringOf<T: CVarArg>(object a: T) -> String? { T.self is AnyObject.Type ? textOf(object: a as AnyObject) : a as? String }
// Apart: programs whose text does not declare NSString never come here.
@inline(never) func textOf(object o: AnyObject) -> String? { type(of: o) == NSString.self ? text(unsafeDowncast(o, to: NSString.self)) : nil }

struct LibraryFormatter {
  let format: [UInt8]
  let arguments: [any CVarArg]
  var at = 0
  var next = 0
  var out: [UInt8] = []

  init(_ format: String, _ arguments: [any CVarArg]) {
    self.format = Array(format.utf8)
    self.arguments = arguments
  }
  func text(_ from: Int) -> String { "String(format:) with \"" + String(decoding: format[from..<min(at + 1, format.count)], as: UTF8.self) + "\"" }
  mutating func digits() -> Int? {
    let from = at
    var n = 0
    while at < format.count, format[at] >= 0x30, format[at] <= 0x39, n < 100_000 {
      n = n * 10 + Int(format[at] - 0x30)
      at += 1
    }
    return at == from ? nil : n
  }
  mutating func argument(_ position: Int?, _ from: Int) -> any CVarArg {
    let n = position.map { $0 - 1 } ?? next
    if position == nil { next += 1 }
    if n < 0 || n >= arguments.count { refuse(text(from) + " and \(arguments.count) arguments") }
    return arguments[n]
  }
  mutating func whole() -> String {
    while at < format.count {
      if format[at] != 0x25 {
        out.append(format[at])
        at += 1
      } else {
        conversion()
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
  mutating func conversion() {
    let from = at
    at += 1
    if at == format.count { return } // a lone % at the end says nothing
    var spec: [UInt8] = [0x25], position: Int? = nil
    let start = at
    if let n = digits() {
      if at < format.count, format[at] == 0x24 {
        position = n
        at += 1
      } else {
        at = start
      }
    }
    while at < format.count, [0x2d, 0x2b, 0x20, 0x23, 0x30].contains(format[at]) {
      spec.append(format[at])
      at += 1
    }
    for isPrecision in [false, true] {
      if isPrecision {
        if at == format.count || format[at] != 0x2e { break }
        spec.append(0x2e)
        at += 1
      }
      if at < format.count, format[at] == 0x2a {
        at += 1
        let a = argument(nil, from)
        if a is any _CVarArgPassedAsDouble || a is any _CVarArgObject { refuse(text(from) + " and a width that is no integer") }
        spec += Array(String(Int32(truncatingIfNeeded: a._cVarArgEncoding[0])).utf8)
      } else if let n = digits() {
        spec += Array(String(n).utf8)
      }
    }
    while at < format.count, [0x68, 0x6c, 0x71, 0x7a, 0x74, 0x6a].contains(format[at]) {
      spec.append(format[at] == 0x71 ? 0x6c : format[at])
      at += 1
    }
    if at == format.count { refuse(text(from)) }
    let verb = format[at]
    switch verb {
    case 0x25: // %
      if spec.count > 1 { refuse(text(from)) }
      out.append(0x25)
    case 0x40: // @, without regard to a width
      let a = argument(position, from)
      guard let s = stringOf(object: a) else { refuse(text(from) + " and an argument that is no String") }
      out += Array(s.utf8)
    case 0x63, 0x43: // c, C
      let a = argument(position, from)
      let code = UInt32(truncatingIfNeeded: number(a, from))
      if spec.count > 1 || verb == 0x63 && code > 0x7f { refuse(text(from) + " of \(code)") }
      guard code != 0, code <= 0xffff, let u = Unicode.Scalar(code) else { refuse(text(from) + " of \(code)") }
      out += Array(String(Character(u)).utf8)
    case 0x64, 0x69, 0x75, 0x78, 0x58, 0x6f, 0x70: // d i u x X o p
      let a = argument(position, from)
      _ = number(a, from)
      put(spec, verb, a)
    case 0x73: // s
      let a = argument(position, from)
      if number(a, from) == 0 { refuse(text(from) + " of null") }
      let was = out.count
      put(spec, verb, a)
      if out[was...].contains(where: { $0 > 0x7f }) { refuse(text(from) + " of text that is not ASCII") }
    case 0x65, 0x45, 0x66, 0x46, 0x67, 0x47, 0x61, 0x41: // e f g a
      let a = argument(position, from)
      if !(a is any _CVarArgPassedAsDouble) { refuse(text(from) + " and an argument that is not floating-point") }
      put(spec, verb, a)
    default:
      refuse(text(from))
    }
    at += 1
  }
  func number(_ a: any CVarArg, _ from: Int) -> Int {
    if a is any _CVarArgPassedAsDouble || a is any _CVarArgObject { refuse(text(from) + " and an argument that is no integer or pointer") }
    let words = a._cVarArgEncoding
    if words.count != 1 { refuse(text(from) + " and an argument of \(words.count) words") }
    return words[0]
  }
  // As the C library does it.
  mutating func put(_ spec: [UInt8], _ verb: UInt8, _ a: any CVarArg) {
    let spec = (spec + [verb, 0]).map { Int8(bitPattern: $0) }
    let made = spec.withUnsafeBufferPointer { s -> [UInt8] in
      let n = Int(withVaList([a]) { cFormat(nil, 0, s.baseAddress!, $0) })
      let to = UnsafeMutablePointer<Int8>.allocate(capacity: n + 1)
      _ = withVaList([a]) { cFormat(to, n + 1, s.baseAddress!, $0) }
      let bytes = (0..<n).map { UInt8(bitPattern: to[$0]) }
      to.deallocate()
      return bytes
    }
    out += made
  }
}
func formattedText(_ format: String, _ arguments: [any CVarArg]) -> String {
  var f = LibraryFormatter(format, arguments)
  return f.whole()
}
extension String {
@_silgen_name("library_SS10FoundationE6format_S2Sh_s7CVarArg_pdtcfC") public static func libraryFormat(_ f: __shared String, _ a: __owned [any CVarArg]) -> String { formattedText(f, a) }
@_silgen_name("library_SS10FoundationE6format9argumentsS2Sh_Says7CVarArg_pGhtcfC") public static func libraryFormatAll(_ f: __shared String, _ a: __shared [any CVarArg]) -> String { formattedText(f, a) }
@_silgen_name("library_SS10FoundationE6format6locale9argumentsS2Sh_0A10Essentials6LocaleVSghSays7CVarArg_pGhtcfC") public static func libraryFormat(_ f: __shared String, _ l: __shared Locale?, _ a: __shared [any CVarArg]) -> String {
  if l != nil { refuse("String(format:locale:arguments:) with a locale") }
  return formattedText(f, a)
}
@_silgen_name("library_SS10FoundationE6format6locale_S2Sh_0A10Essentials6LocaleVSghs7CVarArg_pdtcfC") public static func libraryFormat(_ f: __shared String, _ l: __shared Locale?, each a: __owned [any CVarArg]) -> String {
  if l != nil { refuse("String(format:locale:_:) with a locale") }
  return formattedText(f, a)
}
}

// Sets of characters.

indirect enum LibraryScalars {
  case ranges([ClosedRange<UInt32>])
  case categories((Unicode.GeneralCategory) -> Bool, String)
  case inverted(LibraryScalars)
  case either(LibraryScalars, LibraryScalars)
  case both(LibraryScalars, LibraryScalars)
  case predefined(String, encoding: String) // what parts of URLs may have, and what of it stays as it is when such a part is encoded

  func has(_ u: Unicode.Scalar) -> Bool {
    switch self {
    case .ranges(let all): return all.contains { $0.contains(u.value) }
    case .categories(let f, let name):
      if !isSettled(u.value) { refuse("CharacterSet.\(name) of U+\(String(u.value, radix: 16, uppercase: true))") }
      return f(u.properties.generalCategory)
    case .inverted(let s): return !s.has(u)
    case .either(let a, let b): return a.has(u) || b.has(u)
    case .both(let a, let b): return a.has(u) && b.has(u)
    case .predefined(let all, _): return all.unicodeScalars.contains(u)
    }
  }
}
final class LibraryCharacterSet {
  let scalars: LibraryScalars
  init(_ s: LibraryScalars) { scalars = s }
}
@_silgen_name("library_characters_new") func newCharacters() -> NSCharacterSet
@inline(__always) func characters(_ o: AnyObject) -> UnsafeMutablePointer<LibraryCharacterSet> { UnsafeMutableRawPointer(Unmanaged.passUnretained(o).toOpaque()).advanced(by: 16).assumingMemoryBound(to: LibraryCharacterSet.self) }
@inline(__always) func fill(_ o: __owned NSCharacterSet, _ s: LibraryScalars) -> NSCharacterSet {
  characters(o).initialize(to: LibraryCharacterSet(s))
  return o
}
@inline(__always) func made(_ s: LibraryScalars) -> CharacterSet { unsafeBitCast(fill(newCharacters(), s), to: CharacterSet.self) }
@inline(__always) func scalars(_ s: CharacterSet) -> LibraryScalars { scalarsOf(unsafeBitCast(s, to: NSCharacterSet.self)) }
func scalarsOf(_ o: NSCharacterSet) -> LibraryScalars { withExtendedLifetime(o) { characters(o).pointee.scalars } }
@_silgen_name("library_characters_free") public func freeCharacters(_ o: AnyObject) { characters(o).deinitialize(count: 1) }

func isLetter(_ c: Unicode.GeneralCategory) -> Bool {
  switch c {
  case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .enclosingMark: true
  default: false
  }
}
func isNumber(_ c: Unicode.GeneralCategory) -> Bool { c == .decimalNumber || c == .letterNumber || c == .otherNumber }
func isPunctuation(_ c: Unicode.GeneralCategory) -> Bool {
  switch c {
  case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation: true
  default: false
  }
}
func isSymbol(_ c: Unicode.GeneralCategory) -> Bool { c == .mathSymbol || c == .currencySymbol || c == .modifierSymbol || c == .otherSymbol }

// The toolchain's tables are of an older version of Unicode than the library's: only blocks are asked for in which that makes no difference.
func isSettled(_ v: UInt32) -> Bool {
  switch v {
  case 0..<0x870, 0x1e00..<0x2000, 0x2010..<0x2060, 0x3041..<0x3097, 0x30a0..<0x3100, 0x4e00..<0x9fef, 0xac00..<0xd7a4, 0x1f300..<0x1f650: true
  default: false
  }
}
var spaceRanges: [ClosedRange<UInt32>] { [0x9...0x9, 0x20...0x20, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200b, 0x202f...0x202f, 0x205f...0x205f, 0x3000...0x3000] }
var newlineRanges: [ClosedRange<UInt32>] { [0xa...0xd, 0x85...0x85, 0x2028...0x2029] }

extension CharacterSet {
@_silgen_name("library_10Foundation12CharacterSetV11whitespacesACvgZ") public static func librarySpaces() -> CharacterSet { made(.ranges(spaceRanges)) }
@_silgen_name("library_10Foundation12CharacterSetV22whitespacesAndNewlinesACvgZ") public static func librarySpacesAndNewlines() -> CharacterSet { made(.ranges(spaceRanges + newlineRanges)) }
@_silgen_name("library_10Foundation12CharacterSetV8newlinesACvgZ") public static func libraryNewlines() -> CharacterSet { made(.ranges(newlineRanges)) }
@_silgen_name("library_10Foundation12CharacterSetV13decimalDigitsACvgZ") public static func libraryDigits() -> CharacterSet { made(.categories({ $0 == .decimalNumber }, "decimalDigits")) }
@_silgen_name("library_10Foundation12CharacterSetV7lettersACvgZ") public static func libraryLetters() -> CharacterSet { made(.categories(isLetter, "letters")) }
@_silgen_name("library_10Foundation12CharacterSetV16lowercaseLettersACvgZ") public static func libraryLowercase() -> CharacterSet { made(.categories({ $0 == .lowercaseLetter }, "lowercaseLetters")) }
@_silgen_name("library_10Foundation12CharacterSetV16uppercaseLettersACvgZ") public static func libraryUppercase() -> CharacterSet { made(.categories({ $0 == .uppercaseLetter || $0 == .titlecaseLetter }, "uppercaseLetters")) }
@_silgen_name("library_10Foundation12CharacterSetV13alphanumericsACvgZ") public static func libraryAlphanumerics() -> CharacterSet { made(.categories({ isLetter($0) || isNumber($0) }, "alphanumerics")) }
@_silgen_name("library_10Foundation12CharacterSetV21punctuationCharactersACvgZ") public static func libraryPunctuation() -> CharacterSet { made(.categories(isPunctuation, "punctuationCharacters")) }
@_silgen_name("library_10Foundation12CharacterSetV7symbolsACvgZ") public static func librarySymbols() -> CharacterSet { made(.categories(isSymbol, "symbols")) }
@_silgen_name("library_10Foundation12CharacterSetV17controlCharactersACvgZ") public static func libraryControls() -> CharacterSet { made(.categories({ $0 == .control || $0 == .format }, "controlCharacters")) }
@_silgen_name("library_10Foundation12CharacterSetV18capitalizedLettersACvgZ") public static func libraryCapitalized() -> CharacterSet { made(.categories({ $0 == .titlecaseLetter }, "capitalizedLetters")) }
@_silgen_name("library_10Foundation12CharacterSetV17nonBaseCharactersACvgZ") public static func libraryMarks() -> CharacterSet { made(.categories({ $0 == .nonspacingMark || $0 == .spacingMark || $0 == .enclosingMark }, "nonBaseCharacters")) }
@_silgen_name("library_10Foundation12CharacterSetV14urlUserAllowedACvgZ") public static func libraryUser() -> CharacterSet { predefined("!$&'()*+,;=") }
@_silgen_name("library_10Foundation12CharacterSetV18urlPasswordAllowedACvgZ") public static func libraryPassword() -> CharacterSet { predefined("!$&'()*+,;=") }
@_silgen_name("library_10Foundation12CharacterSetV14urlHostAllowedACvgZ") public static func libraryHost() -> CharacterSet { predefined("!$&'()*+,;=:[]", "!$&'()*+,;=") }
@_silgen_name("library_10Foundation12CharacterSetV14urlPathAllowedACvgZ") public static func libraryPath() -> CharacterSet { predefined("!$&'()*+,=:@/", "!$&'()*+,=@/") }
@_silgen_name("library_10Foundation12CharacterSetV15urlQueryAllowedACvgZ") public static func libraryQuery() -> CharacterSet { predefined("!$&'()*+,;=:@/?") }
@_silgen_name("library_10Foundation12CharacterSetV18urlFragmentAllowedACvgZ") public static func libraryFragment() -> CharacterSet { predefined("!$&'()*+,;=:@/?") }
@_silgen_name("library_10Foundation12CharacterSetVACycfC") public static func libraryNone() -> CharacterSet { made(.ranges([])) }
@_silgen_name("library_10Foundation12CharacterSetV12charactersInACSS_tcfC") public static func libraryOf(_ s: __owned String) -> CharacterSet { made(.ranges(s.unicodeScalars.map { $0.value...$0.value })) }
@_silgen_name("library_10Foundation12CharacterSetV12charactersInACSNys7UnicodeO6ScalarVG_tcfC") public static func libraryOf(_ r: __owned ClosedRange<Unicode.Scalar>) -> CharacterSet { made(.ranges([r.lowerBound.value...r.upperBound.value])) }
@_silgen_name("library_10Foundation12CharacterSetV12charactersInACSnys7UnicodeO6ScalarVG_tcfC") public static func libraryOf(_ r: __owned Range<Unicode.Scalar>) -> CharacterSet { made(.ranges(r.isEmpty ? [] : [r.lowerBound.value...(r.upperBound.value - 1)])) }
@_silgen_name("library_10Foundation12CharacterSetV8containsySbs7UnicodeO6ScalarVF") public func libraryContains(_ u: Unicode.Scalar) -> Bool { scalars(self).has(u) }
@_silgen_name("library_10Foundation12CharacterSetV8invertedACvg") public func libraryInverted() -> CharacterSet { made(.inverted(scalars(self))) }
@_silgen_name("library_10Foundation12CharacterSetV5unionyA2CF") public func libraryUnion(_ s: CharacterSet) -> CharacterSet { made(.either(scalars(self), scalars(s))) }
@_silgen_name("library_10Foundation12CharacterSetV9formUnionyyACF") public mutating func libraryFormUnion(_ s: CharacterSet) { self = made(.either(scalars(self), scalars(s))) }
@_silgen_name("library_10Foundation12CharacterSetV12intersectionyA2CF") public func libraryIntersection(_ s: CharacterSet) -> CharacterSet { made(.both(scalars(self), scalars(s))) }
@_silgen_name("library_10Foundation12CharacterSetV11subtractingyA2CF") public func librarySubtracting(_ s: CharacterSet) -> CharacterSet { made(.both(scalars(self), .inverted(scalars(s)))) }
@_silgen_name("library_10Foundation12CharacterSetV6insert12charactersInySS_tF") public mutating func libraryInsert(_ s: String) { self = made(.either(scalars(self), .ranges(s.unicodeScalars.map { $0.value...$0.value }))) }
@_silgen_name("library_10Foundation12CharacterSetV6remove12charactersInySS_tF") public mutating func libraryRemove(_ s: String) { self = made(.both(scalars(self), .inverted(.ranges(s.unicodeScalars.map { $0.value...$0.value })))) }
}

// What changes a set. Insertion says that it inserted whatever was there, as the toolchain's does.
extension CharacterSet {
@_silgen_name("library_10Foundation12CharacterSetV6insertySb8inserted_s7UnicodeO6ScalarV17memberAfterInserttAIF") public mutating func libraryInsert(_ u: Unicode.Scalar) -> (inserted: Bool, memberAfterInsert: Unicode.Scalar) {
  add(u.value...u.value)
  return (true, u)
}
@_silgen_name("library_10Foundation12CharacterSetV6update4withs7UnicodeO6ScalarVSgAI_tF") public mutating func libraryUpdate(_ u: Unicode.Scalar) -> Unicode.Scalar? {
  add(u.value...u.value)
  return u
}
@_silgen_name("library_10Foundation12CharacterSetV6removeys7UnicodeO6ScalarVSgAHF") public mutating func libraryRemove(_ u: Unicode.Scalar) -> Unicode.Scalar? {
  let had = scalars(self).has(u)
  if had { drop(u.value...u.value) }
  return had ? u : nil
}
@_silgen_name("library_10Foundation12CharacterSetV6insert12charactersInySNys7UnicodeO6ScalarVG_tF") public mutating func libraryInsert(_ r: ClosedRange<Unicode.Scalar>) { add(r.lowerBound.value...r.upperBound.value) }
@_silgen_name("library_10Foundation12CharacterSetV6insert12charactersInySnys7UnicodeO6ScalarVG_tF") public mutating func libraryInsert(_ r: Range<Unicode.Scalar>) { if !r.isEmpty { add(r.lowerBound.value...(r.upperBound.value - 1)) } }
@_silgen_name("library_10Foundation12CharacterSetV6remove12charactersInySNys7UnicodeO6ScalarVG_tF") public mutating func libraryRemove(_ r: ClosedRange<Unicode.Scalar>) { drop(r.lowerBound.value...r.upperBound.value) }
@_silgen_name("library_10Foundation12CharacterSetV6remove12charactersInySnys7UnicodeO6ScalarVG_tF") public mutating func libraryRemove(_ r: Range<Unicode.Scalar>) { if !r.isEmpty { drop(r.lowerBound.value...(r.upperBound.value - 1)) } }
@_silgen_name("library_10Foundation12CharacterSetV8subtractyyACF") public mutating func librarySubtract(_ s: CharacterSet) { self = librarySubtracting(s) }
@_silgen_name("library_10Foundation12CharacterSetV16formIntersectionyyACF") public mutating func libraryFormIntersection(_ s: CharacterSet) { self = libraryIntersection(s) }
@_silgen_name("library_10Foundation12CharacterSetV19symmetricDifferenceyA2CF") public func libraryDifference(_ s: CharacterSet) -> CharacterSet {
  let a = scalars(self), b = scalars(s)
  return made(.both(.either(a, b), .inverted(.both(a, b))))
}
@_silgen_name("library_10Foundation12CharacterSetV23formSymmetricDifferenceyyACF") public mutating func libraryFormDifference(_ s: CharacterSet) { self = libraryDifference(s) }

mutating func add(_ r: ClosedRange<UInt32>) { self = made(.either(scalars(self), .ranges([r]))) }
mutating func drop(_ r: ClosedRange<UInt32>) { self = made(.both(scalars(self), .inverted(.ranges([r])))) }
}
func predefined(_ all: String, _ encoding: String? = nil) -> CharacterSet { made(.predefined(unreserved + all, encoding: unreserved + (encoding ?? all))) }
// RFC 3986, 2.3.
var unreserved: String { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" }

// Normal forms. Characters beyond the basic plane are younger than the toolchain's tables may be.
@_silgen_name("library_composedText") func composedText(_ s: String) -> String
@_silgen_name("library_decomposedText") func decomposedText(_ s: String) -> String
func normal(_ s: String, _ form: (String) -> String) -> String {
  let out = form(s)
  if out.unicodeScalars.contains(where: { $0.value > 0xffff }) && !out.unicodeScalars.elementsEqual(s.unicodeScalars) { refuse("the normal form of text beyond the basic multilingual plane") }
  return out
}
extension StringProtocol {
@_silgen_name("library_Sy10FoundationE37precomposedStringWithCanonicalMappingSSvg") public func libraryComposed() -> String { normal(String(self), composedText) }
@_silgen_name("library_Sy10FoundationE36decomposedStringWithCanonicalMappingSSvg") public func libraryDecomposed() -> String { normal(String(self), decomposedText) }
}

extension NSCharacterSet {
@_silgen_name("library_10Foundation14NSCharacterSetC11whitespacesAA09CharacterC0VvgZ") public class func librarySpaces() -> CharacterSet { CharacterSet.librarySpaces() }
@_silgen_name("library_10Foundation14NSCharacterSetC22whitespacesAndNewlinesAA09CharacterC0VvgZ") public class func librarySpacesAndNewlines() -> CharacterSet { CharacterSet.librarySpacesAndNewlines() }
@_silgen_name("library_10Foundation14NSCharacterSetC8newlinesAA09CharacterC0VvgZ") public class func libraryNewlines() -> CharacterSet { CharacterSet.libraryNewlines() }
@_silgen_name("library_10Foundation14NSCharacterSetC13decimalDigitsAA09CharacterC0VvgZ") public class func libraryDigits() -> CharacterSet { CharacterSet.libraryDigits() }
@_silgen_name("library_10Foundation14NSCharacterSetC7lettersAA09CharacterC0VvgZ") public class func libraryLetters() -> CharacterSet { CharacterSet.libraryLetters() }
@_silgen_name("library_10Foundation14NSCharacterSetC16lowercaseLettersAA09CharacterC0VvgZ") public class func libraryLowercase() -> CharacterSet { CharacterSet.libraryLowercase() }
@_silgen_name("library_10Foundation14NSCharacterSetC16uppercaseLettersAA09CharacterC0VvgZ") public class func libraryUppercase() -> CharacterSet { CharacterSet.libraryUppercase() }
@_silgen_name("library_10Foundation14NSCharacterSetC13alphanumericsAA09CharacterC0VvgZ") public class func libraryAlphanumerics() -> CharacterSet { CharacterSet.libraryAlphanumerics() }
@_silgen_name("library_10Foundation14NSCharacterSetC21punctuationCharactersAA09CharacterC0VvgZ") public class func libraryPunctuation() -> CharacterSet { CharacterSet.libraryPunctuation() }
@_silgen_name("library_10Foundation14NSCharacterSetC7symbolsAA09CharacterC0VvgZ") public class func librarySymbols() -> CharacterSet { CharacterSet.librarySymbols() }
@_silgen_name("library_10Foundation14NSCharacterSetC8invertedAA09CharacterC0Vvg") public func libraryInverted() -> CharacterSet { made(.inverted(scalarsOf(self))) }
@_silgen_name("library_10Foundation14NSCharacterSetC21longCharacterIsMemberySbs6UInt32VF") public func libraryHas(_ v: UInt32) -> Bool { Unicode.Scalar(v).map { scalarsOf(self).has($0) } ?? false }
@_silgen_name("library_10Foundation14NSCharacterSetC17characterIsMemberySbs6UInt16VF") public func libraryHas(_ v: UInt16) -> Bool { Unicode.Scalar(v).map { scalarsOf(self).has($0) } ?? false }
}
@_silgen_name("library_10Foundation14NSCharacterSetC12charactersInACSS_tcfc") public func charactersOf(_ s: __owned String, _ o: __owned NSCharacterSet) -> NSCharacterSet { fill(o, .ranges(s.unicodeScalars.map { $0.value...$0.value })) }
@_silgen_name("library_10Foundation14NSCharacterSetC5rangeAcA8_NSRangeV_tcfc") public func charactersOf(_ from: Int, _ count: Int, _ o: __owned NSCharacterSet) -> NSCharacterSet { fill(o, .ranges(count <= 0 ? [] : [UInt32(from)...UInt32(from + count - 1)])) }
@_silgen_name("library_10Foundation14NSCharacterSetCACycfc") public func charactersOf(_ o: __owned NSCharacterSet) -> NSCharacterSet { fill(o, .ranges([])) }

extension StringProtocol {
@_silgen_name("library_Sy10FoundationE10components11separatedBySaySSGAA12CharacterSetV_tF") public func libraryParts(_ set: CharacterSet) -> [String] {
  let s = scalars(set)
  var parts: [String] = [], part = String.UnicodeScalarView()
  for u in self.unicodeScalars {
    if s.has(u) {
      parts.append(String(part))
      part = String.UnicodeScalarView()
    } else {
      part.append(u)
    }
  }
  parts.append(String(part))
  return parts
}
@_silgen_name("library_Sy10FoundationE18trimmingCharacters2inSSAA12CharacterSetV_tF") public func libraryTrimmed(_ set: CharacterSet) -> String {
  let s = scalars(set), all = Array(self.unicodeScalars)
  guard let a = all.firstIndex(where: { !s.has($0) }), let b = all.lastIndex(where: { !s.has($0) }) else { return "" }
  var view = String.UnicodeScalarView()
  for u in all[a...b] { view.append(u) }
  return String(view)
}
@_silgen_name("library_Sy10FoundationE9appendingySSqd__SyRd__lF") public func libraryAppending<T: StringProtocol>(_ more: T) -> String { String(self) + String(more) }
@_silgen_name("library_Sy10FoundationE7padding8toLength7withPad10startingAtSSSi_qd__SitSyRd__lF") public func libraryPadded<T: StringProtocol>(_ length: Int, _ pad: T, _ start: Int) -> String {
  let text = Array(self.utf16), pad = Array(pad.utf16)
  if (text + pad).contains(where: { $0 > 0x7f }) || length < 0 || pad.isEmpty || start < 0 || start >= pad.count { refuse("padding of text that is not ASCII, or with odd arguments") }
  if length <= text.count { return String(decoding: text[..<length], as: UTF16.self) }
  return String(decoding: text + (0..<(length - text.count)).map { pad[(start + $0) % pad.count] }, as: UTF16.self)
}
@_silgen_name("library_Sy20FoundationEssentialsE11capitalizedSSvg") public func libraryCapitalized() -> String {
  var out = "", inWord = false
  for u in self.unicodeScalars {
    let p = u.properties, isMid = u == "'" || u == "\u{2019}"
    switch p.generalCategory {
    case .uppercaseLetter, .titlecaseLetter:
      out += inWord ? p.lowercaseMapping : String(u)
      inWord = true
    case .lowercaseLetter:
      out += inWord ? String(u) : p.titlecaseMapping
      inWord = true
    case .nonspacingMark, .enclosingMark, .format, .modifierLetter, .modifierSymbol: out += String(u)
    default:
      out += String(u)
      if !isMid { inWord = false }
    }
  }
  return out
}
}

// What an argument is that a call leaves out.
@_silgen_name("library_Sy10FoundationE20replacingOccurrences2of4with7options5rangeSSqd___qd_0_SS0A10EssentialsE14CompareOptionsVSnySS5IndexVGSgtSyRd__SyRd_0_r0_lFfA1_") public func replacingOptions<S: StringProtocol, T: StringProtocol, R: StringProtocol>(_: S.Type, _: T.Type, _: R.Type) -> String.CompareOptions { unsafeBitCast(0, to: String.CompareOptions.self) }
@_silgen_name("library_Sy10FoundationE5range2of7optionsAB6localeSnySS5IndexVGSgqd___SS0A10EssentialsE14CompareOptionsVAiJ6LocaleVSgtSyRd__lFfA0_") public func findingOptions<S: StringProtocol, T: StringProtocol>(_: S.Type, _: T.Type) -> String.CompareOptions { unsafeBitCast(0, to: String.CompareOptions.self) }

// The constants of String.CompareOptions.
nonisolated(unsafe) var caseInsensitiveOption: UInt = 1
nonisolated(unsafe) var literalOption: UInt = 2
nonisolated(unsafe) var backwardsOption: UInt = 4
nonisolated(unsafe) var anchoredOption: UInt = 8
nonisolated(unsafe) var numericOption: UInt = 64
nonisolated(unsafe) var diacriticInsensitiveOption: UInt = 128
nonisolated(unsafe) var widthInsensitiveOption: UInt = 256
nonisolated(unsafe) var forcedOrderingOption: UInt = 512
nonisolated(unsafe) var regularExpressionOption: UInt = 1024
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV15caseInsensitiveACvau") public func caseInsensitiveAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &caseInsensitiveOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV7literalACvau") public func literalAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &literalOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV9backwardsACvau") public func backwardsAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &backwardsOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV8anchoredACvau") public func anchoredAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &anchoredOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV7numericACvau") public func numericAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &numericOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV20diacriticInsensitiveACvau") public func diacriticInsensitiveAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &diacriticInsensitiveOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV16widthInsensitiveACvau") public func widthInsensitiveAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &widthInsensitiveOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV14forcedOrderingACvau") public func forcedOrderingAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &forcedOrderingOption) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_SS20FoundationEssentialsE14CompareOptionsV17regularExpressionACvau") public func regularExpressionAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &regularExpressionOption) { UnsafeMutableRawPointer($0) } }
