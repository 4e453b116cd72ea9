// Durations and the clocks that measure them. A duration is a number of attoseconds of 128 bits.

extension Duration {
@inline(__always) var count: Int128 { Int128(_high) << 64 | Int128(_low) }
@inline(__always) init(count n: Int128) { self.init(_high: Int64(truncatingIfNeeded: n >> 64), low: UInt64(truncatingIfNeeded: n)) }
// The whole part is scaled without rounding; it traps where it is too large.
@inline(__always) init(_ d: Double, scale: Int128) {
  let whole = d.rounded(.towardZero)
  self.init(count: Int128(whole) * scale + Int128(((d - whole) * Double(scale)).rounded()))
}
@_silgen_name("library_s8DurationV1poiyA2B_ABtFZ") public static func plus(_ a: Duration, _ b: Duration) -> Duration { Duration(count: a.count + b.count) }
@_silgen_name("library_s8DurationV1soiyA2B_ABtFZ") public static func minus(_ a: Duration, _ b: Duration) -> Duration { Duration(count: a.count - b.count) }
@_silgen_name("library_s8DurationV2peoiyyABz_ABtFZ") public static func add(_ a: inout Duration, _ b: Duration) { a = Duration(count: a.count + b.count) }
@_silgen_name("library_s8DurationV2seoiyyABz_ABtFZ") public static func subtract(_ a: inout Duration, _ b: Duration) { a = Duration(count: a.count - b.count) }
@_silgen_name("library_s8DurationV1doiyA2B_xtSzRzlFZ") public static func over<T: BinaryInteger>(_ a: Duration, _ b: T) -> Duration { Duration(count: a.count / Int128(b)) }
@_silgen_name("library_s8DurationV2deoiyyABz_xtSzRzlFZ") public static func divide<T: BinaryInteger>(_ a: inout Duration, _ b: T) { a = Duration(count: a.count / Int128(b)) }
@_silgen_name("library_s8DurationV1moiyA2B_xtSzRzlFZ") public static func times<T: BinaryInteger>(_ a: Duration, _ b: T) -> Duration { Duration(count: a.count * Int128(b)) }
@_silgen_name("library_s8DurationV2meoiyyABz_xtSzRzlFZ") public static func multiply<T: BinaryInteger>(_ a: inout Duration, _ b: T) { a = Duration(count: a.count * Int128(b)) }
@_silgen_name("library_s8DurationV1doiyA2B_SdtFZ") public static func overNumber(_ a: Duration, _ b: Double) -> Duration { Duration(count: Int128(Double(a.count) / b)) }
@_silgen_name("library_s8DurationV2deoiyyABz_SdtFZ") public static func divideByNumber(_ a: inout Duration, _ b: Double) { a = Duration(count: Int128(Double(a.count) / b)) }
@_silgen_name("library_s8DurationV1moiyA2B_SdtFZ") public static func timesNumber(_ a: Duration, _ b: Double) -> Duration { Duration(count: Int128(Double(a.count) * b)) }
@_silgen_name("library_s8DurationV1doiySdAB_ABtFZ") public static func ratio(_ a: Duration, _ b: Duration) -> Double { Double(a.count) / Double(b.count) }
@_silgen_name("library_s8DurationV2eeoiySbAB_ABtFZ") public static func same(_ a: Duration, _ b: Duration) -> Bool { a.count == b.count }
@_silgen_name("library_s8DurationV1loiySbAB_ABtFZ") public static func less(_ a: Duration, _ b: Duration) -> Bool { a.count < b.count }
@_silgen_name("library_s8DurationV4zeroABvgZ") public static func none() -> Duration { Duration(count: 0) }
@_silgen_name("library_s8DurationV16secondsComponent011attosecondsC0ABs5Int64V_AFtcfC") public static func ofParts(_ s: Int64, _ a: Int64) -> Duration { Duration(count: Int128(s) * 1_000_000_000_000_000_000 + Int128(a)) }
@_silgen_name("library_s8DurationV10componentss5Int64V7seconds_AE11attosecondstvg") public func parts() -> (Int64, Int64) { (Int64(count / 1_000_000_000_000_000_000), Int64(count % 1_000_000_000_000_000_000)) }
@_silgen_name("library_s8DurationV7secondsyABSdFZ") public static func ofSeconds(_ d: Double) -> Duration { Duration(d, scale: 1_000_000_000_000_000_000) }
@_silgen_name("library_s8DurationV12millisecondsyABSdFZ") public static func ofMilliseconds(_ d: Double) -> Duration { Duration(d, scale: 1_000_000_000_000_000) }
@_silgen_name("library_s8DurationV12microsecondsyABSdFZ") public static func ofMicroseconds(_ d: Double) -> Duration { Duration(d, scale: 1_000_000_000_000) }
@_silgen_name("library_s8DurationV4hash4intoys6HasherVz_tF") public func combine(_ h: inout Hasher) { h.combine(count) }
@_silgen_name("library_s8DurationV9hashValueSivg") public func hashed() -> Int { var h = Hasher(); h.combine(count); return h.finalize() }
@_silgen_name("library_s8DurationV11descriptionSSvg") public func text() -> String { (Double(count) / 1e18).description + " seconds" }
}
extension DurationProtocol {
@_silgen_name("library_s16DurationProtocolPsE2deoiyyxz_SitFZ") public static func divide(_ a: inout Self, _ b: Int) { a = a / b }
@_silgen_name("library_s16DurationProtocolPsE2meoiyyxz_SitFZ") public static func multiply(_ a: inout Self, _ b: Int) { a = a * b }
}

// The witnesses of Duration, by address.
@_silgen_name("library_Duration_plus") public func durationPlus(_ o: LibraryPointer<Duration>, _ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) { o.initialize(to: .plus(a.pointee, b.pointee)) }
@_silgen_name("library_Duration_minus") public func durationMinus(_ o: LibraryPointer<Duration>, _ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) { o.initialize(to: .minus(a.pointee, b.pointee)) }
@_silgen_name("library_Duration_plusTo") public func durationAdd(_ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) { a.pointee = .plus(a.pointee, b.pointee) }
@_silgen_name("library_Duration_minusTo") public func durationSubtract(_ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) { a.pointee = .minus(a.pointee, b.pointee) }
@_silgen_name("library_Duration_zero") public func durationZero(_ o: LibraryPointer<Duration>) { o.initialize(to: Duration(count: 0)) }
@_silgen_name("library_Duration_timesInt") public func durationTimes(_ o: LibraryPointer<Duration>, _ a: LibraryPointer<Duration>, _ n: Int) { o.initialize(to: Duration(count: a.pointee.count * Int128(n))) }
@_silgen_name("library_Duration_overInt") public func durationOver(_ o: LibraryPointer<Duration>, _ a: LibraryPointer<Duration>, _ n: Int) { o.initialize(to: Duration(count: a.pointee.count / Int128(n))) }
@_silgen_name("library_Duration_timesIntTo") public func durationMultiply(_ a: LibraryPointer<Duration>, _ n: Int) { a.pointee = Duration(count: a.pointee.count * Int128(n)) }
@_silgen_name("library_Duration_overIntTo") public func durationDivide(_ a: LibraryPointer<Duration>, _ n: Int) { a.pointee = Duration(count: a.pointee.count / Int128(n)) }
@_silgen_name("library_Duration_ratio") public func durationRatio(_ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) -> Double { Duration.ratio(a.pointee, b.pointee) }
@_silgen_name("library_Duration_less") public func durationLess(_ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) -> Bool { a.pointee.count < b.pointee.count }
@_silgen_name("library_Duration_equal") public func durationEqual(_ a: LibraryPointer<Duration>, _ b: LibraryPointer<Duration>) -> Bool { a.pointee.count == b.pointee.count }
@_silgen_name("library_Duration_hash") public func durationHash(_ h: LibraryPointer<Hasher>, _ v: LibraryPointer<Duration>) { h.pointee.combine(v.pointee.count) }
@_silgen_name("library_Duration_description") public func durationText(_ v: LibraryPointer<Duration>) -> String { v.pointee.text() }
