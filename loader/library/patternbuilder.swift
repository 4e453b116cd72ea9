// What the result builders of RegexBuilder put together: _RegexFactory and the components, each of which holds a Regex.

import RegexBuilder
@_spi(RegexBuilder) import _StringProcessing

func node<R: RegexComponent>(_ r: R) -> PatternNode { pattern(of: r).node }
func repeated<R: RegexComponent, O>(_ r: R, _ low: Int, _ high: Int?, _ b: RegexRepetitionBehavior?) -> Regex<O> { made(.quantity(low, high, b.map { kind($0) }, node(r))) }

extension _RegexFactory {
@_silgen_name("library_17_StringProcessing13_RegexFactoryV10accumulateyAA0C0VyxGq__q0_tAA0C9ComponentR_AaHR0_r1_lF")
public func librarySequence<O, L: RegexComponent, R: RegexComponent>(_ l: L, _ r: R) -> Regex<O> { made(.sequence([node(l), node(r)])) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV21accumulateAlternationyAA0C0VyxGq__q0_tAA0C9ComponentR_AaHR0_r1_lF")
public func libraryChoice<O, L: RegexComponent, R: RegexComponent>(_ l: L, _ r: R) -> Regex<O> {
  if case .choice(let all) = node(l) { return made(.choice(all + [node(r)])) }
  return made(.choice([node(l), node(r)]))
}
@_silgen_name("library_17_StringProcessing13_RegexFactoryV27ignoreCapturesInTypedOutputyAA0C0VySsGxAA0C9ComponentRzlF")
public func librarySilent<R: RegexComponent>(_ r: R) -> Regex<Substring> { made(.silent(node(r))) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV13orderedChoiceyAA0C0VyxGq_AA0C9ComponentR_r0_lF")
public func libraryChoice<O, R: RegexComponent>(_ r: R) -> Regex<O> { made(.choice([node(r)])) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV18atomicNonCapturingyAA0C0VyxGq_AA0C9ComponentR_r0_lF")
public func libraryAtomic<O, R: RegexComponent>(_ r: R) -> Regex<O> { made(.atomic(node(r))) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV21lookaheadNonCapturingyAA0C0VyxGq_AA0C9ComponentR_r0_lF")
public func libraryAhead<O, R: RegexComponent>(_ r: R) -> Regex<O> { made(.ahead(node(r), negative: false)) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV29negativeLookaheadNonCapturingyAA0C0VyxGq_AA0C9ComponentR_r0_lF")
public func libraryNotAhead<O, R: RegexComponent>(_ r: R) -> Regex<O> { made(.ahead(node(r), negative: true)) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV9zeroOrOneyAA0C0VyxGq__AA0C18RepetitionBehaviorVSgtAA0C9ComponentR_r0_lF")
public func libraryZeroOrOne<O, R: RegexComponent>(_ r: R, _ b: RegexRepetitionBehavior?) -> Regex<O> { repeated(r, 0, 1, b) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV10zeroOrMoreyAA0C0VyxGq__AA0C18RepetitionBehaviorVSgtAA0C9ComponentR_r0_lF")
public func libraryZeroOrMore<O, R: RegexComponent>(_ r: R, _ b: RegexRepetitionBehavior?) -> Regex<O> { repeated(r, 0, nil, b) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV9oneOrMoreyAA0C0VyxGq__AA0C18RepetitionBehaviorVSgtAA0C9ComponentR_r0_lF")
public func libraryOneOrMore<O, R: RegexComponent>(_ r: R, _ b: RegexRepetitionBehavior?) -> Regex<O> { repeated(r, 1, nil, b) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV7exactlyyAA0C0VyxGSi_q_tAA0C9ComponentR_r0_lF")
public func libraryExactly<O, R: RegexComponent>(_ n: Int, _ r: R) -> Regex<O> { repeated(r, n, n, nil) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV9repeatingyAA0C0VyxGSnySiG_AA0C18RepetitionBehaviorVSgq_tAA0C9ComponentR_r0_lF")
public func libraryRepeating<O, R: RegexComponent>(_ n: Range<Int>, _ b: RegexRepetitionBehavior?, _ r: R) -> Regex<O> {
  precondition(n.lowerBound >= 0, "Cannot specify a negative lower bound")
  precondition(!n.isEmpty, "Cannot specify an empty range")
  return repeated(r, n.lowerBound, n.upperBound == Int.max ? nil : n.upperBound - 1, b)
}
@_silgen_name("library_17_StringProcessing13_RegexFactoryV7captureyAA0C0VyxGq_AA0C9ComponentR_r0_lF")
public func libraryCapture<O, R: RegexComponent>(_ r: R) -> Regex<O> { made(.capture(PatternCapture(), node(r))) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV7captureyAA0C0VyxGq__SitAA0C9ComponentR_r0_lF")
public func libraryCapture<O, R: RegexComponent>(_ r: R, _ reference: Int) -> Regex<O> { made(.capture(PatternCapture(reference: reference), node(r))) }
@_silgen_name("library_17_StringProcessing13_RegexFactoryV7captureyAA0C0VyxGq1__SiSgq0_q_KctAA0C9ComponentR1_r2_lF")
public func libraryCapture<O, W, N, R: RegexComponent>(_ r: R, _ reference: Int?, _ f: @escaping (W) throws -> N) -> Regex<O> {
  made(.capture(PatternCapture(reference: reference, type: N.self, transform: { try f($0 as! W) as Any }), node(r)))
}
@_silgen_name("library_17_StringProcessing13_RegexFactoryV15captureOptionalyAA0C0VyxGq1__SiSgq0_Sgq_KctAA0C9ComponentR1_r2_lF")
public func libraryCaptureOptional<O, W, N, R: RegexComponent>(_ r: R, _ reference: Int?, _ f: @escaping (W) throws -> N?) -> Regex<O> {
  made(.capture(PatternCapture(reference: reference, type: N.self, transform: { try f($0 as! W).map { $0 as Any } }), node(r)))
}
}
@_silgen_name("library_12RegexBuilder11makeFactory17_StringProcessing01_aD0VyF") public func libraryFactory() -> _RegexFactory { asIs(()) }

extension CustomConsumingRegexComponent {
@_silgen_name("library_17_StringProcessing29CustomConsumingRegexComponentPAAE5regexAA0E0Vy0E6OutputQzGvg") public func libraryRegex() -> Regex<RegexOutput> {
  made(.matcher(RegexOutput.self) { s, i, r in try self.consuming(s, startingAt: i, in: r).map { ($0.upperBound, $0.output as Any) } })
}
}

extension Regex {
@_silgen_name("library_17_StringProcessing5RegexV0C7BuilderEyACyxGqd__yXEc0C6OutputQyd__RszAA0C9ComponentRd__lufC")
public static func libraryBuilt<R: RegexComponent>(_ f: () -> R) -> Regex<Output> where R.RegexOutput == Output { f().regex }
}
extension RegexComponentBuilder {
@_silgen_name("library_12RegexBuilder0a9ComponentB0O10buildBlock17_StringProcessing0A0VySsGyFZ") public static func libraryEmpty() -> Regex<Substring> { made(.empty) }
@_silgen_name("library_12RegexBuilder0a9ComponentB0O15buildExpressionyxx17_StringProcessing0aC0RzlFZ") public static func libraryExpression<R: RegexComponent>(_ r: R) -> R { r }
@_silgen_name("library_12RegexBuilder0a9ComponentB0O17buildPartialBlock5first17_StringProcessing0A0Vy0A6OutputQzGx_tAF0aC0RzlFZ")
public static func libraryFirst<R: RegexComponent>(_ r: R) -> Regex<R.RegexOutput> { r.regex }
}
extension AlternationBuilder {
@_silgen_name("library_12RegexBuilder011AlternationB0V15buildExpressionyxx17_StringProcessing0A9ComponentRzlFZ") public static func libraryExpression<R: RegexComponent>(_ r: R) -> R { r }
@_silgen_name("library_12RegexBuilder011AlternationB0V17buildPartialBlock5firstAA8ChoiceOfVy0A6OutputQzGx_t17_StringProcessing0A9ComponentRzlFZ")
public static func libraryFirst<R: RegexComponent>(_ r: R) -> ChoiceOf<R.RegexOutput> { asIs(made(.choice([node(r)])) as Regex<R.RegexOutput>) }
}

// The components.
extension OneOrMore {
@_silgen_name("library_12RegexBuilder9OneOrMoreVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> OneOrMore<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder9OneOrMoreV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension ZeroOrMore {
@_silgen_name("library_12RegexBuilder10ZeroOrMoreVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> ZeroOrMore<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder10ZeroOrMoreV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension Optionally {
@_silgen_name("library_12RegexBuilder10OptionallyVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> Optionally<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder10OptionallyV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension Repeat {
@_silgen_name("library_12RegexBuilder6RepeatVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> Repeat<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder6RepeatV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension ChoiceOf {
@_silgen_name("library_12RegexBuilder8ChoiceOfVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> ChoiceOf<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder8ChoiceOfVyACyxGADyXEcfC") public static func libraryMake(_ f: () -> ChoiceOf<Output>) -> ChoiceOf<Output> { f() }
@_silgen_name("library_12RegexBuilder8ChoiceOfV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension Capture {
@_silgen_name("library_12RegexBuilder7CaptureVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> Capture<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder7CaptureV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension TryCapture {
@_silgen_name("library_12RegexBuilder10TryCaptureVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> TryCapture<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder10TryCaptureV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension Local {
@_silgen_name("library_12RegexBuilder5LocalVyACyxG17_StringProcessing0A0VyxGcfC") public static func libraryMake(_ r: __owned Regex<Output>) -> Local<Output> { asIs(r) }
@_silgen_name("library_12RegexBuilder5LocalV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension One {
@_silgen_name("library_12RegexBuilder3OneVyACyxGqd__c0A6OutputQyd__Rsz17_StringProcessing0A9ComponentRd__lufC") public static func libraryMake<R: RegexComponent>(_ r: __owned R) -> One<Output> where R.RegexOutput == Output { asIs(r.regex) }
@_silgen_name("library_12RegexBuilder3OneV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension Lookahead {
@_silgen_name("library_12RegexBuilder9LookaheadVyACyxGqd__c0A6OutputQyd__Rsz17_StringProcessing0A9ComponentRd__lufC") public static func libraryMake<R: RegexComponent>(_ r: __owned R) -> Lookahead<Output> where R.RegexOutput == Output { asIs(made(.ahead(node(r), negative: false)) as Regex<Output>) }
@_silgen_name("library_12RegexBuilder9LookaheadVyACyxGqd__yXEc0A6OutputQyd__Rsz17_StringProcessing0A9ComponentRd__lufC") public static func libraryMake<R: RegexComponent>(_ f: () -> R) -> Lookahead<Output> where R.RegexOutput == Output { asIs(made(.ahead(node(f()), negative: false)) as Regex<Output>) }
@_silgen_name("library_12RegexBuilder9LookaheadV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}
extension NegativeLookahead {
@_silgen_name("library_12RegexBuilder17NegativeLookaheadVyACyxGqd__c0A6OutputQyd__Rsz17_StringProcessing0A9ComponentRd__lufC") public static func libraryMake<R: RegexComponent>(_ r: __owned R) -> NegativeLookahead<Output> where R.RegexOutput == Output { asIs(made(.ahead(node(r), negative: true)) as Regex<Output>) }
@_silgen_name("library_12RegexBuilder17NegativeLookaheadVyACyxGqd__yXEc0A6OutputQyd__Rsz17_StringProcessing0A9ComponentRd__lufC") public static func libraryMake<R: RegexComponent>(_ f: () -> R) -> NegativeLookahead<Output> where R.RegexOutput == Output { asIs(made(.ahead(node(f()), negative: true)) as Regex<Output>) }
@_silgen_name("library_12RegexBuilder17NegativeLookaheadV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Output> { asIs(self) }
}

extension Reference {
@_silgen_name("library_12RegexBuilder9ReferenceVyACyxGxmcfC") public static func libraryMake(_ t: Capture.Type) -> Reference<Capture> {
  lastReference += 1
  return asIs(lastReference)
}
@_silgen_name("library_12RegexBuilder9ReferenceV4_rawSivg") public func libraryRaw() -> Int { asIs(self) }
@_silgen_name("library_12RegexBuilder9ReferenceV5regex17_StringProcessing0A0VyxGvg") public func libraryRegex() -> Regex<Capture> { made(.reference(asIs(self))) }
}
nonisolated(unsafe) var lastReference = 0
extension Regex.Match {
@_silgen_name("library_17_StringProcessing5RegexV5MatchV0C7BuilderEyqd__AF9ReferenceVyqd__Gcluig") public func libraryReferenced<T>(_ r: Reference<T>) -> T {
  let o = (asIs(self) as PatternMatch).output, id: Int = asIs(r)
  guard let e = o.elements.first(where: { $0.reference == id }) else { preconditionFailure("Reference did not capture any match in the regex") }
  return elementValue(e, o.input) as! T
}
}

// Texts, anchors and classes of characters.
extension String {
@_silgen_name("library_SS12RegexBuilderE5regex17_StringProcessing0A0VySsGvg") public func libraryRegex() -> Regex<Substring> { made(verbatim(self)) }
}
extension Substring {
@_silgen_name("library_Ss12RegexBuilderE5regex17_StringProcessing0A0VySsGvg") public func libraryRegex() -> Regex<Substring> { made(verbatim(String(self))) }
}
extension Character {
@_silgen_name("library_SJ12RegexBuilderE5regex17_StringProcessing0A0VySsGvg") public func libraryRegex() -> Regex<Substring> { made(.char(self)) }
}
extension Unicode.Scalar {
@_silgen_name("library_s7UnicodeO6ScalarV12RegexBuilderE5regex17_StringProcessing0C0VySsGvg") public func libraryRegex() -> Regex<Substring> { made(.scalar(self)) }
}

// An Anchor is its kind, of which there are eight in this order, and whether it is inverted.
let anchors: [(PatternAnchor, PatternAnchor?)] = [(.start, nil), (.endBeforeNewline, nil), (.end, nil), (.first, nil), (.segment, .notSegment), (.startOfLine, nil), (.endOfLine, nil), (.word, .notWord)]
extension Anchor {
  static func of(_ n: UInt8) -> Anchor { asIs((n, false)) }
@_silgen_name("library_12RegexBuilder6AnchorV14startOfSubjectACvgZ") public static func library0() -> Anchor { of(0) }
@_silgen_name("library_12RegexBuilder6AnchorV25endOfSubjectBeforeNewlineACvgZ") public static func library1() -> Anchor { of(1) }
@_silgen_name("library_12RegexBuilder6AnchorV12endOfSubjectACvgZ") public static func library2() -> Anchor { of(2) }
@_silgen_name("library_12RegexBuilder6AnchorV30firstMatchingPositionInSubjectACvgZ") public static func library3() -> Anchor { of(3) }
@_silgen_name("library_12RegexBuilder6AnchorV19textSegmentBoundaryACvgZ") public static func library4() -> Anchor { of(4) }
@_silgen_name("library_12RegexBuilder6AnchorV11startOfLineACvgZ") public static func library5() -> Anchor { of(5) }
@_silgen_name("library_12RegexBuilder6AnchorV9endOfLineACvgZ") public static func library6() -> Anchor { of(6) }
@_silgen_name("library_12RegexBuilder6AnchorV12wordBoundaryACvgZ") public static func library7() -> Anchor { of(7) }
@_silgen_name("library_12RegexBuilder6AnchorV8invertedACvg") public func libraryInverted() -> Anchor {
  let (n, i): (UInt8, Bool) = asIs(self)
  return asIs((n, !i))
}
@_silgen_name("library_12RegexBuilder6AnchorV5regex17_StringProcessing0A0VySsGvg") public func libraryRegex() -> Regex<Substring> {
  let (n, i): (UInt8, Bool) = asIs(self), (yes, no) = anchors[Int(n)]
  return made(!i ? .anchor(yes) : no.map { .anchor($0) } ?? .ahead(.anchor(yes), negative: true))
}
}

// A CharacterClass is three words in the library; here an object and nothing.
final class LibraryClass {
  let set: PatternSet, single: PatternNode?
  init(_ s: PatternSet, _ n: PatternNode? = nil) {
    set = s
    single = n
  }
}
struct LibraryClassValue {
  let object: LibraryClass
  var a: UInt8 = 0, b: UInt8 = 0
}
func characters(_ s: PatternSet, _ n: PatternNode? = nil) -> CharacterClass { asIs(LibraryClassValue(object: LibraryClass(s, n))) }
func characters(_ k: PatternClass, _ inverted: Bool = false) -> CharacterClass { characters(PatternSet(members: [.builtin(k, inverted)]), .builtin(k, inverted)) }
extension CharacterClass {
  var object: LibraryClass { (asIs(self) as LibraryClassValue).object }
@_silgen_name("library_12RegexBuilder14CharacterClassV5regex17_StringProcessing0A0VySsGvg") public func libraryRegex() -> Regex<Substring> { made(object.single ?? .set(object.set)) }
@_silgen_name("library_12RegexBuilder14CharacterClassV8invertedACvg") public func libraryInverted() -> CharacterClass {
  let o = object
  if case .builtin(let k, let i)? = o.single, k != .any, k != .cluster { return characters(k, !i) }
  if case .anyButNewline? = o.single { refuse("the inverse of CharacterClass.anyNonNewline") }
  return characters(PatternSet(members: o.set.members, inverted: !o.set.inverted))
}
@_silgen_name("library_12RegexBuilder14CharacterClassV5unionyA2CF") public func libraryUnion(_ other: CharacterClass) -> CharacterClass { characters(PatternSet(members: [.set(object.set), .set(other.object.set)])) }
@_silgen_name("library_12RegexBuilder14CharacterClassV12intersectionyA2CF") public func libraryIntersection(_ other: CharacterClass) -> CharacterClass { characters(PatternSet(members: [.intersection(object.set, other.object.set)])) }
@_silgen_name("library_12RegexBuilder14CharacterClassV11subtractingyA2CF") public func librarySubtracting(_ other: CharacterClass) -> CharacterClass { characters(PatternSet(members: [.subtraction(object.set, other.object.set)])) }
@_silgen_name("library_12RegexBuilder14CharacterClassV19symmetricDifferenceyA2CF") public func libraryDifference(_ other: CharacterClass) -> CharacterClass { characters(PatternSet(members: [.difference(object.set, other.object.set)])) }
@_silgen_name("library_12RegexBuilder14CharacterClassV15generalCategoryyACs7UnicodeO07GeneralF0OFZ") public static func libraryCategory(_ c: Unicode.GeneralCategory) -> CharacterClass { characters(PatternSet(members: [.property(.category([c]))])) }
}
@_silgen_name("library_12RegexBuilder3zzzoiyAA14CharacterClassVSJ_SJtF") public func libraryRange(_ a: Character, _ b: Character) -> CharacterClass {
  guard let low = nfc(a), let high = nfc(b), low <= high else { refuse("a range of characters that are not one scalar each") }
  return characters(PatternSet(members: [.range(low, high)]))
}
@_silgen_name("library_12RegexBuilder3zzzoiyAA14CharacterClassVs7UnicodeO6ScalarV_AHtF") public func libraryRange(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> CharacterClass { libraryRange(Character(a), Character(b)) }
extension RegexComponent where Self == CharacterClass {
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE10whitespaceAFvgZ") public static func library_whitespace() -> CharacterClass { characters(.space) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE15newlineSequenceAFvgZ") public static func library_newlineSequence() -> CharacterClass { characters(.newline) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE18anyGraphemeClusterAFvgZ") public static func library_anyGraphemeCluster() -> CharacterClass { characters(.cluster) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE18verticalWhitespaceAFvgZ") public static func library_verticalWhitespace() -> CharacterClass { characters(.vertical) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE20horizontalWhitespaceAFvgZ") public static func library_horizontalWhitespace() -> CharacterClass { characters(.horizontal) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE4wordAFvgZ") public static func library_word() -> CharacterClass { characters(.word) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE5digitAFvgZ") public static func library_digit() -> CharacterClass { characters(.digit) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE3anyAFvgZ") public static func library_any() -> CharacterClass { characters(PatternSet(members: [.builtin(.any, false)]), .any) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE13anyNonNewlineAFvgZ") public static func library_anyNonNewline() -> CharacterClass { characters(PatternSet(members: [.builtin(.newline, true)]), .anyButNewline) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE8hexDigitAFvgZ") public static func library_hexDigit() -> CharacterClass { characters(PatternSet(members: [.range("A", "F"), .range("a", "f"), .range("0", "9")])) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE5anyOfyAFqd__STRd__SJ7ElementRtd__lFZ") public static func libraryAnyOf<S: Sequence>(_ s: S) -> CharacterClass where S.Element == Character { characters(PatternSet(members: s.map { .char($0) })) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlE5anyOfyAFqd__STRd__s7UnicodeO6ScalarV7ElementRtd__lFZ") public static func libraryAnyOf<S: Sequence>(_ s: S) -> CharacterClass where S.Element == Unicode.Scalar { characters(PatternSet(members: s.map { .scalar($0) })) }
@_silgen_name("library_17_StringProcessing14RegexComponentP0C7BuilderAD14CharacterClassVRszrlEyA2F_AFdtcfC") public static func libraryAnyOf(_ first: __owned CharacterClass, _ rest: __owned [CharacterClass]) -> CharacterClass {
  characters(PatternSet(members: ([first] + rest).map { .set($0.object.set) }))
}
}

extension BidirectionalCollection where SubSequence == Substring {
@_silgen_name("library_SK12RegexBuilderSs11SubSequenceRtzrlE8containsySbqd__yXE17_StringProcessing0A9ComponentRd__lF") public func libraryBuiltContains<R: RegexComponent>(_ f: () -> R) -> Bool { found(f(), .first) != nil }
@_silgen_name("library_SK12RegexBuilderSs11SubSequenceRtzrlE10firstMatch2of17_StringProcessing0A0V0F0Vyqd___GSgqd_0_yXE_t0A6OutputQyd_0_Rsd__AF0A9ComponentRd_0_r0_lF")
public func libraryBuiltFirst<O, R: RegexComponent>(_ f: () -> R) -> Regex<O>.Match? where R.RegexOutput == O { found(f(), .first).map { asIs($0) } }
@_silgen_name("library_SK12RegexBuilderSs11SubSequenceRtzrlE10wholeMatch2of17_StringProcessing0A0V0F0Vyqd___GSgqd_0_yXE_t0A6OutputQyd_0_Rsd__AF0A9ComponentRd_0_r0_lF")
public func libraryBuiltWhole<O, R: RegexComponent>(_ f: () -> R) -> Regex<O>.Match? where R.RegexOutput == O { found(f(), .whole).map { asIs($0) } }
@_silgen_name("library_SK12RegexBuilderSs11SubSequenceRtzrlE11prefixMatch2of17_StringProcessing0A0V0F0Vyqd___GSgqd_0_yXE_t0A6OutputQyd_0_Rsd__AF0A9ComponentRd_0_r0_lF")
public func libraryBuiltPrefix<O, R: RegexComponent>(_ f: () -> R) -> Regex<O>.Match? where R.RegexOutput == O { found(f(), .prefix).map { asIs($0) } }
@_silgen_name("library_SK12RegexBuilderSs11SubSequenceRtzrlE7matches2ofSay17_StringProcessing0A0V5MatchVyqd___GGqd_0_yXE_t0A6OutputQyd_0_Rsd__AF0A9ComponentRd_0_r0_lF")
public func libraryBuiltMatches<O, R: RegexComponent>(_ f: () -> R) -> [Regex<O>.Match] where R.RegexOutput == O { libraryMatches(f()) }
}

// Witnesses, by address.
@_silgen_name("library_OneOrMore_regex") public func regexOneOrMore<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<OneOrMore<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_ZeroOrMore_regex") public func regexZeroOrMore<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<ZeroOrMore<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_Optionally_regex") public func regexOptionally<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Optionally<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_Repeat_regex") public func regexRepeat<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Repeat<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_ChoiceOf_regex") public func regexChoiceOf<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<ChoiceOf<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_Capture_regex") public func regexCapture<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Capture<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_TryCapture_regex") public func regexTryCapture<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<TryCapture<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_Local_regex") public func regexLocal<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Local<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_One_regex") public func regexOne<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<One<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_Lookahead_regex") public func regexLookahead<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<Lookahead<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_NegativeLookahead_regex") public func regexNegativeLookahead<O>(_ o: UnsafeMutablePointer<Regex<O>>, _ s: UnsafeMutablePointer<NegativeLookahead<O>>) { o.initialize(to: asIs(s.pointee)) }
@_silgen_name("library_String_regex") public func regexString(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<String>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_Substring_regex") public func regexSubstring(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<Substring>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_Character_regex") public func regexCharacter(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<Character>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_Unicode_Scalar_regex") public func regexUnicode_Scalar(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<Unicode.Scalar>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_Anchor_regex") public func regexAnchor(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<Anchor>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_CharacterClass_regex") public func regexCharacterClass(_ o: UnsafeMutablePointer<Regex<Substring>>, _ s: UnsafeMutablePointer<CharacterClass>) { o.initialize(to: s.pointee.libraryRegex()) }
@_silgen_name("library_Reference_regex") public func regexReference<C>(_ o: UnsafeMutablePointer<Regex<C>>, _ s: UnsafeMutablePointer<Reference<C>>) { o.initialize(to: s.pointee.libraryRegex()) }
