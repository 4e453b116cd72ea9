// What the library's small types do as Equatable, Hashable, Identifiable and CustomStringConvertible where no program has the body.

extension Identifiable where Self: AnyObject {
@_silgen_name("library_s12IdentifiablePsRlzCrlE2idSOvg") public func ownID() -> ObjectIdentifier { ObjectIdentifier(self) }
}
extension Mirror.DisplayStyle {
@_silgen_name("library_s6MirrorV12DisplayStyleO2eeoiySbAD_ADtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { number(a) == number(b) }
@_silgen_name("library_s6MirrorV12DisplayStyleO4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(Int(number(self))) }
}
extension FloatingPointRoundingRule {
@_silgen_name("library_s25FloatingPointRoundingRuleO2eeoiySbAB_ABtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { number(a) == number(b) }
@_silgen_name("library_s25FloatingPointRoundingRuleO4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(Int(number(self))) }
}
extension FloatingPointClassification {
@_silgen_name("library_s27FloatingPointClassificationO2eeoiySbAB_ABtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { number(a) == number(b) }
@_silgen_name("library_s27FloatingPointClassificationO4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(Int(number(self))) }
}
extension Unicode.GeneralCategory {
@_silgen_name("library_s7UnicodeO15GeneralCategoryO2eeoiySbAD_ADtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { number(a) == number(b) }
@_silgen_name("library_s7UnicodeO15GeneralCategoryO4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(Int(number(self))) }
}
extension Unicode.NumericType {
@_silgen_name("library_s7UnicodeO11NumericTypeO2eeoiySbAD_ADtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { number(a) == number(b) }
@_silgen_name("library_s7UnicodeO11NumericTypeO4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(Int(number(self))) }
}
// number is the number of the case of an enum of one byte.
@inline(__always) func number<T>(_ t: T) -> UInt8 { unsafeBitCast(t, to: UInt8.self) }
extension Unicode.CanonicalCombiningClass {
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV12notReorderedADvgZ") public static func class0() -> Self { Self(rawValue: 0) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV7overlayADvgZ") public static func class1() -> Self { Self(rawValue: 1) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV5nuktaADvgZ") public static func class7() -> Self { Self(rawValue: 7) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV11kanaVoicingADvgZ") public static func class8() -> Self { Self(rawValue: 8) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV6viramaADvgZ") public static func class9() -> Self { Self(rawValue: 9) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV17attachedBelowLeftADvgZ") public static func class200() -> Self { Self(rawValue: 200) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV13attachedBelowADvgZ") public static func class202() -> Self { Self(rawValue: 202) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV13attachedAboveADvgZ") public static func class214() -> Self { Self(rawValue: 214) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV18attachedAboveRightADvgZ") public static func class216() -> Self { Self(rawValue: 216) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV9belowLeftADvgZ") public static func class218() -> Self { Self(rawValue: 218) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV5belowADvgZ") public static func class220() -> Self { Self(rawValue: 220) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV10belowRightADvgZ") public static func class222() -> Self { Self(rawValue: 222) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV4leftADvgZ") public static func class224() -> Self { Self(rawValue: 224) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV5rightADvgZ") public static func class226() -> Self { Self(rawValue: 226) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV9aboveLeftADvgZ") public static func class228() -> Self { Self(rawValue: 228) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV5aboveADvgZ") public static func class230() -> Self { Self(rawValue: 230) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV10aboveRightADvgZ") public static func class232() -> Self { Self(rawValue: 232) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV11doubleBelowADvgZ") public static func class233() -> Self { Self(rawValue: 233) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV11doubleAboveADvgZ") public static func class234() -> Self { Self(rawValue: 234) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV13iotaSubscriptADvgZ") public static func class240() -> Self { Self(rawValue: 240) }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV1loiySbAD_ADtFZ") public static func less(_ a: Self, _ b: Self) -> Bool { a.rawValue < b.rawValue }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV2eeoiySbAD_ADtFZ") public static func same(_ a: Self, _ b: Self) -> Bool { a.rawValue == b.rawValue }
@_silgen_name("library_s7UnicodeO23CanonicalCombiningClassV4hash4intoys6HasherVz_tF") public func feed(_ h: inout Hasher) { h.combine(rawValue) }
}
extension ArraySlice {
@_silgen_name("library_s10ArraySliceV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension ContiguousArray {
@_silgen_name("library_s15ContiguousArrayV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension CollectionOfOne {
@_silgen_name("library_s15CollectionOfOneV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension StaticString {
@_silgen_name("library_s12StaticStringV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension String.UTF8View {
@_silgen_name("library_SS8UTF8ViewV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension String.UTF16View {
@_silgen_name("library_SS9UTF16ViewV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension String.UnicodeScalarView {
@_silgen_name("library_SS17UnicodeScalarViewV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension Dictionary.Keys {
@_silgen_name("library_SD4KeysV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension Dictionary.Values {
@_silgen_name("library_SD6ValuesV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension ObjectIdentifier {
@_silgen_name("library_SO16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension OpaquePointer {
@_silgen_name("library_s13OpaquePointerV16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension UnsafeBufferPointer {
@_silgen_name("library_SR16debugDescriptionSSvg") public func debugText() -> String { bufferText("UnsafeBufferPointer", UnsafeRawPointer(baseAddress), count) }
}
extension UnsafeMutableBufferPointer {
@_silgen_name("library_Sr16debugDescriptionSSvg") public func debugText() -> String { bufferText("UnsafeMutableBufferPointer", UnsafeRawPointer(baseAddress), count) }
}
extension UnsafeRawBufferPointer {
@_silgen_name("library_SW16debugDescriptionSSvg") public func debugText() -> String { bufferText("UnsafeRawBufferPointer", baseAddress, count) }
}
extension UnsafeMutableRawBufferPointer {
@_silgen_name("library_Sw16debugDescriptionSSvg") public func debugText() -> String { bufferText("UnsafeMutableRawBufferPointer", UnsafeRawPointer(baseAddress), count) }
}
extension SIMD2 {
@_silgen_name("library_s5SIMD2V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD3 {
@_silgen_name("library_s5SIMD3V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD4 {
@_silgen_name("library_s5SIMD4V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD8 {
@_silgen_name("library_s5SIMD8V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD16 {
@_silgen_name("library_s6SIMD16V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD32 {
@_silgen_name("library_s6SIMD32V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension SIMD64 {
@_silgen_name("library_s6SIMD64V16debugDescriptionSSvg") public func debugText() -> String { String(reflecting: self) }
}
extension Dictionary.Keys {
@_silgen_name("library_SD4KeysV11descriptionSSvg") public func text() -> String { String(describing: self) }
}
extension Dictionary.Values {
@_silgen_name("library_SD6ValuesV11descriptionSSvg") public func text() -> String { String(describing: self) }
}
extension SIMD {
@_silgen_name("library_s4SIMDPsE11descriptionSSvg") public func text() -> String { String(describing: self) }
}
extension KeyValuePairs {
@_silgen_name("library_s13KeyValuePairsV11descriptionSSvg") public func text() -> String { pairs(self) }
@_silgen_name("library_s13KeyValuePairsV16debugDescriptionSSvg") public func debugText() -> String { pairs(self) }
}
extension ExpressibleByStringInterpolation where StringInterpolation == DefaultStringInterpolation {
@_silgen_name("library_s32ExpressibleByStringInterpolationPss07DefaultcD0V0cD0RtzrlE06stringD0xAD_tcfC") public static func interpolated(_ s: __owned DefaultStringInterpolation) -> Self { Self(stringLiteral: s.description) }
}
