// What collections of Characters do with patterns.

extension BidirectionalCollection where SubSequence == Substring {
  func found<R: RegexComponent>(_ r: R, _ mode: PatternMode) -> PatternMatch? {
    let s = self[...]
    return (try? findFirst(pattern(of: r), s.base, s.startIndex, s.endIndex, mode)) ?? nil
  }
  // All matches, up to the first that throws.
  func all<R: RegexComponent>(_ r: R, _ more: (PatternMatch) -> Bool) {
    let s = self[...]
    try? findAll(pattern(of: r), s.base, s.startIndex, s.endIndex, .all) { more($0) }
  }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE8containsySbqd__AA14RegexComponentRd__lF") public func libraryContains<R: RegexComponent>(_ r: R) -> Bool { found(r, .first) != nil }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE6starts4withSbqd___tAA14RegexComponentRd__lF") public func libraryStarts<R: RegexComponent>(_ r: R) -> Bool { found(r, .prefix) != nil }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE10firstRange2ofSnySS5IndexVGSgqd___tAA14RegexComponentRd__lF") public func libraryFirstRange<R: RegexComponent>(_ r: R) -> Range<String.Index>? { found(r, .first)?.range }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE10firstMatch2ofAA5RegexV0F0Vyqd___GSgqd_0__t0H6OutputQyd_0_Rsd__AA0H9ComponentRd_0_r0_lF")
public func libraryFirst<O, R: RegexComponent>(_ r: R) -> Regex<O>.Match? where R.RegexOutput == O { found(r, .first).map { asIs($0) } }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE10wholeMatch2ofAA5RegexV0F0Vy0H6OutputQyd___GSgqd___tAA0H9ComponentRd__lF")
public func libraryWhole<R: RegexComponent>(_ r: R) -> Regex<R.RegexOutput>.Match? { found(r, .whole).map { asIs($0) } }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE11prefixMatch2ofAA5RegexV0F0Vy0H6OutputQyd___GSgqd___tAA0H9ComponentRd__lF")
public func libraryPrefix<R: RegexComponent>(_ r: R) -> Regex<R.RegexOutput>.Match? { found(r, .prefix).map { asIs($0) } }
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE7matches2ofSayAA5RegexV5MatchVyqd___GGqd_0__t0G6OutputQyd_0_Rsd__AA0G9ComponentRd_0_r0_lF")
public func libraryMatches<O, R: RegexComponent>(_ r: R) -> [Regex<O>.Match] where R.RegexOutput == O {
  var out: [Regex<O>.Match] = []
  all(r) {
    out.append(asIs($0))
    return true
  }
  return out
}
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE6ranges2ofSaySnySS5IndexVGGqd___tAA14RegexComponentRd__lF")
public func libraryRanges<R: RegexComponent>(_ r: R) -> [Range<String.Index>] {
  var out: [Range<String.Index>] = []
  all(r) {
    out.append($0.range)
    return true
  }
  return out
}
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE14trimmingPrefixySsqd__AA14RegexComponentRd__lF")
public func libraryTrimmed<R: RegexComponent>(_ r: R) -> Substring {
  let s = self[...]
  guard let m = found(r, .prefix) else { return s }
  return s[m.range.upperBound...]
}
@_silgen_name("library_SK17_StringProcessingSs11SubSequenceRtzrlE5split9separator9maxSplits25omittingEmptySubsequencesSaySsGqd___SiSbtAA14RegexComponentRd__lF")
public func librarySplit<R: RegexComponent>(_ r: R, _ most: Int, _ omits: Bool) -> [Substring] {
  let s = self[...]
  var out: [Substring] = [], start = s.startIndex
  func add(_ end: String.Index) -> Bool {
    if start == end && omits { return false }
    out.append(s[start..<end])
    return true
  }
  if most <= 0 || s.isEmpty {
    _ = add(s.endIndex)
    return out
  }
  all(r) { m in
    let added = add(m.range.lowerBound)
    start = m.range.upperBound
    return !(added && out.count == most)
  }
  if start != s.endIndex || !omits { out.append(s[start...]) }
  return out
}
}

extension RangeReplaceableCollection where SubSequence == Substring {
  func replaced<R: RegexComponent>(_ r: R, _ from: String.Index, _ to: String.Index, _ most: Int, _ with: (PatternMatch, inout Self) throws -> Void) rethrows -> Self {
    precondition(most >= 0)
    let s = self[...]
    var found: [PatternMatch] = []
    try? findAll(pattern(of: r), s.base, from, to, .all) { m in
      found.append(m)
      return true
    }
    var out = Self(), at = from
    out.append(contentsOf: s[..<from])
    for m in found.prefix(most) {
      out.append(contentsOf: s[at..<m.range.lowerBound])
      try with(m, &out)
      at = m.range.upperBound
    }
    out.append(contentsOf: s[at...])
    return out
  }
  func whole<R: RegexComponent>(_ r: R, _ most: Int, _ with: (PatternMatch, inout Self) throws -> Void) rethrows -> Self {
    let s = self[...]
    return try replaced(r, s.startIndex, s.endIndex, most, with)
  }
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE9replacing_4with15maxReplacementsxqd_0__qd__SitSlRd__AA14RegexComponentRd_0_SJ7ElementRtd__r0_lF")
public func libraryReplacing<C: Collection, R: RegexComponent>(_ r: R, _ with: C, _ most: Int) -> Self where C.Element == Character { whole(r, most) { $1.append(contentsOf: with) } }
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE9replacing_4with8subrange15maxReplacementsxqd_0__qd__SnySS5IndexVGSitSlRd__AA14RegexComponentRd_0_SJ7ElementRtd__r0_lF")
public func libraryReplacing<C: Collection, R: RegexComponent>(_ r: R, _ with: C, _ range: Range<String.Index>, _ most: Int) -> Self where C.Element == Character {
  replaced(r, range.lowerBound, range.upperBound, most) { $1.append(contentsOf: with) }
}
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE7replace_4with15maxReplacementsyqd_0__qd__SitSlRd__AA14RegexComponentRd_0_SJ7ElementRtd__r0_lF")
public mutating func libraryReplace<C: Collection, R: RegexComponent>(_ r: R, _ with: C, _ most: Int) where C.Element == Character { self = whole(r, most) { $1.append(contentsOf: with) } }
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE9replacing_15maxReplacements4withxqd_1__Siqd_0_AA5RegexV5MatchVyqd___GKXEtK0I6OutputQyd_1_Rsd__SlRd_0_AA0I9ComponentRd_1_SJ7ElementRtd_0_r1_lF")
public func libraryReplacing<O, C: Collection, R: RegexComponent>(_ r: R, _ most: Int, _ with: (Regex<O>.Match) throws -> C) rethrows -> Self where R.RegexOutput == O, C.Element == Character {
  try whole(r, most) { $1.append(contentsOf: try with(asIs($0))) }
}
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE9replacing_8subrange15maxReplacements4withxqd_1__SnySS5IndexVGSiqd_0_AA5RegexV5MatchVyqd___GKXEtK0K6OutputQyd_1_Rsd__SlRd_0_AA0K9ComponentRd_1_SJ7ElementRtd_0_r1_lF")
public func libraryReplacing<O, C: Collection, R: RegexComponent>(_ r: R, _ range: Range<String.Index>, _ most: Int, _ with: (Regex<O>.Match) throws -> C) rethrows -> Self where R.RegexOutput == O, C.Element == Character {
  // Unlike the method that takes the text to put in, this one looks at anchors as they stand in all of the text.
  if pattern(of: r).code.ops.contains(where: { $0.verb == .anchor || $0.verb == .ahead }) { refuse("replacing in a part of a text with a closure, by a regular expression with anchors") }
  return try replaced(r, range.lowerBound, range.upperBound, most) { $1.append(contentsOf: try with(asIs($0))) }
}
@_silgen_name("library_Sm17_StringProcessingSs11SubSequenceRtzrlE7replace_15maxReplacements4withyqd_1__Siqd_0_AA5RegexV5MatchVyqd___GKXEtK0I6OutputQyd_1_Rsd__SlRd_0_AA0I9ComponentRd_1_SJ7ElementRtd_0_r1_lF")
public mutating func libraryReplace<O, C: Collection, R: RegexComponent>(_ r: R, _ most: Int, _ with: (Regex<O>.Match) throws -> C) rethrows where R.RegexOutput == O, C.Element == Character {
  self = try whole(r, most) { $1.append(contentsOf: try with(asIs($0))) }
}
}
extension RangeReplaceableCollection where Self: BidirectionalCollection, SubSequence == Substring {
@_silgen_name("library_Sm17_StringProcessingSKRzSs11SubSequenceSlRtzrlE10trimPrefixyyqd__AA14RegexComponentRd__lF") public mutating func libraryTrim<R: RegexComponent>(_ r: R) {
  let s = self[...]
  if let m = try? findFirst(pattern(of: r), s.base, s.startIndex, s.endIndex, .prefix) { self = Self(s[m.range.upperBound...]) }
}
}
