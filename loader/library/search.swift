// Searching, splitting and replacing of parts of collections, as the library's module _StringProcessing has them. Elements are compared one by
// one: the Characters of strings.

extension Collection {
  // partEnd gives where other ends in self if it stands at i.
  @inline(__always) func partEnd<C: Collection>(_ other: C, _ i: Index, _ end: Index, _ same: (Element, C.Element) -> Bool) -> Index? {
    var at = i
    for e in other {
      if at == end || !same(self[at], e) { return nil }
      formIndex(after: &at)
    }
    return at
  }

  // part gives the first place from i on where other stands.
  @inline(__always) func part<C: Collection>(_ other: C, _ i: Index, _ end: Index, _ same: (Element, C.Element) -> Bool) -> Range<Index>? {
    var at = i
    while true {
      if let to = partEnd(other, at, end, same) { return at..<to }
      if at == end { return nil }
      formIndex(after: &at)
    }
  }

  // parts gives the places of other that don't overlap, at most so many.
  @inline(__always) func parts<C: Collection>(_ other: C, _ i: Index, _ end: Index, _ most: Int, _ same: (Element, C.Element) -> Bool)
    -> [Range<Index>] {
    var found: [Range<Index>] = []
    var at = i
    while found.count < most, let r = part(other, at, end, same) {
      found.append(r)
      at = r.upperBound
      if r.isEmpty {
        if at == end { break }
        formIndex(after: &at)
      }
    }
    return found
  }

  @inline(__always) func cut<C: Collection>(_ separator: C, _ most: Int, _ omit: Bool, _ same: (Element, C.Element) -> Bool) -> [SubSequence] {
    var pieces: [SubSequence] = []
    var start = startIndex
    func add(_ end: Index) -> Bool {
      if omit && start == end { return false }
      pieces.append(self[start..<end])
      return true
    }
    var at = startIndex
    while pieces.count < most, let r = part(separator, at, endIndex, same) {
      _ = add(r.lowerBound)
      start = r.upperBound
      at = r.upperBound
      if r.isEmpty {
        if at == endIndex { break }
        formIndex(after: &at)
      }
    }
    _ = add(endIndex)
    return pieces
  }
}

extension StringProtocol {
@_silgen_name("library_Sy17_StringProcessingE8containsySbSSF") public func containsString(_ other: String) -> Bool {
  part(other, startIndex, endIndex, ==) != nil
}
@_silgen_name("library_Sy17_StringProcessingE8containsySbSsF") public func containsSubstring(_ other: Substring) -> Bool {
  part(other, startIndex, endIndex, ==) != nil
}
}

extension Collection where Element: Equatable {
@_silgen_name("library_Sl17_StringProcessingSQ7ElementRpzrlE8containsySbqd__SlRd__ABQyd__ACRSlF") public func containsPart<C: Collection>(_ other: C) -> Bool
  where C.Element == Element { part(other, startIndex, endIndex, ==) != nil }
@_silgen_name("library_Sl17_StringProcessingSQ7ElementRpzrlE6ranges2ofSaySny5IndexQzGGqd___tSlRd__ABQyd__ACRSlF") public func rangesOfPart<C: Collection>(of other: C)
  -> [Range<Index>] where C.Element == Element { parts(other, startIndex, endIndex, Int.max, ==) }
@_silgen_name("library_Sl17_StringProcessingSQ7ElementRpzrlE10firstRange2ofSny5IndexQzGSgqd___tSlRd__ABQyd__ACRSlF") public func firstPart<C: Collection>(of other: C)
  -> Range<Index>? where C.Element == Element { part(other, startIndex, endIndex, ==) }
@_silgen_name("library_Sl17_StringProcessingSQ7ElementRpzrlE5split9separator9maxSplits25omittingEmptySubsequencesSay11SubSequenceQzGqd___SiSbtSlRd__ABQyd__ACRSlF") public func splitByPart<C: Collection>(separator: C, maxSplits: Int, omittingEmptySubsequences: Bool)
  -> [SubSequence] where C.Element == Element { cut(separator, maxSplits, omittingEmptySubsequences, ==) }
@_silgen_name("library_Sl17_StringProcessingSQ7ElementRpzrlE14trimmingPrefixy11SubSequenceQzqd__STRd__ABQyd__ACRSlF") public func withoutPrefix<S: Sequence>(_ prefix: S)
  -> SubSequence where S.Element == Element { self[prefixEnd(prefix)...] }
func prefixEnd<S: Sequence>(_ prefix: S) -> Index where S.Element == Element {
  var at = startIndex
  for e in prefix {
    if at == endIndex || self[at] != e { return startIndex }
    formIndex(after: &at)
  }
  return at
}
}

extension BidirectionalCollection where Element: Comparable {
@_silgen_name("library_SK17_StringProcessingSL7ElementRpzrlE10firstRange2ofSny5IndexQzGSgqd___tSlRd__ABQyd__ACRSlF") public func firstPartTwoWay<C: Collection>(of other: C)
  -> Range<Index>? where C.Element == Element { part(other, startIndex, endIndex, ==) }
}

extension Collection {
@_silgen_name("library_Sl17_StringProcessingE14trimmingPrefix5while11SubSequenceQzSb7ElementQzKXE_tKF") public func withoutPrefix(while drops: (Element) throws -> Bool) rethrows
  -> SubSequence { self[try droppedEnd(drops)...] }
func droppedEnd(_ drops: (Element) throws -> Bool) rethrows -> Index {
  var at = startIndex
  while at != endIndex, try drops(self[at]) { formIndex(after: &at) }
  return at
}
}

extension RangeReplaceableCollection {
@_silgen_name("library_Sm17_StringProcessingE10trimPrefix5whileySb7ElementQzKXE_tKF") public mutating func dropPrefix(while drops: (Element) throws -> Bool) rethrows {
  let end = try droppedEnd(drops)
  removeSubrange(startIndex..<end)
}
}

extension RangeReplaceableCollection where Element: Equatable {
@_silgen_name("library_Sm17_StringProcessingSQ7ElementRpzrlE10trimPrefixyyqd__STRd__ABQyd__ACRSlF") public mutating func dropPrefix<S: Sequence>(_ prefix: S) where S.Element == Element {
  removeSubrange(startIndex..<prefixEnd(prefix))
}
func replaced<C: Collection, R: Collection>(_ other: C, _ new: R, _ within: Range<Index>, _ most: Int) -> Self
  where C.Element == Element, R.Element == Element {
  var result = Self()
  var at = startIndex
  for r in parts(other, within.lowerBound, within.upperBound, most, ==) {
    result.append(contentsOf: self[at..<r.lowerBound])
    result.append(contentsOf: new)
    at = r.upperBound
  }
  result.append(contentsOf: self[at...])
  return result
}
@_silgen_name("library_Sm17_StringProcessingSQ7ElementRpzrlE9replacing_4with15maxReplacementsxqd___qd_0_SitSlRd__SlRd_0_ABQyd__ACRSABQyd_0_AGRSr0_lF") public func replacingParts<C: Collection, R: Collection>(_ other: C, with new: R, maxReplacements: Int)
  -> Self where C.Element == Element, R.Element == Element { replaced(other, new, startIndex..<endIndex, maxReplacements) }
@_silgen_name("library_Sm17_StringProcessingSQ7ElementRpzrlE9replacing_4with8subrange15maxReplacementsxqd___qd_0_Sny5IndexQzGSitSlRd__SlRd_0_ABQyd__ACRSABQyd_0_AKRSr0_lF") public func replacingParts<C: Collection, R: Collection>(_ other: C, with new: R, subrange: Range<Index>, maxReplacements: Int)
  -> Self where C.Element == Element, R.Element == Element {
  // In Swift 6.0 the search for a string in a string looks everywhere.
  let texts = (Self.self == String.self || Self.self == Substring.self) && (C.self == String.self || C.self == Substring.self)
  return replaced(other, new, texts ? startIndex..<endIndex : subrange, maxReplacements)
}
@_silgen_name("library_Sm17_StringProcessingSQ7ElementRpzrlE7replace_4with15maxReplacementsyqd___qd_0_SitSlRd__SlRd_0_ABQyd__ACRSABQyd_0_AGRSr0_lF") public mutating func replaceParts<C: Collection, R: Collection>(_ other: C, with new: R, maxReplacements: Int)
  where C.Element == Element, R.Element == Element { self = replaced(other, new, startIndex..<endIndex, maxReplacements) }
}
