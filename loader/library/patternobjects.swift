// Regex, its matches and AnyRegexOutput. All three are laid out as the library lays them out; a Regex holds an object of our own.

@_spi(RegexBuilder) import _StringProcessing

final class LibraryPattern {
  let node: PatternNode
  lazy var code = PatternCompiler.compile(node)
  init(_ n: PatternNode) { node = n }
}

// The element of an AnyRegexOutput, as stored: ElementRepresentation.
struct PatternElement {
  let depth: Int
  let content: (range: Range<String.Index>, value: Any?)?
  var name: String? = nil
  var reference: Int? = nil
  var visible: Bool
}
struct PatternOutput {
  let input: String
  var elements: [PatternElement]
}
struct PatternMatch {
  let output: PatternOutput
  let range: Range<String.Index>
}
struct PatternOutputElement {
  let element: PatternElement
  let input: String
}

@inline(__always) func asIs<A, B>(_ a: A) -> B { withUnsafePointer(to: a) { UnsafeRawPointer($0).load(as: B.self) } }
func made<O>(_ n: PatternNode) -> Regex<O> { asIs(LibraryPattern(n)) }
func pattern<O>(_ r: Regex<O>) -> LibraryPattern { asIs(r) }
func pattern<R: RegexComponent>(of r: R) -> LibraryPattern { pattern(r.regex) }

@_silgen_name("library_tupleCount") func tupleCount<T>(_: T.Type) -> Int
@_silgen_name("library_tupleElement") func tupleElement<T>(_: T.Type, _ i: Int) -> (Any.Type, Int)

// The matches of a pattern in text, as long as more says so.
enum PatternMode { case first, prefix, whole, all }
func findAll(_ p: LibraryPattern, _ base: String, _ from: String.Index, _ to: String.Index, _ mode: PatternMode, _ more: (PatternMatch) throws -> Bool) throws {
  var input = base
  input.makeContiguousUTF8()
  let code = p.code
  let a = input.utf8.distance(from: input.startIndex, to: from), b = input.utf8.distance(from: input.startIndex, to: to)
  var copy = input
  try copy.withUTF8 { bytes in
    var s = PatternSearch(code, input, bytes, a, b)
    s.whole = mode == .whole
    var at = a
    while let (start, end) = try s.search(at, anchored: mode == .prefix || mode == .whole) {
      if try !more(match(s, start, end)) || mode != .all { return }
      if end > start { at = end } else {
        if end >= b { return }
        at = s.next(end, code.scalars)
      }
    }
  }
}

func match(_ s: PatternSearch, _ start: Int, _ end: Int) -> PatternMatch {
  let range = s.index(start)..<s.index(end)
  var elements = [PatternElement(depth: 0, content: (range, s.code.wholeValue ? s.results[0] : nil), visible: true)]
  for (i, g) in s.code.groups.enumerated() {
    let content: (range: Range<String.Index>, value: Any?)? = s.starts[i] < 0 ? nil : (s.index(s.starts[i])..<s.index(s.ends[i]), s.code.values ? s.values[i] : nil)
    elements.append(PatternElement(depth: g.depth, content: content, name: g.name, reference: g.reference, visible: g.visible))
  }
  return PatternMatch(output: PatternOutput(input: s.input, elements: elements), range: range)
}
func findFirst(_ p: LibraryPattern, _ base: String, _ from: String.Index, _ to: String.Index, _ mode: PatternMode) throws -> PatternMatch? {
  var found: PatternMatch? = nil
  try findAll(p, base, from, to, mode) { m in
    found = m
    return false
  }
  return found
}

// The value of an element: its text or what was made of it, in as many Optionals as it is under.
func wrapped(_ v: Any, _ depth: Int) -> Any {
  func wrap<T>(_ v: T) -> Any { Optional(v) as Any }
  return depth == 0 ? v : wrapped(_openExistential(v, do: wrap), depth - 1)
}
func absent(_ t: Any.Type, _ depth: Int) -> Any {
  func none<T>(_: T.Type) -> Any { T?.none as Any }
  func optional<T>(_: T.Type) -> Any.Type { T?.self }
  return depth <= 1 ? _openExistential(t, do: none) : absent(_openExistential(t, do: optional), depth - 1)
}
func elementValue(_ e: PatternElement, _ input: String) -> Any {
  if let (range, v) = e.content { return wrapped(v ?? input[range], e.depth) }
  return absent(Substring.self, e.depth)
}
// Puts the value of an element where one of type T is wanted.
func put<T>(_ e: PatternElement, _ input: String, _ p: UnsafeMutableRawPointer, _: T.Type) {
  if T.self == Substring.self, let (range, v) = e.content, v == nil {
    p.assumingMemoryBound(to: Substring.self).initialize(to: input[range])
  } else if T.self == Substring?.self, e.depth == 1 {
    if e.content?.value == nil {
      p.assumingMemoryBound(to: Substring?.self).initialize(to: e.content.map { input[$0.range] })
      return
    }
    p.assumingMemoryBound(to: Substring?.self).initialize(to: e.content!.value as? Substring)
  } else if e.content == nil {
    guard let none = absentOf(T.self) else { fatalError("Internal error: existential cast failed") }
    p.assumingMemoryBound(to: T.self).initialize(to: none)
  } else {
    guard let v = elementValue(e, input) as? T else { fatalError("Internal error: existential cast failed") }
    p.assumingMemoryBound(to: T.self).initialize(to: v)
  }
}
protocol PatternOptional { static var nothing: Self { get } }
extension Optional: PatternOptional { static var nothing: Self { nil } }
func absentOf<T>(_: T.Type) -> T? { (T.self as? any PatternOptional.Type).flatMap { $0.nothing as? T } }

func matched<O>(_ m: PatternMatch) -> O {
  if O.self == AnyRegexOutput.self { return asIs(m.output) }
  let p = UnsafeMutablePointer<O>.allocate(capacity: 1)
  defer { p.deallocate() }
  let elements = m.output.elements.filter(\.visible), n = tupleCount(O.self)
  if n == 0 {
    put(elements[0], m.output.input, UnsafeMutableRawPointer(p), O.self)
  } else {
    if n != elements.count { fatalError("Internal error: existential cast failed") }
    for i in 0..<n {
      let (t, offset) = tupleElement(O.self, i)
      func place<T>(_ t: T.Type) { put(elements[i], m.output.input, UnsafeMutableRawPointer(p) + offset, t) }
      _openExistential(t, do: place)
    }
  }
  return p.move()
}

extension Regex {
  func found(_ m: PatternMatch?) -> Regex<Output>.Match? { m.map { asIs($0) } }
  func libraryMatch(_ s: Substring, _ mode: PatternMode) throws -> Regex<Output>.Match? { found(try findFirst(pattern(self), s.base, s.startIndex, s.endIndex, mode)) }
  func with(_ f: @escaping (inout PatternOptions) -> Void) -> Regex<Output> { made(.options(f, pattern(self).node)) }
@_silgen_name("library_17_StringProcessing5RegexV06_regexA07versionACyxGSS_SitcfC") public static func libraryLiteral(_ s: __owned String, _ version: Int) -> Regex<Output> { made(try! PatternParser.literal(s)) }
@_silgen_name("library_17_StringProcessing5RegexV8verbatimACyxGSS_tcfC") public static func libraryVerbatim(_ s: __owned String) -> Regex<Output> { made(verbatim(s)) }
@_silgen_name("library_17_StringProcessing5RegexV7quotingACyxGSS_tcfC") public static func libraryQuoting(_ s: __owned String) -> Regex<Output> { made(verbatim(s)) }
@_silgen_name("library_17_StringProcessing5RegexV5regexACyxGvg") public func libraryRegex() -> Regex<Output> { self }
@_silgen_name("library_17_StringProcessing5RegexV10firstMatch2inAC0E0Vyx_GSgSs_tKF") public func libraryFirst(_ s: Substring) throws -> Regex<Output>.Match? { try libraryMatch(s, .first) }
@_silgen_name("library_17_StringProcessing5RegexV10firstMatch2inAC0E0Vyx_GSgSS_tKF") public func libraryFirst(_ s: String) throws -> Regex<Output>.Match? { try libraryMatch(s[...], .first) }
@_silgen_name("library_17_StringProcessing5RegexV10wholeMatch2inAC0E0Vyx_GSgSs_tKF") public func libraryWhole(_ s: Substring) throws -> Regex<Output>.Match? { try libraryMatch(s, .whole) }
@_silgen_name("library_17_StringProcessing5RegexV10wholeMatch2inAC0E0Vyx_GSgSS_tKF") public func libraryWhole(_ s: String) throws -> Regex<Output>.Match? { try libraryMatch(s[...], .whole) }
@_silgen_name("library_17_StringProcessing5RegexV11prefixMatch2inAC0E0Vyx_GSgSs_tKF") public func libraryPrefix(_ s: Substring) throws -> Regex<Output>.Match? { try libraryMatch(s, .prefix) }
@_silgen_name("library_17_StringProcessing5RegexV11prefixMatch2inAC0E0Vyx_GSgSS_tKF") public func libraryPrefix(_ s: String) throws -> Regex<Output>.Match? { try libraryMatch(s[...], .prefix) }
@_silgen_name("library_17_StringProcessing5RegexV11ignoresCaseyACyxGSbF") public func libraryIgnoresCase(_ v: Bool) -> Regex<Output> { with { $0.ignoresCase = v } }
@_silgen_name("library_17_StringProcessing5RegexV18dotMatchesNewlinesyACyxGSbF") public func libraryDotAll(_ v: Bool) -> Regex<Output> { with { $0.dotAll = v } }
@_silgen_name("library_17_StringProcessing5RegexV23anchorsMatchLineEndingsyACyxGSbF") public func libraryLines(_ v: Bool) -> Regex<Output> { with { $0.lines = v } }
@_silgen_name("library_17_StringProcessing5RegexV15asciiOnlyDigitsyACyxGSbF") public func libraryASCIIDigits(_ v: Bool) -> Regex<Output> { with { $0.asciiDigits = v } }
@_silgen_name("library_17_StringProcessing5RegexV19asciiOnlyWhitespaceyACyxGSbF") public func libraryASCIISpaces(_ v: Bool) -> Regex<Output> { with { $0.asciiSpaces = v } }
@_silgen_name("library_17_StringProcessing5RegexV23asciiOnlyWordCharactersyACyxGSbF") public func libraryASCIIWords(_ v: Bool) -> Regex<Output> { with { $0.asciiWords = v } }
@_silgen_name("library_17_StringProcessing5RegexV25asciiOnlyCharacterClassesyACyxGSbF") public func libraryASCIIClasses(_ v: Bool) -> Regex<Output> {
  with {
    $0.asciiDigits = v
    $0.asciiSpaces = v
    $0.asciiWords = v
    $0.asciiPOSIX = v
  }
}
@_silgen_name("library_17_StringProcessing5RegexV17matchingSemanticsyACyxGAA0C13SemanticLevelVF") public func librarySemantics(_ v: RegexSemanticLevel) -> Regex<Output> {
  let n: UInt8 = asIs(v)
  return with { $0.scalars = n == 1 }
}
@_silgen_name("library_17_StringProcessing5RegexV16wordBoundaryKindyACyxGAA0c4WordeF0VF") public func libraryWordBounds(_ v: RegexWordBoundaryKind) -> Regex<Output> {
  let n: UInt8 = asIs(v)
  return with { $0.simpleWords = n == 0 }
}
@_silgen_name("library_17_StringProcessing5RegexV18repetitionBehavioryACyxGAA0c10RepetitionE0VF") public func libraryRepetition(_ v: RegexRepetitionBehavior) -> Regex<Output> {
  let k = kind(v)
  return with { $0.kind = k }
}
@_silgen_name("library_17_StringProcessing5RegexV_2asACyxGSS_xmtKcfC") public static func libraryParse(_ s: __owned String, _ t: Output.Type) throws -> Regex<Output> {
  var p = PatternParser(s[...])
  let r: Regex<Output> = made(try p.whole())
  if O_isAny(Output.self) { return r }
  guard fits(pattern(r), Output.self) else { refuse("a Regex made of a text for another output than it has") }
  return r
}
@_silgen_name("library_17_StringProcessing5RegexV_2asACyxGSgACyAA03AnyC6OutputVG_xmtcfC") public static func libraryTyped(_ r: __owned Regex<AnyRegexOutput>, _ t: Output.Type) -> Regex<Output>? {
  fits(pattern(r), Output.self) ? made(pattern(r).node) : nil
}
@_silgen_name("library_17_StringProcessing5RegexV8contains12captureNamedSbSS_tF") public func libraryHasCapture(_ name: String) -> Bool { pattern(self).code.groups.contains { $0.name == name } }
}
func O_isAny(_ t: Any.Type) -> Bool { t == AnyRegexOutput.self }
func verbatim(_ s: String) -> PatternNode { s.isEmpty ? .empty : .sequence(s.map { .char($0) }) }
func kind(_ v: RegexRepetitionBehavior) -> PatternKind {
  let n: UInt8 = asIs(v)
  return n == 0 ? .eager : n == 1 ? .reluctant : .possessive
}
// Whether an output has the types that the captures of a pattern have.
func fits<O>(_ p: LibraryPattern, _: O.Type) -> Bool {
  let groups = p.code.groups.filter(\.visible), n = tupleCount(O.self)
  func type(_ t: Any.Type, _ depth: Int) -> Any.Type {
    func optional<T>(_: T.Type) -> Any.Type { T?.self }
    return depth == 0 ? t : type(_openExistential(t, do: optional), depth - 1)
  }
  if n == 0 { return groups.isEmpty && O.self == (p.code.wholeType ?? Substring.self) }
  if n != groups.count + 1 || tupleElement(O.self, 0).0 != Substring.self { return false }
  // Labels are names: only the name of the type tells them.
  var types = "Substring"
  for g in groups { types += ", " + (g.name.map { $0 + ": " } ?? "") + "\(type(g.type ?? Substring.self, g.depth))" }
  if "\(O.self)" != "(" + types + ")" { return false }
  return groups.enumerated().allSatisfy { tupleElement(O.self, $0 + 1).0 == type($1.type ?? Substring.self, $1.depth) }
}

extension Regex where Output == AnyRegexOutput {
@_silgen_name("library_17_StringProcessing5RegexVA2A03AnyC6OutputVRszlEyACyAEGSSKcfC") public static func libraryParse(_ s: __owned String) throws -> Regex<AnyRegexOutput> {
  var p = PatternParser(s[...])
  return made(try p.whole())
}
@_silgen_name("library_17_StringProcessing5RegexVA2A03AnyC6OutputVRszlEyACyAEGACyqd__GclufC") public static func libraryErased<O>(_ r: __owned Regex<O>) -> Regex<AnyRegexOutput> { made(pattern(r).node) }
}

extension Regex.Match {
@_silgen_name("library_17_StringProcessing5RegexV5MatchV6outputxvg") public func libraryOutput() -> Output { matched(asIs(self)) }
@_silgen_name("library_17_StringProcessing5RegexV5MatchV5rangeSnySS5IndexVGvg") public func libraryRange() -> Range<String.Index> { (asIs(self) as PatternMatch).range }
@_silgen_name("library_17_StringProcessing5RegexV5MatchV13dynamicMemberqd__s7KeyPathCyxqd__G_tcluig") public func libraryMember<T>(_ k: KeyPath<Output, T>) -> T { libraryOutput()[keyPath: k] }
@_silgen_name("library_17_StringProcessing5RegexV5MatchV13dynamicMemberxs7KeyPathCyx_yt9_doNotUsetxG_tcig") public func libraryWhole(_ k: KeyPath<(Output, _doNotUse: ()), Output>) -> Output { libraryOutput() }
}
extension Regex.Match where Output == AnyRegexOutput {
@_silgen_name("library_17_StringProcessing5RegexV5MatchVA2A03AnyC6OutputVRszlE13dynamicMemberSss7KeyPathCySs_yt9_doNotUsetSsG_tcig")
public func libraryText(_ k: KeyPath<(Substring, _doNotUse: ()), Substring>) -> Substring {
  let m: PatternMatch = asIs(self)
  return m.output.input[m.range]
}
@_silgen_name("library_17_StringProcessing5RegexV5MatchVA2A03AnyC6OutputVRszlEyAEyAG_GAEyqd___GclufC") public static func libraryErased<O>(_ m: __owned Regex<O>.Match) -> Regex<AnyRegexOutput>.Match { asIs(m) }
@_silgen_name("library_17_StringProcessing5RegexV5MatchVA2A03AnyC6OutputVRszlEyAG7ElementVSgSScig") public func libraryNamed(_ name: String) -> AnyRegexOutput.Element? { named((asIs(self) as PatternMatch).output, name) }
}
func named(_ o: PatternOutput, _ name: String) -> AnyRegexOutput.Element? { o.elements.first { $0.name == name }.map { asIs(PatternOutputElement(element: $0, input: o.input)) } }
func element(_ o: PatternOutput, _ i: Int) -> AnyRegexOutput.Element { asIs(PatternOutputElement(element: o.elements[i], input: o.input)) }

extension AnyRegexOutput {
  var parts: PatternOutput { asIs(self) }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputVyAcA0D0V5MatchVyx_GclufC") public static func libraryErased<O>(_ m: __owned Regex<O>.Match) -> AnyRegexOutput { asIs((asIs(m) as PatternMatch).output) }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV13extractValues2asxSgxm_tlF") public func libraryValues<O>(_ t: O.Type) -> O? { refuse("extractValues of AnyRegexOutput") }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV10startIndexSivg") public func libraryStart() -> Int { 0 }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV8endIndexSivg") public func libraryEnd() -> Int { parts.elements.count }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV5countSivg") public func libraryCount() -> Int { parts.elements.count }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV5index5afterS2i_tF") public func libraryAfter(_ i: Int) -> Int { i + 1 }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV5index6beforeS2i_tF") public func libraryBefore(_ i: Int) -> Int { i - 1 }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputVyAC7ElementVSicig") public func libraryElement(_ i: Int) -> AnyRegexOutput.Element { element(parts, i) }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputVyAC7ElementVSgSScig") public func libraryNamed(_ name: String) -> AnyRegexOutput.Element? { named(parts, name) }
}
extension AnyRegexOutput.Element {
  var parts: PatternOutputElement { asIs(self) }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV7ElementV4nameSSSgvg") public func libraryName() -> String? { parts.element.name }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV7ElementV5rangeSnySS5IndexVGSgvg") public func libraryRange() -> Range<String.Index>? { parts.element.content?.range }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV7ElementV9substringSsSgvg") public func libraryText() -> Substring? {
  let p = parts
  return p.element.content.map { p.input[$0.range] }
}
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV7ElementV5valueypSgvg") public func libraryValue() -> Any? { elementValue(parts.element, parts.input) }
@_silgen_name("library_17_StringProcessing14AnyRegexOutputV7ElementV4typeypXpvg") public func libraryType() -> Any.Type { Swift.type(of: elementValue(parts.element, parts.input)) }
}

// The values that choose: each is a byte.
extension RegexSemanticLevel {
@_silgen_name("library_17_StringProcessing18RegexSemanticLevelV15graphemeClusterACvgZ") public static func library0() -> RegexSemanticLevel { asIs(UInt8(0)) }
@_silgen_name("library_17_StringProcessing18RegexSemanticLevelV13unicodeScalarACvgZ") public static func library1() -> RegexSemanticLevel { asIs(UInt8(1)) }
}
extension RegexWordBoundaryKind {
@_silgen_name("library_17_StringProcessing21RegexWordBoundaryKindV6simpleACvgZ") public static func library0() -> RegexWordBoundaryKind { asIs(UInt8(0)) }
@_silgen_name("library_17_StringProcessing21RegexWordBoundaryKindV7defaultACvgZ") public static func library1() -> RegexWordBoundaryKind { asIs(UInt8(1)) }
}
extension RegexRepetitionBehavior {
@_silgen_name("library_17_StringProcessing23RegexRepetitionBehaviorV5eagerACvgZ") public static func library0() -> RegexRepetitionBehavior { asIs(UInt8(0)) }
@_silgen_name("library_17_StringProcessing23RegexRepetitionBehaviorV9reluctantACvgZ") public static func library1() -> RegexRepetitionBehavior { asIs(UInt8(1)) }
@_silgen_name("library_17_StringProcessing23RegexRepetitionBehaviorV10possessiveACvgZ") public static func library2() -> RegexRepetitionBehavior { asIs(UInt8(2)) }
}

// Witnesses, by address.
@_silgen_name("library_Regex_regex") public func regexRegex<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Regex<O>>) { o.initialize(to: s.pointee) }
@_silgen_name("library_AnyRegexOutput_startIndex") public func outputStart(_ o: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { o.initialize(to: 0) }
@_silgen_name("library_AnyRegexOutput_endIndex") public func outputEnd(_ o: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { o.initialize(to: s.pointee.parts.elements.count) }
@_silgen_name("library_AnyRegexOutput_count") public func outputCount(_ s: UnsafeMutablePointer<AnyRegexOutput>) -> Int { s.pointee.parts.elements.count }
@_silgen_name("library_AnyRegexOutput_isEmpty") public func outputIsEmpty(_ s: UnsafeMutablePointer<AnyRegexOutput>) -> Bool { s.pointee.parts.elements.isEmpty }
@_silgen_name("library_AnyRegexOutput_underestimatedCount") public func outputEstimate(_ s: UnsafeMutablePointer<AnyRegexOutput>) -> Int { s.pointee.parts.elements.count }
@_silgen_name("library_AnyRegexOutput_element") public func outputElement(_ o: UnsafeMutablePointer<AnyRegexOutput.Element>, _ i: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) {
  o.initialize(to: element(s.pointee.parts, i.pointee))
}
@_silgen_name("library_AnyRegexOutput_after") public func outputAfter(_ o: UnsafeMutablePointer<Int>, _ i: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { o.initialize(to: i.pointee + 1) }
@_silgen_name("library_AnyRegexOutput_before") public func outputBefore(_ o: UnsafeMutablePointer<Int>, _ i: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { o.initialize(to: i.pointee - 1) }
@_silgen_name("library_AnyRegexOutput_formAfter") public func outputFormAfter(_ i: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { i.pointee += 1 }
@_silgen_name("library_AnyRegexOutput_formBefore") public func outputFormBefore(_ i: UnsafeMutablePointer<Int>, _ s: UnsafeMutablePointer<AnyRegexOutput>) { i.pointee -= 1 }
