// What programs ask of Mirror and dump. Functions named library_SYMBOL, $s left out, do what the library's function of that symbol does;
// results and arguments that lie in memory are pointers. What is known of a value comes from natives (vm/native/mirror.go).

// LibraryMirror has the stored properties of Mirror.
public struct LibraryMirror {
  let subjectType: Any.Type
  let children: Mirror.Children
  let displayStyle: Mirror.DisplayStyle?
  let superclass: () -> Mirror?
  let representation: LibraryRepresentation
}
public enum LibraryRepresentation { case generated, suppressed }

@_silgen_name("library_reflectStyle") func reflectStyle(_ v: LibraryPointer<Any>) -> Int
@_silgen_name("library_reflectCount") func reflectCount(_ v: LibraryPointer<Any>, _ level: Int) -> Int
@_silgen_name("library_reflectChild") func reflectChild(_ label: LibraryPointer<String?>, _ value: LibraryPointer<Any>,
  _ v: LibraryPointer<Any>, _ level: Int, _ i: Int)
@_silgen_name("library_reflectType") func reflectType(_ v: LibraryPointer<Any>, _ level: Int) -> Any.Type
@_silgen_name("library_reflectSuper") func reflectSuper(_ v: LibraryPointer<Any>, _ level: Int) -> Bool
@_silgen_name("library_reflectCase") func reflectCase(_ name: LibraryPointer<String>, _ v: LibraryPointer<Any>)

let customStyle = 9
func styleNumber(_ n: Int) -> Mirror.DisplayStyle? {
  switch n {
  case 1: return .struct
  case 2: return .class
  case 3: return .enum
  case 4: return .tuple
  case 5: return .optional
  case 6: return .collection
  case 7: return .dictionary
  case 8: return .set
  default: return nil
  }
}

// library_mirror makes the mirror of a value, as one of its class or of the superclass that many levels up.
@inline(never) func libraryMirror(_ value: Any, _ level: Int) -> LibraryMirror {
  var value = value
  return withUnsafeMutablePointer(to: &value) { v in
    var children: [(label: String?, value: Any)] = []
    for i in 0..<reflectCount(v, level) {
      let label = LibraryPointer<String?>.allocate(capacity: 1), child = LibraryPointer<Any>.allocate(capacity: 1)
      reflectChild(label, child, v, level, i)
      children.append((label: label.move(), value: child.move()))
      label.deallocate()
      child.deallocate()
    }
    let style = styleNumber(reflectStyle(v))
    let whole = v.pointee
    let up: () -> Mirror? = reflectSuper(v, level) ? { asMirror(libraryMirror(whole, level + 1)) } : { nil }
    return LibraryMirror(subjectType: reflectType(v, level), children: AnyCollection(children), displayStyle: style, superclass: up,
      representation: .generated)
  }
}

func asMirror(_ m: LibraryMirror) -> Mirror {
  let p = LibraryPointer<LibraryMirror>.allocate(capacity: 1)
  p.initialize(to: m)
  defer { p.deallocate() }
  return UnsafeMutableRawPointer(p).assumingMemoryBound(to: Mirror.self).move()
}

func asLibraryMirror(_ m: Mirror) -> LibraryMirror {
  let p = LibraryPointer<Mirror>.allocate(capacity: 1)
  p.initialize(to: m)
  defer { p.deallocate() }
  return UnsafeMutableRawPointer(p).assumingMemoryBound(to: LibraryMirror.self).move()
}

@inline(never) func reflecting(_ value: Any) -> LibraryMirror {
  var v = value
  if reflectStyle(&v) == customStyle, let custom = v as? CustomReflectable { return asLibraryMirror(custom.customMirror) }
  return libraryMirror(v, 0)
}

@_silgen_name("library_s6MirrorV10reflectingAByp_tcfC")
public func mirrorReflecting(_ o: LibraryPointer<LibraryMirror>, _ v: LibraryPointer<Any>) { o.initialize(to: reflecting(v.move())) }

@_silgen_name("library_s6MirrorV11subjectTypeypXpvg") public func mirrorType(_ m: LibraryPointer<LibraryMirror>) -> Any.Type { m.pointee.subjectType }
@_silgen_name("library_s6MirrorV8childrens13AnyCollectionVySSSg5label_yp5valuetGvg")
public func mirrorChildren(_ m: LibraryPointer<LibraryMirror>) -> Mirror.Children { m.pointee.children }
@_silgen_name("library_s6MirrorV12displayStyleAB07DisplayC0OSgvg")
public func mirrorStyle(_ o: LibraryPointer<Mirror.DisplayStyle?>, _ m: LibraryPointer<LibraryMirror>) { o.initialize(to: m.pointee.displayStyle) }
@_silgen_name("library_s6MirrorV010superclassA0ABSgvg")
public func mirrorSuperclass(_ o: LibraryPointer<Mirror?>, _ m: LibraryPointer<LibraryMirror>) { o.initialize(to: m.pointee.superclass()) }
@_silgen_name("library_s6MirrorV11descriptionSSvg")
public func mirrorDescription(_ m: LibraryPointer<LibraryMirror>) -> String { "Mirror for \(m.pointee.subjectType)" }

func custom<S>(_ o: LibraryPointer<LibraryMirror>, _ subject: S, _ children: Mirror.Children, _ style: Mirror.DisplayStyle?,
  _ ancestors: Mirror.AncestorRepresentation) {
  var up: () -> Mirror? = { nil }
  var whole: Any = subject
  switch ancestors {
  case .generated: if reflectSuper(&whole, 0) { let w = whole; up = { asMirror(libraryMirror(w, 1)) } }
  case .customized(let make): up = { make() }
  case .suppressed: break
  @unknown default: break
  }
  o.initialize(to: LibraryMirror(subjectType: S.self, children: children, displayStyle: style, superclass: up, representation: .generated))
}

@_silgen_name("library_s6MirrorV_8children12displayStyle22ancestorRepresentationABx_s13KeyValuePairsVySSypGAB07DisplayD0OSgAB08AncestorF0OtclufC")
public func mirrorOfPairs<S>(_ o: LibraryPointer<LibraryMirror>, _ s: LibraryPointer<S>, _ c: __owned KeyValuePairs<String, Any>,
  _ d: LibraryPointer<Mirror.DisplayStyle?>, _ a: LibraryPointer<Mirror.AncestorRepresentation>) {
  custom(o, s.move(), AnyCollection(c.map { (label: $0.key as String?, value: $0.value) }), d.move(), a.move())
}
@_silgen_name("library_s6MirrorV_8children12displayStyle22ancestorRepresentationABx_q_AB07DisplayD0OSgAB08AncestorF0OtcSlR_SSSg5label_yp5valuet7ElementRt_r0_lufC")
public func mirrorOfChildren<S, C: Collection>(_ o: LibraryPointer<LibraryMirror>, _ s: LibraryPointer<S>, _ c: LibraryPointer<C>,
  _ d: LibraryPointer<Mirror.DisplayStyle?>, _ a: LibraryPointer<Mirror.AncestorRepresentation>) where C.Element == Mirror.Child {
  custom(o, s.move(), AnyCollection(Array(c.move())), d.move(), a.move())
}
@_silgen_name("library_s6MirrorV_17unlabeledChildren12displayStyle22ancestorRepresentationABx_q_AB07DisplayE0OSgAB08AncestorG0OtcSlR_r0_lufC")
public func mirrorOfElements<S, C: Collection>(_ o: LibraryPointer<LibraryMirror>, _ s: LibraryPointer<S>, _ c: LibraryPointer<C>,
  _ d: LibraryPointer<Mirror.DisplayStyle?>, _ a: LibraryPointer<Mirror.AncestorRepresentation>) {
  custom(o, s.move(), AnyCollection(c.move().map { (label: nil as String?, value: $0 as Any) }), d.move(), a.move())
}

@_silgen_name("library_s6MirrorV10descendantyypSgs0A4Path_p_sAE_pdtF")
public func mirrorDescendant(_ o: LibraryPointer<Any?>, _ first: LibraryPointer<any MirrorPath>, _ rest: [any MirrorPath],
  _ m: LibraryPointer<LibraryMirror>) {
  var at = m.pointee, found: Any? = nil
  for step in [first.pointee] + rest {
    if let label = step as? String {
      found = at.children.first { $0.label == label }?.value
    } else if let n = step as? Int {
      found = nil
      for (k, child) in at.children.enumerated() where k == n { found = child.value }
    }
    guard let next = found else { break }
    at = reflecting(next)
  }
  o.initialize(to: found)
}

// A dump in the making: what is written to the stream, piece by piece.
struct LibraryDump {
  var pieces: [String] = []
  var items: Int
  var seen: [ObjectIdentifier: Int] = [:]

  mutating func bullet(_ indent: Int, _ count: Int, _ depth: Int) {
    indented(indent)
    pieces.append(count == 0 ? "-" : depth <= 0 ? "▹" : "▿")
  }

  mutating func indented(_ n: Int) { pieces += repeatElement(" ", count: n) }

  mutating func value(_ value: Any, _ name: String?, _ indent: Int, _ depth: Int) {
    guard items > 0 else { return }
    items -= 1
    let mirror = reflecting(value)
    bullet(indent, mirror.children.count, depth)
    pieces.append(" ")
    if let name { pieces += [name, ": "] }
    pieces += summary(value, mirror)
    var id: ObjectIdentifier?
    if type(of: value) is AnyObject.Type {
      id = ObjectIdentifier(value as AnyObject)
    } else if let type = value as? Any.Type {
      id = ObjectIdentifier(type)
    }
    if let id {
      if let n = seen[id] {
        pieces += [" #", "\(n)", "\n"]
        return
      }
      let n = seen.count
      seen[id] = n
      pieces += [" #", "\(n)"]
    }
    pieces.append("\n")
    rest(mirror, indent, depth)
  }

  mutating func rest(_ mirror: LibraryMirror, _ indent: Int, _ depth: Int) {
    guard depth > 0 else { return }
    if let up = mirror.superclass() { superclass(asLibraryMirror(up), indent + 2, depth - 1) }
    let count = mirror.children.count
    var i = 0
    for child in mirror.children {
      if items <= 0 {
        let left = count - i
        indented(indent + 4)
        pieces += ["(", "\(left)"]
        if i > 0 { pieces.append(" more") }
        pieces.append(left == 1 ? " child)\n" : " children)\n")
        return
      }
      value(child.value, child.label, indent + 2, depth - 1)
      i += 1
    }
  }

  mutating func superclass(_ mirror: LibraryMirror, _ indent: Int, _ depth: Int) {
    guard items > 0 else { return }
    items -= 1
    bullet(indent, mirror.children.count, depth)
    pieces += [" super: ", _typeName(mirror.subjectType), "\n"]
    rest(mirror, indent, depth)
  }

  func summary(_ value: Any, _ mirror: LibraryMirror) -> [String] {
    let n = mirror.children.count
    switch mirror.displayStyle {
    case .tuple: return [n == 1 ? "(1 element)" : "(\(n) elements)"]
    case .collection: return [n == 1 ? "1 element" : "\(n) elements"]
    case .dictionary: return [n == 1 ? "1 key/value pair" : "\(n) key/value pairs"]
    case .set: return [n == 1 ? "1 member" : "\(n) members"]
    default: break
    }
    if value is CustomDebugStringConvertible || value is CustomStringConvertible || value is TextOutputStreamable {
      return [String(reflecting: value)]
    }
    switch mirror.displayStyle {
    case .class, .struct: return [_typeName(mirror.subjectType)]
    case .enum:
      let name = LibraryPointer<String>.allocate(capacity: 1)
      defer { name.deallocate() }
      var whole = value
      reflectCase(name, &whole)
      return [_typeName(mirror.subjectType), ".", name.move()]
    default: return [String(reflecting: value)]
    }
  }
}

@inline(never) func dumped(_ value: Any, _ name: String?, _ indent: Int, _ depth: Int, _ items: Int) -> [String] {
  var d = LibraryDump(items: items)
  d.value(value, name, indent, depth)
  return d.pieces
}

@_silgen_name("library_s4dump_4name6indent8maxDepth0D5Itemsxx_SSSgS3itlF")
public func dumpValue<T>(_ o: LibraryPointer<T>, _ v: LibraryPointer<T>, _ name: String?, _ indent: Int, _ depth: Int, _ items: Int) {
  print(dumped(v.pointee, name, indent, depth, items).joined(), terminator: "")
  o.initialize(to: v.pointee)
}
@_silgen_name("library_s4dump_2to4name6indent8maxDepth0E5Itemsxx_q_zSSSgS3its16TextOutputStreamR_r0_lF")
public func dumpTo<T, S: TextOutputStream>(_ o: LibraryPointer<T>, _ v: LibraryPointer<T>, _ s: LibraryPointer<S>, _ name: String?, _ indent: Int,
  _ depth: Int, _ items: Int) {
  for piece in dumped(v.pointee, name, indent, depth, items) { s.pointee.write(piece) }
  o.initialize(to: v.pointee)
}
