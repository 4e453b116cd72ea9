// IndexSet and what it is made of: an NSIndexSet, or from its first change on an NSMutableIndexSet of its own, which hold the ranges in order, none
// empty and none next to another. Negative indexes, which the library loses when such a set is copied, are refused.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

@_silgen_name("library_indexes_new") func newIndexes() -> NSIndexSet
@_silgen_name("library_indexes_newMutable") func newMutableIndexes() -> NSMutableIndexSet
@_silgen_name("library_indexes_box") func box(_ o: __owned NSIndexSet) -> IndexSet
@_silgen_name("library_indexes_boxMutable") func boxMutable(_ o: __owned NSMutableIndexSet) -> IndexSet
@_silgen_name("library_indexes_unbox") func unbox(_ s: IndexSet) -> NSIndexSet
@_silgen_name("library_indexes_isMutable") func isMutable(_ s: IndexSet) -> Bool

// LibraryIndexes is an NSIndexSet by its stored properties.
final class LibraryIndexes {
  var ranges: [NSRange] = []
  var count = 0

  // The first range that ends behind an index, and the first that begins behind it.
  func endingBehind(_ i: Int) -> Int { firstRange { $0.location + $0.length > i } }
  func beginningBehind(_ i: Int) -> Int { firstRange { $0.location > i } }
  @inline(__always) func firstRange(_ isBehind: (NSRange) -> Bool) -> Int {
    var from = 0, to = ranges.count
    while from < to {
      let middle = (from + to) / 2
      if isBehind(ranges[middle]) { to = middle } else { from = middle + 1 }
    }
    return from
  }
  func has(_ i: Int) -> Bool {
    let n = endingBehind(i)
    return n < ranges.count && ranges[n].location <= i
  }
  func has(_ r: NSRange) -> Bool {
    let n = endingBehind(r.location)
    return r.length > 0 && n < ranges.count && ranges[n].location <= r.location && ranges[n].location + ranges[n].length >= r.location + r.length
  }
  func meets(_ r: NSRange) -> Bool {
    let n = endingBehind(r.location)
    return r.length > 0 && n < ranges.count && ranges[n].location < r.location + r.length
  }
  func size(_ r: NSRange) -> Int {
    if r.length <= 0 { return 0 }
    var n = endingBehind(r.location), sum = 0
    while n < ranges.count && ranges[n].location < r.location + r.length {
      sum += Swift.min(r.location + r.length, ranges[n].location + ranges[n].length) - Swift.max(r.location, ranges[n].location)
      n += 1
    }
    return sum
  }
  func replace(_ old: Range<Int>, _ new: [NSRange]) {
    for r in ranges[old] { count -= r.length }
    for r in new { count += r.length }
    ranges.replaceSubrange(old, with: new)
  }
  func add(_ r: NSRange) {
    if r.length <= 0 { return }
    refuseNegative(r.location)
    let end = r.location + r.length
    let from = r.location == 0 ? 0 : endingBehind(r.location - 1), to = beginningBehind(end)
    if from >= to { return replace(from..<from, [r]) }
    let begin = Swift.min(r.location, ranges[from].location)
    replace(from..<to, [NSRange(location: begin, length: Swift.max(end, ranges[to - 1].location + ranges[to - 1].length) - begin)])
  }
  func remove(_ r: NSRange) {
    let from = endingBehind(r.location)
    if r.length <= 0 || from == ranges.count { return }
    let end = r.location + r.length
    let to = Swift.max(from, firstRange { $0.location >= end })
    if from == to { return }
    var rest: [NSRange] = []
    let begin = ranges[from].location, last = ranges[to - 1].location + ranges[to - 1].length
    if begin < r.location { rest.append(NSRange(location: begin, length: r.location - begin)) }
    if end < last { rest.append(NSRange(location: end, length: last - end)) }
    replace(from..<to, rest)
  }
  // What begins at an index moves up by a number; or down, over as many indexes before it, which go.
  func shift(_ i: Int, _ by: Int) {
    if by == 0 { return }
    let at = by > 0 ? i : Swift.max(i, -by)
    if by < 0 { remove(NSRange(location: at + by, length: -by)) }
    var n = endingBehind(at)
    if n < ranges.count && ranges[n].location < at {
      let r = ranges[n]
      replace(n..<n + 1, [NSRange(location: r.location, length: at - r.location), NSRange(location: at, length: r.location + r.length - at)])
      n += 1
    }
    let moved = Array(ranges[n...])
    replace(n..<ranges.count, [])
    for r in moved { add(NSRange(location: r.location + by, length: r.length)) }
  }
  var first: Int { ranges.isEmpty ? NSNotFound : ranges[0].location }
  var last: Int { ranges.isEmpty ? NSNotFound : ranges[ranges.count - 1].location + ranges[ranges.count - 1].length - 1 }
  func from(_ i: Int) -> Int {
    let n = endingBehind(i)
    return n == ranges.count ? NSNotFound : Swift.max(i, ranges[n].location)
  }
  func upTo(_ i: Int) -> Int {
    let n = beginningBehind(i)
    return n == 0 ? NSNotFound : Swift.min(i, ranges[n - 1].location + ranges[n - 1].length - 1)
  }
  func hashed() -> Int {
    var h = Hasher()
    h.combine(count)
    h.combine(ranges.count)
    h.combine(first)
    h.combine(last)
    return h.finalize()
  }
  func isSame(_ o: LibraryIndexes) -> Bool { ranges.elementsEqual(o.ranges) { $0.location == $1.location && $0.length == $1.length } }
  func hasAll(_ o: LibraryIndexes) -> Bool { o.ranges.allSatisfy { has($0) } }
}

func refuseNegative(_ i: Int) {
  if i < 0 { refuse("negative indexes in an IndexSet") }
}
@inline(__always) func list(_ o: NSIndexSet) -> LibraryIndexes { unsafeBitCast(o, to: LibraryIndexes.self) }
@inline(__always) func list(_ s: IndexSet) -> LibraryIndexes { unsafeBitCast(unbox(s), to: LibraryIndexes.self) }
@inline(__always) func span(_ r: Range<Int>) -> NSRange { NSRange(location: r.lowerBound, length: r.upperBound - r.lowerBound) }
@inline(__always) func found(_ i: Int) -> Int? { i == NSNotFound ? nil : i }

@inline(__always) func fill(_ o: NSIndexSet, _ ranges: [NSRange], _ count: Int) {
  let p = Unmanaged.passUnretained(o).toOpaque() + 16
  p.initializeMemory(as: [NSRange].self, repeating: ranges, count: 1)
  (p + MemoryLayout<[NSRange]>.size).initializeMemory(as: Int.self, repeating: count, count: 1)
}
@_silgen_name("library_10Foundation10NSIndexSetC9indexesInAcA8_NSRangeV_tcfc") public func indexesOf(_ r: NSRange, _ o: __owned NSIndexSet) -> NSIndexSet {
  if r.length != 0 { refuseNegative(r.location) }
  fill(o, r.length == 0 ? [] : [r], r.length)
  return o
}
@_silgen_name("library_10Foundation10NSIndexSetC05indexC0AcA05IndexC0V_tcfc") public func indexesOf(_ s: __owned IndexSet, _ o: __owned NSIndexSet) -> NSIndexSet {
  fill(o, list(s).ranges, list(s).count)
  return o
}
@_silgen_name("library_10Foundation10NSIndexSetCACycfc") public func indexesOf(_ o: __owned NSIndexSet) -> NSIndexSet {
  fill(o, [], 0)
  return o
}

// Copies of mutable sets are mutable; any other is its own copy.
@_silgen_name("library_indexes_copy") public func copyIndexes(_ s: IndexSet) -> IndexSet {
  let o = newMutableIndexes()
  fill(o, list(s).ranges, list(s).count)
  return boxMutable(o)
}

extension NSIndexSet {
@_silgen_name("library_10Foundation10NSIndexSetC5countSivg") public func libraryCount() -> Int { list(self).count }
@_silgen_name("library_10Foundation10NSIndexSetC10firstIndexSivg") public func libraryFirst() -> Int { list(self).first }
@_silgen_name("library_10Foundation10NSIndexSetC9lastIndexSivg") public func libraryLast() -> Int { list(self).last }
@_silgen_name("library_10Foundation10NSIndexSetC4hashSivg") public func libraryHash() -> Int { list(self).hashed() }
@_silgen_name("library_10Foundation10NSIndexSetC7isEqual2toSbAA05IndexC0V_tF") public func libraryIsEqual(_ s: IndexSet) -> Bool { list(self).isSame(list(s)) }
@_silgen_name("library_10Foundation10NSIndexSetC8containsySbSiF") public func libraryContains(_ i: Int) -> Bool { list(self).has(i) }
@_silgen_name("library_10Foundation10NSIndexSetC8contains2inSbAA8_NSRangeV_tF") public func libraryContains(_ r: NSRange) -> Bool { list(self).has(r) }
@_silgen_name("library_10Foundation10NSIndexSetC8containsySbAA05IndexC0VF") public func libraryContains(_ s: IndexSet) -> Bool { list(self).hasAll(list(s)) }
}

struct LibraryIndexSteps {
  let set: NSIndexSet
  var first: Bool
  var current: Int?
  mutating func next() -> Int? {
    if first { current = found(list(set).first) } else if let c = current { current = c == .max ? nil : found(list(set).from(c + 1)) }
    first = false
    return current
  }
}
extension NSIndexSetIterator {
@_silgen_name("library_10Foundation18NSIndexSetIteratorV4nextSiSgyF") public mutating func libraryNext() -> Int? {
  withUnsafeMutablePointer(to: &self) { UnsafeMutableRawPointer($0).withMemoryRebound(to: LibraryIndexSteps.self, capacity: 1) { $0.pointee.next() } }
}
}

// Indexes and views of ranges by their stored properties.
struct LibraryIndex {
  var value: Int
  var extent: Range<Int>
  var range: Int
  let ranges: Int
}
struct LibraryRanges {
  let from: Int
  let to: Int
  var set: IndexSet
  var within: Range<Int>?
}
@inline(__always) func place(_ i: LibraryIndex) -> IndexSet.Index { unsafeBitCast(i, to: IndexSet.Index.self) }
@inline(__always) func parts(_ i: IndexSet.Index) -> LibraryIndex { unsafeBitCast(i, to: LibraryIndex.self) }

extension IndexSet.Index {
@_silgen_name("library_10Foundation8IndexSetV0B0V11descriptionSSvg") public func libraryText() -> String {
  let i = parts(self)
  return "index \(i.value) in a range of \(i.extent) [range #\(i.range + 1)/\(i.ranges)]"
}
}

extension LibraryIndexes {
  func extent(_ n: Int) -> Range<Int> { ranges[n].location..<ranges[n].location + ranges[n].length }
  // The range that has an index or ends right before it.
  func reaching(_ i: Int) -> Int? {
    let n = i == .min ? 0 : endingBehind(i - 1)
    return n < ranges.count && ranges[n].location <= i ? n : nil
  }
  func index(of i: Int) -> LibraryIndex {
    if let n = reaching(i) { return LibraryIndex(value: i, extent: extent(n), range: n, ranges: ranges.count) }
    return LibraryIndex(value: i, extent: 0..<0, range: 0, ranges: ranges.count)
  }
  func after(_ i: LibraryIndex) -> LibraryIndex {
    var i = i
    if i.value + 1 == i.extent.upperBound && i.range + 1 != i.ranges {
      i.range += 1
      i.extent = extent(i.range)
      i.value = i.extent.lowerBound
    } else {
      i.value += 1
    }
    return i
  }
  func before(_ i: LibraryIndex) -> LibraryIndex {
    var i = i
    if i.value != i.extent.lowerBound {
      i.value -= 1
    } else if i.range != 0 {
      i.range -= 1
      i.extent = extent(i.range)
      i.value = i.extent.upperBound - 1
    }
    return i
  }
}

extension IndexSet.RangeView {
@_silgen_name("library_10Foundation8IndexSetV9RangeViewV2eeoiySbAE_AEtFZ") public static func librarySame(_ a: IndexSet.RangeView, _ b: IndexSet.RangeView) -> Bool {
  let x = unsafeBitCast(a, to: LibraryRanges.self), y = unsafeBitCast(b, to: LibraryRanges.self)
  return x.from == y.from && x.to == y.to && list(x.set).isSame(list(y.set))
}
@_silgen_name("library_10Foundation8IndexSetV9RangeViewVySnySiGSicig") public func libraryRange(_ n: Int) -> Range<Int> {
  let v = unsafeBitCast(self, to: LibraryRanges.self)
  let r = list(v.set).extent(n)
  guard let within = v.within else { return r }
  return Swift.max(within.lowerBound, r.lowerBound)..<Swift.min(within.upperBound, r.upperBound)
}
}

extension IndexSet {
@_silgen_name("library_10Foundation8IndexSetVACycfC") public static func libraryMake() -> IndexSet {
  let o = newIndexes()
  fill(o, [], 0)
  return box(o)
}
@_silgen_name("library_10Foundation8IndexSetV7integerACSi_tcfC") public static func libraryMake(_ i: Int) -> IndexSet { box(indexesOf(NSRange(location: i, length: 1), newIndexes())) }
@_silgen_name("library_10Foundation8IndexSetV10integersInACSnySiG_tcfC") public static func libraryMake(_ r: Range<Int>) -> IndexSet { box(indexesOf(span(r), newIndexes())) }
@_silgen_name("library_10Foundation8IndexSetV10integersInACx_tcSXRzSi5BoundRtzlufC") public static func libraryMake<R: RangeExpression>(_ r: __owned R) -> IndexSet where R.Bound == Int { libraryMake(r.relative(to: 0..<Int.max)) }
@_silgen_name("library_10Foundation8IndexSetV36_unconditionallyBridgeFromObjectiveCyAcA07NSIndexC0CSgFZ") public static func libraryBridged(_ o: NSIndexSet?) -> IndexSet {
  guard let o else { return libraryMake() }
  return isMutableClass(o) ? copyIndexes(box(o)) : box(o)
}

// Descriptions.
@_silgen_name("library_10Foundation8IndexSetV11descriptionSSvg") public func libraryText() -> String { "\(list(self).count) indexes" }
@_silgen_name("library_10Foundation8IndexSetV16debugDescriptionSSvg") public func libraryDebugText() -> String { "\(list(self).count) indexes" }
@_silgen_name("library_10Foundation8IndexSetV12customMirrors0E0Vvg") public func libraryMirror() -> Mirror {
  let o = list(self)
  let ranges: [Range<Int>] = o.ranges.indices.map { o.extent($0) }
  return Mirror(self, children: [("ranges", ranges as Any)] as [Mirror.Child], displayStyle: .struct)
}

// Members.
@_silgen_name("library_10Foundation8IndexSetV5firstSiSgvg") public func libraryFirst() -> Int? { found(list(self).first) }
@_silgen_name("library_10Foundation8IndexSetV4lastSiSgvg") public func libraryLast() -> Int? { found(list(self).last) }
@_silgen_name("library_10Foundation8IndexSetV18integerGreaterThanySiSgSiF") public func libraryAfter(_ i: Int) -> Int? { i == .max ? nil : found(list(self).from(i + 1)) }
@_silgen_name("library_10Foundation8IndexSetV15integerLessThanySiSgSiF") public func libraryBefore(_ i: Int) -> Int? { i <= 0 ? nil : found(list(self).upTo(i - 1)) }
@_silgen_name("library_10Foundation8IndexSetV27integerGreaterThanOrEqualToySiSgSiF") public func libraryFrom(_ i: Int) -> Int? { found(list(self).from(i)) }
@_silgen_name("library_10Foundation8IndexSetV24integerLessThanOrEqualToySiSgSiF") public func libraryUpTo(_ i: Int) -> Int? { found(list(self).upTo(i)) }
@_silgen_name("library_10Foundation8IndexSetV5count2inSiSnySiG_tF") public func libraryCount(_ r: Range<Int>) -> Int { list(self).size(span(r)) }
@_silgen_name("library_10Foundation8IndexSetV5count2inSix_tSXRzSi5BoundRtzlF") public func libraryCount<R: RangeExpression>(_ r: R) -> Int where R.Bound == Int { libraryCount(r.relative(to: 0..<Int.max)) }
@_silgen_name("library_10Foundation8IndexSetV8contains10integersInSbSnySiG_tF") public func libraryContains(_ r: Range<Int>) -> Bool { list(self).has(span(r)) }
@_silgen_name("library_10Foundation8IndexSetV8contains10integersInSbx_tSXRzSi5BoundRtzlF") public func libraryContains<R: RangeExpression>(_ r: R) -> Bool where R.Bound == Int { libraryContains(r.relative(to: 0..<Int.max)) }
@_silgen_name("library_10Foundation8IndexSetV10intersects10integersInSbSnySiG_tF") public func libraryMeets(_ r: Range<Int>) -> Bool { list(self).meets(span(r)) }
@_silgen_name("library_10Foundation8IndexSetV10intersects10integersInSbx_tSXRzSi5BoundRtzlF") public func libraryMeets<R: RangeExpression>(_ r: R) -> Bool where R.Bound == Int { libraryMeets(r.relative(to: 0..<Int.max)) }

// Indexes.
@_silgen_name("library_10Foundation8IndexSetV05startB0AC0B0Vvg") public func libraryStart() -> Index {
  let o = list(self), n = o.ranges.count
  return place(n > 0 ? LibraryIndex(value: o.first, extent: o.extent(0), range: 0, ranges: n) : LibraryIndex(value: 0, extent: 0..<0, range: -1, ranges: 0))
}
@_silgen_name("library_10Foundation8IndexSetV03endB0AC0B0Vvg") public func libraryEnd() -> Index {
  let o = list(self), n = o.ranges.count
  return place(n > 0 ? LibraryIndex(value: o.last + 1, extent: o.extent(n - 1), range: n - 1, ranges: n) : LibraryIndex(value: 0, extent: 0..<0, range: -1, ranges: 0))
}
@_silgen_name("library_10Foundation8IndexSetV5index5afterAC0B0VAG_tF") public func libraryAfter(_ i: Index) -> Index { place(list(self).after(parts(i))) }
@_silgen_name("library_10Foundation8IndexSetV5index6beforeAC0B0VAG_tF") public func libraryBefore(_ i: Index) -> Index { place(list(self).before(parts(i))) }
@_silgen_name("library_10Foundation8IndexSetV04formB05afteryAC0B0Vz_tF") public func libraryStep(_ i: inout Index) { i = place(list(self).after(parts(i))) }
@_silgen_name("library_10Foundation8IndexSetV04formB06beforeyAC0B0Vz_tF") public func libraryStepBack(_ i: inout Index) { i = place(list(self).before(parts(i))) }
@_silgen_name("library_10Foundation8IndexSetV10indexRange2inSnyAC0B0VGSnySiG_tF") public func libraryIndexes(_ r: Range<Int>) -> Range<Index> {
  let o = list(self)
  let none = place(o.index(of: 0))
  if r.isEmpty || o.ranges.isEmpty || r.lowerBound > o.last || r.upperBound - 1 < o.first { return none..<none }
  return place(o.index(of: o.from(r.lowerBound)))..<place(o.after(o.index(of: o.upTo(r.upperBound - 1))))
}

// Ranges. The view of a part begins at the range that has or touches its lower bound and ends behind the one that has or touches the upper.
@_silgen_name("library_10Foundation8IndexSetV9rangeViewAC05RangeE0Vvg") public func libraryRanges() -> RangeView {
  unsafeBitCast(LibraryRanges(from: 0, to: list(self).ranges.count, set: self, within: nil), to: RangeView.self)
}
@_silgen_name("library_10Foundation8IndexSetV9rangeView2ofAC05RangeE0VSnySiG_tF") public func libraryRanges(_ r: Range<Int>) -> RangeView {
  let o = list(self)
  let first = r.isEmpty ? nil : o.reaching(r.lowerBound), last = r.isEmpty ? nil : o.reaching(r.upperBound)
  let to = last.map { $0 + 1 } ?? (first == nil ? 0 : o.ranges.count)
  return unsafeBitCast(LibraryRanges(from: first ?? 0, to: to, set: self, within: r), to: RangeView.self)
}
@_silgen_name("library_10Foundation8IndexSetV9rangeView2ofAC05RangeE0Vx_tSXRzSi5BoundRtzlF") public func libraryRanges<R: RangeExpression>(_ r: R) -> RangeView where R.Bound == Int { libraryRanges(r.relative(to: 0..<Int.max)) }

// Changes.
mutating func changed() -> LibraryIndexes {
  let unique = withUnsafeMutablePointer(to: &self) { UnsafeMutableRawPointer($0).withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) } }
  if !unique || !isMutable(self) { self = copyIndexes(self) }
  return list(self)
}
@_silgen_name("library_10Foundation8IndexSetV6insertySb8inserted_Si17memberAfterInserttSiF") public mutating func libraryInsert(_ i: Int) -> (inserted: Bool, memberAfterInsert: Int) {
  changed().add(NSRange(location: i, length: 1))
  return (true, i)
}
@_silgen_name("library_10Foundation8IndexSetV6update4withSiSgSi_tF") public mutating func libraryUpdate(_ i: Int) -> Int? {
  changed().add(NSRange(location: i, length: 1))
  return i
}
@_silgen_name("library_10Foundation8IndexSetV6insert10integersInySnySiG_tF") public mutating func libraryInsert(_ r: Range<Int>) { changed().add(span(r)) }
@_silgen_name("library_10Foundation8IndexSetV6removeySiSgSiF") public mutating func libraryRemove(_ i: Int) -> Int? {
  let was = list(self).has(i)
  changed().remove(NSRange(location: i, length: 1))
  return was ? i : nil
}
@_silgen_name("library_10Foundation8IndexSetV6remove10integersInySnySiG_tF") public mutating func libraryRemove(_ r: Range<Int>) { changed().remove(span(r)) }
@_silgen_name("library_10Foundation8IndexSetV9removeAllyyF") public mutating func libraryRemoveAll() {
  let o = changed()
  o.ranges = []
  o.count = 0
}
@_silgen_name("library_10Foundation8IndexSetV5shift10startingAt2byySi_SitF") public mutating func libraryShift(_ i: Int, _ by: Int) { changed().shift(i, by) }

// Hashes.
@_silgen_name("library_10Foundation8IndexSetV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(list(self).hashed()) }
@_silgen_name("library_10Foundation8IndexSetV9hashValueSivg") public func libraryHashed() -> Int {
  var h = Hasher()
  h.combine(list(self).hashed())
  return h.finalize()
}

// Of two sets.
@_silgen_name("library_10Foundation8IndexSetV5unionyA2CF") public func libraryUnion(_ s: IndexSet) -> IndexSet {
  let few = list(self).ranges.count > list(s).ranges.count ? s : self
  var all = list(self).ranges.count > list(s).ranges.count ? self : s
  for r in list(few).ranges { all.changed().add(r) }
  return all
}
@_silgen_name("library_10Foundation8IndexSetV12intersectionyA2CF") public func libraryIntersection(_ s: IndexSet) -> IndexSet {
  var both = IndexSet.libraryMake()
  let a = list(self).ranges, b = list(s).ranges
  var i = 0, j = 0
  while i < a.count && j < b.count {
    let aEnd = a[i].location + a[i].length, bEnd = b[j].location + b[j].length
    let from = Swift.max(a[i].location, b[j].location)
    if from < Swift.min(aEnd, bEnd) { both.changed().add(NSRange(location: from, length: Swift.min(aEnd, bEnd) - from)) }
    if aEnd < bEnd { i += 1 } else { j += 1 }
  }
  return both
}
@_silgen_name("library_10Foundation8IndexSetV19symmetricDifferenceyA2CF") public func librarySymmetricDifference(_ s: IndexSet) -> IndexSet {
  let both = libraryIntersection(s)
  var rest = libraryUnion(s)
  for r in list(both).ranges { rest.changed().remove(r) }
  return rest
}

// Filters look through the ranges between that of the lower bound or the next, and that of the upper or the one before.
@_silgen_name("library_10Foundation8IndexSetV08filteredbC02in14includeIntegerACSnySiG_SbSiKXEtKF") public func libraryFilter(_ r: Range<Int>, _ has: (Int) throws -> Bool) throws -> IndexSet {
  let o = list(self)
  var all = IndexSet.libraryMake()
  let from = o.endingBehind(r.lowerBound), to = o.beginningBehind(r.lowerBound + (r.upperBound - r.lowerBound) - 1) - 1
  if from == o.ranges.count || to < 0 { return all }
  for part in o.ranges[from...to] {
    let begin = Swift.max(part.location, r.lowerBound), end = Swift.min(part.location + part.length, r.upperBound)
    if begin >= end { continue }
    for i in begin..<end where try has(i) { _ = all.libraryInsert(i) }
  }
  return all
}
@_silgen_name("library_10Foundation8IndexSetV08filteredbC02in14includeIntegerACSNySiG_SbSiKXEtKF") public func libraryFilter(_ r: ClosedRange<Int>, _ has: (Int) throws -> Bool) throws -> IndexSet { try libraryFilter(Range(r), has) }
@_silgen_name("library_10Foundation8IndexSetV08filteredbC014includeIntegerACSbSiKXE_tKF") public func libraryFilter(_ has: (Int) throws -> Bool) throws -> IndexSet { try libraryFilter(0..<NSNotFound - 1, has) }

// Codable: an array of ranges.
typealias Keys = LibraryIndexSetCoding
@_silgen_name("library_10Foundation8IndexSetV4fromACs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> IndexSet {
  var ranges = try d.container(keyedBy: Keys.CodingKeys.self).nestedUnkeyedContainer(forKey: .indexes)
  var all = libraryMake()
  while !ranges.isAtEnd {
    let range = try ranges.nestedContainer(keyedBy: Keys.RangeCodingKeys.self)
    let from = try range.decode(Int.self, forKey: .location)
    let count = try range.decode(Int.self, forKey: .length)
    all.libraryInsert(from..<from + count)
  }
  return all
}
@_silgen_name("library_10Foundation8IndexSetV6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var fields = e.container(keyedBy: Keys.CodingKeys.self)
  var ranges = fields.nestedUnkeyedContainer(forKey: .indexes)
  for r in list(self).ranges {
    var range = ranges.nestedContainer(keyedBy: Keys.RangeCodingKeys.self)
    try range.encode(r.location, forKey: .location)
    try range.encode(r.length, forKey: .length)
  }
}
}

func isMutableClass(_ o: NSIndexSet) -> Bool { o is NSMutableIndexSet }

enum LibraryIndexSetCoding {
  enum CodingKeys: Int, CodingKey { case indexes }
  enum RangeCodingKeys: Int, CodingKey { case location, length }
}
