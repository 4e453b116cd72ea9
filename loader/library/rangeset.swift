// RangeSet, DiscontiguousSlice, and what collections do with them.

// alike gives the bits of a value of a type whose layout the library keeps to itself as one that has the same layout.
@inline(__always) func alike<A, B>(_ a: A, _ type: B.Type) -> B { withUnsafePointer(to: a) { UnsafeRawPointer($0).assumingMemoryBound(to: B.self).pointee } }
@inline(__always) func changing<A, B, R>(_ a: inout A, _ type: B.Type, _ body: (inout B) -> R) -> R {
  withUnsafeMutablePointer(to: &a) { body(&UnsafeMutableRawPointer($0).assumingMemoryBound(to: B.self).pointee) }
}

// The ranges of a set stand in order, none is empty, and no two touch.
@inline(never) func added<B: Comparable>(_ r: Range<B>, _ list: inout ContiguousArray<Range<B>>) {
  if r.isEmpty { return }
  var low = r.lowerBound, high = r.upperBound
  var from = 0
  while from < list.count && list[from].upperBound < low { from += 1 }
  var to = from
  while to < list.count && list[to].lowerBound <= high {
    if list[to].lowerBound < low { low = list[to].lowerBound }
    if list[to].upperBound > high { high = list[to].upperBound }
    to += 1
  }
  list.replaceSubrange(from..<to, with: CollectionOfOne(low..<high))
}
@inline(never) func taken<B: Comparable>(_ r: Range<B>, _ list: inout ContiguousArray<Range<B>>) {
  if r.isEmpty { return }
  var from = 0
  while from < list.count && list[from].upperBound <= r.lowerBound { from += 1 }
  var to = from
  var rest: [Range<B>] = []
  while to < list.count && list[to].lowerBound < r.upperBound {
    if list[to].lowerBound < r.lowerBound { rest.append(list[to].lowerBound..<r.lowerBound) }
    if r.upperBound < list[to].upperBound { rest.append(r.upperBound..<list[to].upperBound) }
    to += 1
  }
  list.replaceSubrange(from..<to, with: rest)
}
@inline(never) func common<B: Comparable>(_ a: ContiguousArray<Range<B>>, _ b: ContiguousArray<Range<B>>) -> ContiguousArray<Range<B>> {
  var list: ContiguousArray<Range<B>> = []
  var i = 0, k = 0
  while i < a.count && k < b.count {
    let low = a[i].lowerBound < b[k].lowerBound ? b[k].lowerBound : a[i].lowerBound
    let high = a[i].upperBound < b[k].upperBound ? a[i].upperBound : b[k].upperBound
    if low < high { list.append(low..<high) }
    if a[i].upperBound < b[k].upperBound { i += 1 } else { k += 1 }
  }
  return list
}
@inline(__always) func holds<B: Comparable>(_ list: ContiguousArray<Range<B>>, _ b: B) -> Bool {
  var low = 0, high = list.count
  while low < high {
    let middle = (low + high) / 2
    if list[middle].upperBound <= b { low = middle + 1 } else { high = middle }
  }
  return low < list.count && list[low].lowerBound <= b
}
@inline(never) func gaps<B: Comparable>(_ list: ContiguousArray<Range<B>>, _ r: Range<B>) -> ContiguousArray<Range<B>> {
  var rest: ContiguousArray<Range<B>> = []
  added(r, &rest)
  for x in list { taken(x, &rest) }
  return rest
}

extension RangeSet {
@inline(__always) var list: ContiguousArray<Range<Bound>> { alike(self, ContiguousArray<Range<Bound>>.self) }
@inline(__always) static func of(_ list: ContiguousArray<Range<Bound>>) -> RangeSet { alike(list, RangeSet.self) }
@inline(__always) mutating func change(_ body: (inout ContiguousArray<Range<Bound>>) -> Void) { changing(&self, ContiguousArray<Range<Bound>>.self, body) }

@_silgen_name("library_s8RangeSetVAByxGycfC") public static func make() -> RangeSet { of([]) }
@_silgen_name("library_s8RangeSetVyAByxGSnyxGcfC") public static func make(_ r: Range<Bound>) -> RangeSet { of(r.isEmpty ? [] : [r]) }
@_silgen_name("library_s8RangeSetVyAByxGqd__cSTRd__SnyxG7ElementRtd__lufC") public static func make<S: Sequence>(_ ranges: __owned S) -> RangeSet where S.Element == Range<Bound> {
  var list: ContiguousArray<Range<Bound>> = []
  for r in ranges { added(r, &list) }
  return of(list)
}
@_silgen_name("library_s8RangeSetV14_orderedRangesAByxGSaySnyxGG_tcfC") public static func make(_ ranges: __owned [Range<Bound>]) -> RangeSet {
  var list: ContiguousArray<Range<Bound>> = []
  for r in ranges { added(r, &list) }
  return of(list)
}
@_silgen_name("library_s8RangeSetV6rangesAB6RangesVyx_Gvg") public func parts() -> Ranges { alike(list, Ranges.self) }
@_silgen_name("library_s8RangeSetV7_rangesAB6RangesVyx_Gvg") public func storedParts() -> Ranges { alike(list, Ranges.self) }
@_silgen_name("library_s8RangeSetV7isEmptySbvg") public func none() -> Bool { list.isEmpty }
@_silgen_name("library_s8RangeSetV8containsySbxF") public func has(_ b: Bound) -> Bool { holds(list, b) }
@_silgen_name("library_s8RangeSetV6insert10contentsOfySnyxG_tF") public mutating func add(_ r: Range<Bound>) { change { added(r, &$0) } }
@_silgen_name("library_s8RangeSetV6remove10contentsOfySnyxG_tF") public mutating func take(_ r: Range<Bound>) { change { taken(r, &$0) } }
@_silgen_name("library_s8RangeSetV6insert_6withinSbx_qd__t5IndexQyd__RszSlRd__lF") public mutating func add<C: Collection>(_ i: Bound, _ c: C) -> Bool where C.Index == Bound {
  if holds(list, i) { return false }
  change { added(i..<c.index(after: i), &$0) }
  return true
}
@_silgen_name("library_s8RangeSetV6remove_6withinyx_qd__t5IndexQyd__RszSlRd__lF") public mutating func take<C: Collection>(_ i: Bound, _ c: C) where C.Index == Bound {
  change { taken(i..<c.index(after: i), &$0) }
}
@_silgen_name("library_s8RangeSetV9_inverted6withinAByxGqd___t5IndexQyd__RszSlRd__lF") public func others<C: Collection>(_ c: C) -> RangeSet where C.Index == Bound {
  Self.of(gaps(list, c.startIndex..<c.endIndex))
}
@_silgen_name("library_s8RangeSetV5unionyAByxGADnF") public __consuming func with(_ o: __owned RangeSet) -> RangeSet {
  var all = list
  for r in o.list { added(r, &all) }
  return Self.of(all)
}
@_silgen_name("library_s8RangeSetV9formUnionyyAByxGnF") public mutating func addAll(_ o: __owned RangeSet) { change { for r in o.list { added(r, &$0) } } }
@_silgen_name("library_s8RangeSetV12intersectionyAByxGADF") public func both(_ o: RangeSet) -> RangeSet { Self.of(common(list, o.list)) }
@_silgen_name("library_s8RangeSetV16formIntersectionyyAByxGF") public mutating func keep(_ o: RangeSet) { change { $0 = common($0, o.list) } }
@_silgen_name("library_s8RangeSetV11subtractingyAByxGADF") public func without(_ o: RangeSet) -> RangeSet {
  var rest = list
  for r in o.list { taken(r, &rest) }
  return Self.of(rest)
}
@_silgen_name("library_s8RangeSetV8subtractyyAByxGF") public mutating func takeAll(_ o: RangeSet) { change { for r in o.list { taken(r, &$0) } } }
@_silgen_name("library_s8RangeSetV19symmetricDifferenceyAByxGADnF") public __consuming func either(_ o: __owned RangeSet) -> RangeSet {
  var all = list
  for r in o.list { added(r, &all) }
  for r in common(list, o.list) { taken(r, &all) }
  return Self.of(all)
}
@_silgen_name("library_s8RangeSetV23formSymmetricDifferenceyyAByxGnF") public mutating func keepEither(_ o: __owned RangeSet) { self = either(o) }
@_silgen_name("library_s8RangeSetV10isDisjointySbAByxGF") public func apart(_ o: RangeSet) -> Bool { common(list, o.list).isEmpty }
@_silgen_name("library_s8RangeSetV8isSubset2ofSbAByxG_tF") public func within(_ o: RangeSet) -> Bool { common(list, o.list) == list }
@_silgen_name("library_s8RangeSetV10isSuperset2ofSbAByxG_tF") public func around(_ o: RangeSet) -> Bool { common(list, o.list) == o.list }
@_silgen_name("library_s8RangeSetV14isStrictSubset2ofSbAByxG_tF") public func strictlyWithin(_ o: RangeSet) -> Bool { list != o.list && common(list, o.list) == list }
@_silgen_name("library_s8RangeSetV16isStrictSuperset2ofSbAByxG_tF") public func strictlyAround(_ o: RangeSet) -> Bool { list != o.list && common(list, o.list) == o.list }
@_silgen_name("library_s8RangeSetV2eeoiySbAByxG_ADtFZ") public static func same(_ a: RangeSet, _ b: RangeSet) -> Bool { a.list == b.list }
@_silgen_name("library_s8RangeSetV11descriptionSSvg") public func text() -> String { Array(list).description }
}
extension RangeSet where Bound: Hashable {
@_silgen_name("library_s8RangeSetVsSHRzrlE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(list) }
@_silgen_name("library_s8RangeSetVsSHRzrlE9hashValueSivg") public func hashNow() -> Int {
  var h = Hasher()
  h.combine(list)
  return h.finalize()
}
}
extension RangeSet.Ranges {
@inline(__always) var list: ContiguousArray<Range<Bound>> { alike(self, ContiguousArray<Range<Bound>>.self) }
@_silgen_name("library_s8RangeSetV6RangesVADyx_GycfC") public static func make() -> Self { alike(ContiguousArray<Range<Bound>>(), Self.self) }
@_silgen_name("library_s8RangeSetV6RangesV10startIndexSivg") public func first() -> Int { 0 }
@_silgen_name("library_s8RangeSetV6RangesV8endIndexSivg") public func end() -> Int { list.count }
@_silgen_name("library_s8RangeSetV6RangesV5countSivg") public func number() -> Int { list.count }
@_silgen_name("library_s8RangeSetV6RangesVySnyxGSicig") public func at(_ i: Int) -> Range<Bound> { list[i] }
@_silgen_name("library_s8RangeSetV6RangesV2eeoiySbADyx_G_AFtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { a.list == b.list }
@_silgen_name("library_s8RangeSetV6RangesV11descriptionSSvg") public func text() -> String { Array(list).description }
@_silgen_name("library_s8RangeSetV6RangesV9_containsySbxF") public func has(_ b: Bound) -> Bool { holds(list, b) }
@_silgen_name("library_s8RangeSetV6RangesV7_insert10contentsOfSbSnyxG_tF") public mutating func add(_ r: Range<Bound>) -> Bool {
  changing(&self, ContiguousArray<Range<Bound>>.self) {
    let before = $0
    added(r, &$0)
    return before != $0
  }
}
@_silgen_name("library_s8RangeSetV6RangesV7_remove10contentsOfySnyxG_tF") public mutating func take(_ r: Range<Bound>) { changing(&self, ContiguousArray<Range<Bound>>.self) { taken(r, &$0) } }
@_silgen_name("library_s8RangeSetV6RangesV5_gaps9boundedByADyx_GSnyxG_tF") public func between(_ r: Range<Bound>) -> Self { alike(gaps(list, r), Self.self) }
}
extension RangeSet.Ranges where Bound: Hashable {
@_silgen_name("library_s8RangeSetV6RangesVsSHRzrlE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(list) }
@_silgen_name("library_s8RangeSetV6RangesVsSHRzrlE9hashValueSivg") public func hashNow() -> Int {
  var h = Hasher()
  h.combine(list)
  return h.finalize()
}
}

// LibraryParts has the stored properties of DiscontiguousSlice, LibraryPlace those of its index.
public struct LibraryParts<B: Collection> {
  var base: B
  let ranges: ContiguousArray<Range<B.Index>>
}
public struct LibraryPlace<B: Collection> {
  let range: Int
  let base: B.Index
}
extension LibraryParts {
  // What comes to stand behind the end of a range is the start of the next.
  @inline(__always) func after(_ p: LibraryPlace<B>) -> LibraryPlace<B> {
    let next = base[ranges[p.range]].index(after: p.base) // a bound may lie inside an element of the base
    if next < ranges[p.range].upperBound { return LibraryPlace(range: p.range, base: next) }
    return start(p.range + 1)
  }
  @inline(__always) func at(_ p: LibraryPlace<B>) -> B.Element { base[ranges[p.range]][p.base] }
  @inline(__always) func start(_ n: Int) -> LibraryPlace<B> {
    n < ranges.count ? LibraryPlace(range: n, base: ranges[n].lowerBound) : LibraryPlace(range: ranges.count, base: base.endIndex)
  }
  @inline(__always) var end: LibraryPlace<B> { start(ranges.count) }
}
extension Collection {
@_silgen_name("library_SlsEys18DiscontiguousSliceVyxGs8RangeSetVy5IndexQzGcig") public func parts(_ r: RangeSet<Index>) -> DiscontiguousSlice<Self> {
  alike(LibraryParts(base: self, ranges: r.list), DiscontiguousSlice<Self>.self)
}
@_silgen_name("library_SlsE17removingSubrangesys18DiscontiguousSliceVyxGs8RangeSetVy5IndexQzGF") public func rest(_ r: RangeSet<Index>) -> DiscontiguousSlice<Self> {
  alike(LibraryParts(base: self, ranges: gaps(r.list, startIndex..<endIndex)), DiscontiguousSlice<Self>.self)
}
}
extension DiscontiguousSlice {
@inline(__always) var parts: LibraryParts<Base> { alike(self, LibraryParts<Base>.self) }
@_silgen_name("library_s18DiscontiguousSliceV4basexvg") public func whole() -> Base { parts.base }
@_silgen_name("library_s18DiscontiguousSliceV9subrangess8RangeSetVy5IndexQzGvg") public func set() -> RangeSet<Base.Index> { RangeSet<Base.Index>.of(parts.ranges) }
@_silgen_name("library_s18DiscontiguousSliceV10startIndexAB0D0Vyx_Gvg") public func first() -> Index { alike(parts.start(0), Index.self) }
@_silgen_name("library_s18DiscontiguousSliceV8endIndexAB0D0Vyx_Gvg") public func end() -> Index { alike(parts.end, Index.self) }
@_silgen_name("library_s18DiscontiguousSliceV7isEmptySbvg") public func none() -> Bool { parts.ranges.isEmpty }
@_silgen_name("library_s18DiscontiguousSliceV5countSivg") public func number() -> Int {
  let p = parts
  var n = 0
  for r in p.ranges { n += p.base[r].count }
  return n
}
@_silgen_name("library_s18DiscontiguousSliceV5index5afterAB5IndexVyx_GAG_tF") public func next(_ i: Index) -> Index { alike(parts.after(alike(i, LibraryPlace<Base>.self)), Index.self) }
@_silgen_name("library_s18DiscontiguousSliceV8distance4from2toSiAB5IndexVyx_G_AHtF") public func steps(_ a: Index, _ b: Index) -> Int {
  let p = parts
  let from = alike(a, LibraryPlace<Base>.self), to = alike(b, LibraryPlace<Base>.self)
  if to.base < from.base { return -steps(b, a) }
  if from.range == to.range { return from.range < p.ranges.count ? p.base[p.ranges[from.range]].distance(from: from.base, to: to.base) : 0 }
  var n = p.base[p.ranges[from.range]].distance(from: from.base, to: p.ranges[from.range].upperBound)
  var k = from.range + 1
  while k < to.range {
    n += p.base[p.ranges[k]].count
    k += 1
  }
  precondition(to.range < p.ranges.count, "Index out of bounds") // so in the library: no distance to the end, except from there
  return n + p.base[p.ranges[to.range]].distance(from: p.ranges[to.range].lowerBound, to: to.base)
}
@_silgen_name("library_s18DiscontiguousSliceVy7ElementQzAB5IndexVyx_Gcig") public func at(_ i: Index) -> Element { parts.at(alike(i, LibraryPlace<Base>.self)) }
@_silgen_name("library_s18DiscontiguousSliceVyAByxGSnyAB5IndexVyx_GGcig") public func piece(_ r: Range<Index>) -> DiscontiguousSlice<Base> {
  let p = parts
  let from = alike(r.lowerBound, LibraryPlace<Base>.self), to = alike(r.upperBound, LibraryPlace<Base>.self)
  var list: ContiguousArray<Range<Base.Index>> = []
  var n = from.range
  while n <= to.range && n < p.ranges.count {
    let low = n == from.range ? from.base : p.ranges[n].lowerBound
    let high = n == to.range ? to.base : p.ranges[n].upperBound
    if low < high { list.append(low..<high) }
    n += 1
  }
  return alike(LibraryParts(base: p.base, ranges: list), DiscontiguousSlice<Base>.self)
}
@_silgen_name("library_s18DiscontiguousSliceV22_copyToContiguousArrays0eF0Vy7ElementQzGyF") public func toArray() -> ContiguousArray<Element> {
  let p = parts
  var list: ContiguousArray<Element> = []
  for r in p.ranges { list.append(contentsOf: p.base[r]) }
  return list
}
@_silgen_name("library_s18DiscontiguousSliceV11descriptionSSvg") public func text() -> String {
  var text = "["
  var first = true
  for e in toArray() {
    if !first { text += ", " }
    first = false
    debugPrint(e, terminator: "", to: &text)
  }
  return text + "]"
}
@_silgen_name("library_s18DiscontiguousSliceV31_customContainsEquatableElementySbSg0F0QzF") public func customHas(_ e: Element) -> Bool? { nil }
@_silgen_name("library_s18DiscontiguousSliceV30_customIndexOfEquatableElementyAB0D0Vyx_GSgSg0G0QzF") public func customFirst(_ e: Element) -> Index?? { nil }
@_silgen_name("library_s18DiscontiguousSliceV34_customLastIndexOfEquatableElementyAB0E0Vyx_GSgSg0H0QzF") public func customLast(_ e: Element) -> Index?? { nil }
@_silgen_name("library_s18DiscontiguousSliceV20_failEarlyRangeCheck_6boundsyAB5IndexVyx_G_SnyAGGtF") public func check(_ i: Index, _ r: Range<Index>) {}
@_silgen_name("library_s18DiscontiguousSliceV20_failEarlyRangeCheck_6boundsyAB5IndexVyx_G_SNyAGGtF") public func check(_ i: Index, _ r: ClosedRange<Index>) {}
@_silgen_name("library_s18DiscontiguousSliceV20_failEarlyRangeCheck_6boundsySnyAB5IndexVyx_GG_AHtF") public func check(_ i: Range<Index>, _ r: Range<Index>) {}
}
extension DiscontiguousSlice where Base: BidirectionalCollection {
@_silgen_name("library_s18DiscontiguousSliceVsSKRzrlE5index6beforeAB5IndexVyx_GAG_tF") public func previous(_ i: Index) -> Index {
  let p = parts
  let at = alike(i, LibraryPlace<Base>.self)
  if at.range < p.ranges.count && at.base != p.ranges[at.range].lowerBound {
    return alike(LibraryPlace<Base>(range: at.range, base: p.base[p.ranges[at.range]].index(before: at.base)), Index.self)
  }
  precondition(at.range > 0, "Can't move before the start index")
  let range = p.ranges[at.range - 1]
  return alike(LibraryPlace<Base>(range: at.range - 1, base: p.base[range].index(before: range.upperBound)), Index.self)
}
}
extension DiscontiguousSlice where Base: MutableCollection {
@_silgen_name("library_s18DiscontiguousSliceVsSMRzrlEy7ElementQzAB5IndexVyx_Gcig") public func mutableAt(_ i: Index) -> Element { parts.base[alike(i, LibraryPlace<Base>.self).base] }
@_silgen_name("library_s18DiscontiguousSliceVsSMRzrlEy7ElementQzAB5IndexVyx_Gcis") public mutating func set(_ e: __owned Element, _ i: Index) {
  changing(&self, LibraryParts<Base>.self) { $0.base[alike(i, LibraryPlace<Base>.self).base] = e }
}
}
extension DiscontiguousSlice where Base.Element: Equatable {
@_silgen_name("library_s18DiscontiguousSliceVsSQ7ElementRpzrlE2eeoiySbAByxG_AFtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { a.toArray() == b.toArray() }
}
extension DiscontiguousSlice where Base.Element: Hashable {
@_silgen_name("library_s18DiscontiguousSliceVsSH7ElementRpzrlE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(toArray()) }
@_silgen_name("library_s18DiscontiguousSliceVsSH7ElementRpzrlE9hashValueSivg") public func hashNow() -> Int {
  var h = Hasher()
  h.combine(toArray())
  return h.finalize()
}
}
extension DiscontiguousSlice.Index {
@inline(__always) var place: LibraryPlace<Base> { alike(self, LibraryPlace<Base>.self) }
@_silgen_name("library_s18DiscontiguousSliceV5IndexV4baseACQzvg") public func inBase() -> Base.Index { place.base }
@_silgen_name("library_s18DiscontiguousSliceV5IndexV1loiySbADyx_G_AFtFZ") public static func less(_ a: Self, _ b: Self) -> Bool { a.place.base < b.place.base }
@_silgen_name("library_s18DiscontiguousSliceV5IndexV2eeoiySbADyx_G_AFtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { a.place.base == b.place.base }
@_silgen_name("library_s18DiscontiguousSliceV5IndexV11descriptionSSvg") public func text() -> String { "<base: \(String(reflecting: place.base)), rangeOffset: \(place.range)>" }
}
extension DiscontiguousSlice.Index where Base.Index: Hashable {
@_silgen_name("library_s18DiscontiguousSliceV5IndexVsSHACRpzrlE4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(place.base) }
@_silgen_name("library_s18DiscontiguousSliceV5IndexVsSHACRpzrlE9hashValueSivg") public func hashNow() -> Int {
  var h = Hasher()
  h.combine(place.base)
  return h.finalize()
}
}

extension MutableCollection {
  // gathered brings what belongs behind the others there, and keeps the order of both.
  @inline(__always) mutating func gathered(_ r: Range<Index>, _ behind: (Index) -> Bool) -> Index {
    var first: [Element] = [], second: [Element] = []
    var i = r.lowerBound
    while i != r.upperBound {
      if behind(i) { second.append(self[i]) } else { first.append(self[i]) }
      formIndex(after: &i)
    }
    i = r.lowerBound
    for e in first {
      self[i] = e
      formIndex(after: &i)
    }
    let middle = i
    for e in second {
      self[i] = e
      formIndex(after: &i)
    }
    return middle
  }
@_silgen_name("library_SMsE13moveSubranges_2toSny5IndexQzGs8RangeSetVyADG_ADtF") public mutating func move(_ r: RangeSet<Index>, _ to: Index) -> Range<Index> {
  let list = r.list
  let low = gathered(startIndex..<to) { holds(list, $0) }
  return low..<gathered(to..<endIndex) { !holds(list, $0) }
}
}
extension RangeSet {
public var libraryRanges: Ranges {
  get { storedParts() }
@_silgen_name("library_s8RangeSetV7_rangesAB6RangesVyx_GvM") _modify {
    let p = withUnsafeMutablePointer(to: &self) { $0 }
    yield &UnsafeMutableRawPointer(p).assumingMemoryBound(to: Ranges.self).pointee
  }
}
}
