// How values are printed that no native knows: by their mirrors, and the library's types that are made of others.

@inline(never) func shownByMirror(_ value: Any, _ debug: Bool) -> String {
  let mirror = reflecting(value)
  let type = _typeName(mirror.subjectType, qualified: debug)
  var text = ""
  switch mirror.displayStyle {
  case .optional:
    guard let child = mirror.children.first else { return "nil" }
    return String(reflecting: child.value)
  case .tuple:
    var first = true
    for child in mirror.children {
      text += first ? "(" : ", "
      first = false
      if let label = child.label, !label.isEmpty, !label.hasPrefix(".") { text += label + ": " }
      text += String(reflecting: child.value)
    }
    return (first ? "(" : text) + ")"
  case .struct:
    for child in mirror.children {
      guard let label = child.label else { continue }
      text += (text.isEmpty ? "" : ", ") + label + ": " + String(reflecting: child.value)
    }
    return type + "(" + text + ")"
  case .enum:
    let name = LibraryPointer<String>.allocate(capacity: 1)
    defer { name.deallocate() }
    var whole = value
    if reflectIsEnum(&whole) {
      reflectCase(name, &whole)
      text = (debug ? type + "." : "") + name.move()
    } else {
      text = type
    }
    if let child = mirror.children.first {
      let payload = String(reflecting: child.value)
      text += reflecting(child.value).displayStyle == .tuple ? payload : "(" + payload + ")"
    }
    return text
  case nil:
    if let type = value as? Any.Type { return _typeName(type, qualified: debug) }
    return _typeName(mirror.subjectType)
  default:
    return _typeName(mirror.subjectType)
  }
}
@_silgen_name("library_reflectIsEnum") func reflectIsEnum(_ v: LibraryPointer<Any>) -> Bool

@_silgen_name("library_printedByMirror") public func printedByMirror<T>(_ v: LibraryPointer<T>) -> String { shownByMirror(v.pointee, false) }
@_silgen_name("library_debugPrintedByMirror") public func debugPrintedByMirror<T>(_ v: LibraryPointer<T>) -> String { shownByMirror(v.pointee, true) }

@inline(__always) func pairs<K, V>(_ list: KeyValuePairs<K, V>) -> String {
  var text = ""
  for (k, v) in list { text += (text.isEmpty ? "" : ", ") + String(reflecting: k) + ": " + String(reflecting: v) }
  return text.isEmpty ? "[:]" : "[" + text + "]"
}
@_silgen_name("library_KeyValuePairs_description") public func pairsText<K, V>(_ v: LibraryPointer<KeyValuePairs<K, V>>) -> String { pairs(v.pointee) }
@_silgen_name("library_KeyValuePairs_debugDescription") public func pairsDebugText<K, V>(_ v: LibraryPointer<KeyValuePairs<K, V>>) -> String { pairs(v.pointee) }

@inline(__always) func bufferText(_ name: String, _ start: UnsafeRawPointer?, _ count: Int) -> String {
  name + "(start: " + (start.map { $0.debugDescription } ?? "nil") + ", count: " + String(count) + ")"
}
@_silgen_name("library_UnsafeBufferPointer_debugDescription") public func bufferText1<E>(_ v: LibraryPointer<UnsafeBufferPointer<E>>) -> String {
  bufferText("UnsafeBufferPointer", UnsafeRawPointer(v.pointee.baseAddress), v.pointee.count)
}
@_silgen_name("library_UnsafeMutableBufferPointer_debugDescription") public func bufferText2<E>(_ v: LibraryPointer<UnsafeMutableBufferPointer<E>>) -> String {
  bufferText("UnsafeMutableBufferPointer", UnsafeRawPointer(v.pointee.baseAddress), v.pointee.count)
}
@_silgen_name("library_UnsafeRawBufferPointer_debugDescription") public func bufferText3(_ v: LibraryPointer<UnsafeRawBufferPointer>) -> String {
  bufferText("UnsafeRawBufferPointer", v.pointee.baseAddress, v.pointee.count)
}
@_silgen_name("library_UnsafeMutableRawBufferPointer_debugDescription") public func bufferText4(_ v: LibraryPointer<UnsafeMutableRawBufferPointer>) -> String {
  bufferText("UnsafeMutableRawBufferPointer", UnsafeRawPointer(v.pointee.baseAddress), v.pointee.count)
}

@_silgen_name("library_Mirror_description") public func mirrorText(_ m: LibraryPointer<LibraryMirror>) -> String { "Mirror for \(m.pointee.subjectType)" }

// Closure sequences, of which only the closure is known.
@_silgen_name("library__ClosureBasedSequence_makeIterator") public func closureIterator<I: IteratorProtocol>(_ o: LibraryPointer<I>, _ s: LibraryPointer<LibraryClosureSequence<I>>) {
  o.initialize(to: s.move().make())
}
@_silgen_name("library__ClosureBasedSequence_underestimatedCount") public func closureCount<I: IteratorProtocol>(_ s: LibraryPointer<LibraryClosureSequence<I>>) -> Int { 0 }
@_silgen_name("library__ClosureBasedSequence_toArray") public func closureArray<I: IteratorProtocol>(_ s: LibraryPointer<LibraryClosureSequence<I>>) -> ContiguousArray<I.Element> {
  var it = s.move().make(), all = ContiguousArray<I.Element>()
  while let e = it.next() { all.append(e) }
  return all
}
@_silgen_name("library__ClosureBasedSequence_copyContents") public func closureContents<I: IteratorProtocol>(_ o: LibraryPointer<I>, _ b: UnsafeMutableBufferPointer<I.Element>,
  _ s: LibraryPointer<LibraryClosureSequence<I>>) -> Int {
  o.initialize(to: s.move().make())
  var n = 0
  while n < b.count, let e = o.pointee.next() {
    (b.baseAddress! + n).initialize(to: e)
    n += 1
  }
  return n
}
