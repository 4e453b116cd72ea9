// difference(from:) and the making of CollectionDifference, by the algorithm of Myers (An O(ND) Difference Algorithm and Its Variations,
// 1986): the shortest edits, found by the furthest reaching paths.

// LibraryDifference has the stored properties of CollectionDifference.
public struct LibraryDifference<E> {
  let insertions: [CollectionDifference<E>.Change]
  let removals: [CollectionDifference<E>.Change]
}

// sides puts changes in order; nil when they contradict each other.
@inline(never) func sides<E>(_ changes: [CollectionDifference<E>.Change]) -> LibraryDifference<E>? {
  var insertions: [CollectionDifference<E>.Change] = [], removals: [CollectionDifference<E>.Change] = []
  for c in changes {
    switch c {
    case .insert: insertions.append(c)
    case .remove: removals.append(c)
    }
  }
  func offset(_ c: CollectionDifference<E>.Change) -> Int {
    switch c {
    case .insert(let o, _, _), .remove(let o, _, _): return o
    }
  }
  func partner(_ c: CollectionDifference<E>.Change) -> Int? {
    switch c {
    case .insert(_, _, let p), .remove(_, _, let p): return p
    }
  }
  func order(_ list: [CollectionDifference<E>.Change]) -> [CollectionDifference<E>.Change] {
    var list = list
    if let first = list.first, let last = list.last, offset(first) > offset(last) { list = Array(list.reversed()) }
    var n = 1
    while n < list.count {
      var k = n
      while k > 0 && offset(list[k]) < offset(list[k - 1]) {
        let c = list[k]
        list[k] = list[k - 1]
        list[k - 1] = c
        k -= 1
      }
      n += 1
    }
    return list
  }
  insertions = order(insertions)
  removals = order(removals)
  for list in [insertions, removals] {
    for (n, c) in list.enumerated() where offset(c) < 0 || n > 0 && offset(list[n - 1]) == offset(c) { return nil }
  }
  var waiting: [Int: Int] = [:]
  for r in removals { if let p = partner(r) { if waiting.updateValue(offset(r), forKey: p) != nil { return nil } } }
  for i in insertions where partner(i) != nil {
    guard waiting.removeValue(forKey: offset(i)) == partner(i) else { return nil }
  }
  return waiting.isEmpty ? LibraryDifference(insertions: insertions, removals: removals) : nil
}

@_silgen_name("library_s20CollectionDifferenceVyAByxGSgqd__cSlRd__AB6ChangeOyx_G7ElementRtd__lufC")
public func differenceOf<E, C: Collection>(_ o: LibraryPointer<LibraryDifference<E>?>, _ c: LibraryPointer<C>)
  where C.Element == CollectionDifference<E>.Change {
  o.initialize(to: sides(Array(c.move())))
}

@inline(never) func myers<E>(_ a: [E], _ b: [E], _ same: (E, E) -> Bool) -> [CollectionDifference<E>.Change] {
  var trace: [[Int]] = [], v = [0, 0]
  func at(_ v: [Int], _ k: Int) -> Int { v[k <= 0 ? -k * 2 : k * 2 - 1] }
  func set(_ v: inout [Int], _ k: Int, _ x: Int) {
    let n = k <= 0 ? -k * 2 : k * 2 - 1
    while v.count <= n { v.append(0) }
    v[n] = x
  }
  var x = 0
  search: for d in 0...(a.count + b.count) {
    let before = v
    trace.append(before)
    for k in stride(from: -d, through: d, by: 2) {
      if k == -d {
        x = at(before, k + 1)
      } else {
        let left = at(before, k - 1)
        x = left + 1
        if k != d {
          let up = at(before, k + 1)
          if left < up { x = up }
        }
      }
      var y = x - k
      while x < a.count && y < b.count && same(a[x], b[y]) {
        x += 1
        y += 1
      }
      set(&v, k, x)
      if x >= a.count && y >= b.count { break search }
    }
  }
  var changes: [CollectionDifference<E>.Change] = []
  var i = a.count, j = b.count
  for d in stride(from: trace.count - 1, through: 1, by: -1) {
    let v = trace[d], k = i - j
    let down = k == -d || k != d && at(v, k - 1) < at(v, k + 1)
    let from = down ? k + 1 : k - 1
    let x0 = at(v, from), y0 = x0 - from
    if down {
      changes.append(.insert(offset: y0, element: b[y0], associatedWith: nil))
    } else {
      changes.append(.remove(offset: x0, element: a[x0], associatedWith: nil))
    }
    i = x0
    j = y0
  }
  return changes
}

@_silgen_name("library_SKsSQ7ElementRpzrlE10difference4froms20CollectionDifferenceVyABGqd___tSKRd__AAQyd__ABRSlF")
public func difference<S: BidirectionalCollection, C: BidirectionalCollection>(_ o: LibraryPointer<LibraryDifference<S.Element>>,
  _ old: LibraryPointer<C>, _ new: LibraryPointer<S>) where S.Element: Equatable, C.Element == S.Element {
  o.initialize(to: sides(myers(Array(old.pointee), Array(new.pointee), ==))!)
}

@_silgen_name("library_SKsE10difference4from2bys20CollectionDifferenceVy7ElementQzGqd___SbAG_AGtXEtSKRd__AFQyd__AGRSlF")
public func differenceBy<S: BidirectionalCollection, C: BidirectionalCollection>(_ o: LibraryPointer<LibraryDifference<S.Element>>,
  _ old: LibraryPointer<C>, _ same: (C.Element, S.Element) -> Bool, _ new: LibraryPointer<S>) where C.Element == S.Element {
  o.initialize(to: sides(myers(Array(old.pointee), Array(new.pointee), same))!)
}

// The changes as a collection: removals from the last to the first, then insertions in order. An index is the number of a change.
extension LibraryDifference {
  var count: Int { removals.count + insertions.count }
  func change(_ n: Int) -> CollectionDifference<E>.Change {
    n < removals.count ? removals[removals.count - 1 - n] : insertions[n - removals.count]
  }
}

@_silgen_name("library_s20CollectionDifferenceV10insertionsSayAB6ChangeOyx_GGvg")
public func differenceInsertions<E>(_ s: LibraryPointer<LibraryDifference<E>>) -> [CollectionDifference<E>.Change] { s.pointee.insertions }
@_silgen_name("library_s20CollectionDifferenceV8removalsSayAB6ChangeOyx_GGvg")
public func differenceRemovals<E>(_ s: LibraryPointer<LibraryDifference<E>>) -> [CollectionDifference<E>.Change] { s.pointee.removals }
@_silgen_name("library_s20CollectionDifferenceV7inverseAByxGyF")
public func differenceInverse<E>(_ o: LibraryPointer<LibraryDifference<E>>, _ s: LibraryPointer<LibraryDifference<E>>) {
  func turn(_ c: CollectionDifference<E>.Change) -> CollectionDifference<E>.Change {
    switch c {
    case .insert(let n, let e, let p): return .remove(offset: n, element: e, associatedWith: p)
    case .remove(let n, let e, let p): return .insert(offset: n, element: e, associatedWith: p)
    }
  }
  var turned: [CollectionDifference<E>.Change] = []
  for c in s.pointee.insertions { turned.append(turn(c)) }
  for c in s.pointee.removals { turned.append(turn(c)) }
  o.initialize(to: sides(turned)!)
}
@_silgen_name("library_CollectionDifference_startIndex")
public func differenceStart<E>(_ o: LibraryPointer<Int>, _ s: LibraryPointer<LibraryDifference<E>>) { o.initialize(to: 0) }
@_silgen_name("library_CollectionDifference_endIndex")
public func differenceEnd<E>(_ o: LibraryPointer<Int>, _ s: LibraryPointer<LibraryDifference<E>>) { o.initialize(to: s.pointee.count) }
@_silgen_name("library_CollectionDifference_element")
public func differenceElement<E>(_ o: LibraryPointer<CollectionDifference<E>.Change>, _ i: LibraryPointer<Int>,
  _ s: LibraryPointer<LibraryDifference<E>>) { o.initialize(to: s.pointee.change(i.pointee)) }
@_silgen_name("library_CollectionDifference_after")
public func differenceAfter<E>(_ o: LibraryPointer<Int>, _ i: LibraryPointer<Int>, _ s: LibraryPointer<LibraryDifference<E>>) {
  o.initialize(to: i.pointee + 1)
}
@_silgen_name("library_CollectionDifference_formAfter")
public func differenceFormAfter<E>(_ i: LibraryPointer<Int>, _ s: LibraryPointer<LibraryDifference<E>>) { i.pointee += 1 }
@_silgen_name("library_CollectionDifference_distance")
public func differenceDistance<E>(_ i: LibraryPointer<Int>, _ j: LibraryPointer<Int>, _ s: LibraryPointer<LibraryDifference<E>>) -> Int {
  j.pointee - i.pointee
}
@_silgen_name("library_CollectionDifference_count")
public func differenceCount<E>(_ s: LibraryPointer<LibraryDifference<E>>) -> Int { s.pointee.count }
@_silgen_name("library_CollectionDifference_isEmpty")
public func differenceIsEmpty<E>(_ s: LibraryPointer<LibraryDifference<E>>) -> Bool { s.pointee.count == 0 }
@_silgen_name("library_SmsE8applyingyxSgs20CollectionDifferenceVy7ElementQzGF")
public func applying<S: RangeReplaceableCollection>(_ o: LibraryPointer<S?>, _ d: LibraryPointer<LibraryDifference<S.Element>>,
  _ s: LibraryPointer<S>) {
  var old: [S.Element] = [], new: [S.Element] = []
  for e in s.pointee { old.append(e) }
  var at = 0, removal = 0
  let removals = d.pointee.removals
  // takes the old elements that stay until there are so many new ones, or all of them
  func take(_ many: Int) {
    while new.count < many && at < old.count {
      if removal < removals.count, case .remove(let n, _, _) = removals[removal], n == at {
        removal += 1
      } else {
        new.append(old[at])
      }
      at += 1
    }
  }
  for c in d.pointee.insertions {
    guard case .insert(let n, let e, _) = c else { continue }
    take(n)
    if new.count != n {
      o.initialize(to: nil)
      return
    }
    new.append(e)
  }
  take(Int.max)
  o.initialize(to: removal == removals.count ? S(new) : nil)
}

extension CollectionDifference where ChangeElement: Hashable {
// Removals and insertions of an element that was removed once and inserted once are moves.
@_silgen_name("library_s20CollectionDifferenceVsSHRzlE14inferringMovesAByxGyF") public func withMoves() -> CollectionDifference<ChangeElement> {
  func unique(_ list: [Change]) -> [ChangeElement: Int?] {
    var places: [ChangeElement: Int?] = [:]
    for c in list {
      switch c {
      case .insert(let o, let e, _), .remove(let o, let e, _): places.updateValue(places[e] == nil ? o : nil, forKey: e)
      }
    }
    return places
  }
  let inserted = unique(insertions), removed = unique(removals)
  var changes: [Change] = []
  for c in removals {
    guard case .remove(let o, let e, _) = c else { continue }
    var partner: Int?
    if let r = removed[e], r != nil, let i = inserted[e] { partner = i }
    changes.append(.remove(offset: o, element: e, associatedWith: partner))
  }
  for c in insertions {
    guard case .insert(let o, let e, _) = c else { continue }
    var partner: Int?
    if let i = inserted[e], i != nil, let r = removed[e] { partner = r }
    changes.append(.insert(offset: o, element: e, associatedWith: partner))
  }
  return asDifference(sides(changes)!)
}
}
func asDifference<E>(_ d: LibraryDifference<E>) -> CollectionDifference<E> {
  let p = LibraryPointer<LibraryDifference<E>>.allocate(capacity: 1)
  p.initialize(to: d)
  defer { p.deallocate() }
  return UnsafeMutableRawPointer(p).assumingMemoryBound(to: CollectionDifference<E>.self).move()
}
