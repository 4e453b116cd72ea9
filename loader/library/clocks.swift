// The clocks, which are virtual: a task that sleeps takes no time outside of the program.

@inline(__always) func clockDuration() -> Duration { .nanoseconds(Int64(clockNow())) }

// Sleeps until a time of the clock; what is past already takes no time.
func sleepUntil(_ at: Duration) throws {
  let left = at - clockDuration()
  let (s, a) = left.components
  try sleepFor(s < 0 || s == 0 && a <= 0 ? 0 : UInt(s) * 1_000_000_000 + UInt(a) / 1_000_000_000 + (a % 1_000_000_000 > 0 ? 1 : 0))
}

extension ContinuousClock.Instant {
@inline(__always) var value: Duration { unsafeBitCast(self, to: Duration.self) }
@inline(__always) static func of(_ d: Duration) -> ContinuousClock.Instant { unsafeBitCast(d, to: ContinuousClock.Instant.self) }
@_silgen_name("library_s15ContinuousClockV7InstantV3nowADvgZ") public static func libraryNow() -> ContinuousClock.Instant { of(clockDuration()) }
@_silgen_name("library_s15ContinuousClockV7InstantV8advanced2byADs8DurationV_tF") public func libraryAdvanced(_ d: Duration) -> ContinuousClock.Instant { .of(value + d) }
@_silgen_name("library_s15ContinuousClockV7InstantV8duration2tos8DurationVAD_tF") public func libraryDuration(_ o: ContinuousClock.Instant) -> Duration { o.value - value }
@_silgen_name("library_s15ContinuousClockV7InstantV1loiySbAD_ADtFZ") public static func libraryLess(_ a: ContinuousClock.Instant, _ b: ContinuousClock.Instant) -> Bool { a.value < b.value }
@_silgen_name("library_s15ContinuousClockV7InstantV2eeoiySbAD_ADtFZ") public static func libraryEqual(_ a: ContinuousClock.Instant, _ b: ContinuousClock.Instant) -> Bool { a.value == b.value }
@_silgen_name("library_s15ContinuousClockV7InstantV1poiyA2D_s8DurationVtFZ") public static func libraryPlus(_ a: ContinuousClock.Instant, _ d: Duration) -> ContinuousClock.Instant { .of(a.value + d) }
@_silgen_name("library_s15ContinuousClockV7InstantV1soiyA2D_s8DurationVtFZ") public static func libraryMinus(_ a: ContinuousClock.Instant, _ d: Duration) -> ContinuousClock.Instant { .of(a.value - d) }
@_silgen_name("library_s15ContinuousClockV7InstantV1soiys8DurationVAD_ADtFZ") public static func libraryBetween(_ a: ContinuousClock.Instant, _ b: ContinuousClock.Instant) -> Duration { a.value - b.value }
@_silgen_name("library_s15ContinuousClockV7InstantV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(value) }
@_silgen_name("library_s15ContinuousClockV7InstantV9hashValueSivg") public func libraryHashed() -> Int { value.hashValue }
}

extension ContinuousClock {
@_silgen_name("library_s15ContinuousClockVABycfC") public static func libraryMake() -> ContinuousClock { unsafeBitCast((), to: ContinuousClock.self) }
@_silgen_name("library_s15ContinuousClockV3nowAB7InstantVvg") public func libraryNow() -> ContinuousClock.Instant { .of(clockDuration()) }
@_silgen_name("library_s15ContinuousClockV3nowAB7InstantVvgZ") public static func libraryNowStatic() -> ContinuousClock.Instant { .of(clockDuration()) }
@_silgen_name("library_s15ContinuousClockV17minimumResolutions8DurationVvg") public func libraryResolution() -> Duration { .nanoseconds(1) }
@_silgen_name("library_s15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF") public func librarySleep(_ at: ContinuousClock.Instant, _ tolerance: Duration?) throws { try sleepUntil(at.value) }
}

// The witnesses, by address.
@_silgen_name("library_ContinuousClock_now") public func continuousClockNow(_ o: UnsafeMutablePointer<ContinuousClock.Instant>, _ c: UnsafeMutablePointer<ContinuousClock>) { o.initialize(to: .of(clockDuration())) }
@_silgen_name("library_ContinuousClock_resolution") public func continuousClockResolution(_ o: UnsafeMutablePointer<Duration>, _ c: UnsafeMutablePointer<ContinuousClock>) { o.initialize(to: .nanoseconds(1)) }
@_silgen_name("library_ContinuousClock_sleep") public func continuousClockSleep(_ at: UnsafeMutablePointer<ContinuousClock.Instant>, _ tolerance: UnsafeMutablePointer<Duration?>, _ c: UnsafeMutablePointer<ContinuousClock>) throws { try sleepUntil(at.pointee.value) }
@_silgen_name("library_ContinuousClock_Instant_advanced") public func continuousClockAdvanced(_ o: UnsafeMutablePointer<ContinuousClock.Instant>, _ d: UnsafeMutablePointer<Duration>, _ a: UnsafeMutablePointer<ContinuousClock.Instant>) { o.initialize(to: .of(a.pointee.value + d.pointee)) }
@_silgen_name("library_ContinuousClock_Instant_duration") public func continuousClockDuration(_ o: UnsafeMutablePointer<Duration>, _ to: UnsafeMutablePointer<ContinuousClock.Instant>, _ a: UnsafeMutablePointer<ContinuousClock.Instant>) { o.initialize(to: to.pointee.value - a.pointee.value) }
@_silgen_name("library_ContinuousClock_Instant_less") public func continuousClockLess(_ a: UnsafeMutablePointer<ContinuousClock.Instant>, _ b: UnsafeMutablePointer<ContinuousClock.Instant>) -> Bool { a.pointee.value < b.pointee.value }
@_silgen_name("library_ContinuousClock_Instant_equal") public func continuousClockEqual(_ a: UnsafeMutablePointer<ContinuousClock.Instant>, _ b: UnsafeMutablePointer<ContinuousClock.Instant>) -> Bool { a.pointee.value == b.pointee.value }
@_silgen_name("library_ContinuousClock_Instant_hash") public func continuousClockHash(_ h: UnsafeMutablePointer<Hasher>, _ a: UnsafeMutablePointer<ContinuousClock.Instant>) { h.pointee.combine(a.pointee.value) }

extension SuspendingClock.Instant {
@inline(__always) var value: Duration { unsafeBitCast(self, to: Duration.self) }
@inline(__always) static func of(_ d: Duration) -> SuspendingClock.Instant { unsafeBitCast(d, to: SuspendingClock.Instant.self) }
@_silgen_name("library_s15SuspendingClockV7InstantV3nowADvgZ") public static func libraryNow() -> SuspendingClock.Instant { of(clockDuration()) }
@_silgen_name("library_s15SuspendingClockV7InstantV8advanced2byADs8DurationV_tF") public func libraryAdvanced(_ d: Duration) -> SuspendingClock.Instant { .of(value + d) }
@_silgen_name("library_s15SuspendingClockV7InstantV8duration2tos8DurationVAD_tF") public func libraryDuration(_ o: SuspendingClock.Instant) -> Duration { o.value - value }
@_silgen_name("library_s15SuspendingClockV7InstantV1loiySbAD_ADtFZ") public static func libraryLess(_ a: SuspendingClock.Instant, _ b: SuspendingClock.Instant) -> Bool { a.value < b.value }
@_silgen_name("library_s15SuspendingClockV7InstantV2eeoiySbAD_ADtFZ") public static func libraryEqual(_ a: SuspendingClock.Instant, _ b: SuspendingClock.Instant) -> Bool { a.value == b.value }
@_silgen_name("library_s15SuspendingClockV7InstantV1poiyA2D_s8DurationVtFZ") public static func libraryPlus(_ a: SuspendingClock.Instant, _ d: Duration) -> SuspendingClock.Instant { .of(a.value + d) }
@_silgen_name("library_s15SuspendingClockV7InstantV1soiyA2D_s8DurationVtFZ") public static func libraryMinus(_ a: SuspendingClock.Instant, _ d: Duration) -> SuspendingClock.Instant { .of(a.value - d) }
@_silgen_name("library_s15SuspendingClockV7InstantV1soiys8DurationVAD_ADtFZ") public static func libraryBetween(_ a: SuspendingClock.Instant, _ b: SuspendingClock.Instant) -> Duration { a.value - b.value }
@_silgen_name("library_s15SuspendingClockV7InstantV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(value) }
@_silgen_name("library_s15SuspendingClockV7InstantV9hashValueSivg") public func libraryHashed() -> Int { value.hashValue }
}

extension SuspendingClock {
@_silgen_name("library_s15SuspendingClockVABycfC") public static func libraryMake() -> SuspendingClock { unsafeBitCast((), to: SuspendingClock.self) }
@_silgen_name("library_s15SuspendingClockV3nowAB7InstantVvg") public func libraryNow() -> SuspendingClock.Instant { .of(clockDuration()) }
@_silgen_name("library_s15SuspendingClockV3nowAB7InstantVvgZ") public static func libraryNowStatic() -> SuspendingClock.Instant { .of(clockDuration()) }
@_silgen_name("library_s15SuspendingClockV17minimumResolutions8DurationVvg") public func libraryResolution() -> Duration { .nanoseconds(1) }
@_silgen_name("library_s15SuspendingClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF") public func librarySleep(_ at: SuspendingClock.Instant, _ tolerance: Duration?) throws { try sleepUntil(at.value) }
}

// The witnesses, by address.
@_silgen_name("library_SuspendingClock_now") public func suspendingClockNow(_ o: UnsafeMutablePointer<SuspendingClock.Instant>, _ c: UnsafeMutablePointer<SuspendingClock>) { o.initialize(to: .of(clockDuration())) }
@_silgen_name("library_SuspendingClock_resolution") public func suspendingClockResolution(_ o: UnsafeMutablePointer<Duration>, _ c: UnsafeMutablePointer<SuspendingClock>) { o.initialize(to: .nanoseconds(1)) }
@_silgen_name("library_SuspendingClock_sleep") public func suspendingClockSleep(_ at: UnsafeMutablePointer<SuspendingClock.Instant>, _ tolerance: UnsafeMutablePointer<Duration?>, _ c: UnsafeMutablePointer<SuspendingClock>) throws { try sleepUntil(at.pointee.value) }
@_silgen_name("library_SuspendingClock_Instant_advanced") public func suspendingClockAdvanced(_ o: UnsafeMutablePointer<SuspendingClock.Instant>, _ d: UnsafeMutablePointer<Duration>, _ a: UnsafeMutablePointer<SuspendingClock.Instant>) { o.initialize(to: .of(a.pointee.value + d.pointee)) }
@_silgen_name("library_SuspendingClock_Instant_duration") public func suspendingClockDuration(_ o: UnsafeMutablePointer<Duration>, _ to: UnsafeMutablePointer<SuspendingClock.Instant>, _ a: UnsafeMutablePointer<SuspendingClock.Instant>) { o.initialize(to: to.pointee.value - a.pointee.value) }
@_silgen_name("library_SuspendingClock_Instant_less") public func suspendingClockLess(_ a: UnsafeMutablePointer<SuspendingClock.Instant>, _ b: UnsafeMutablePointer<SuspendingClock.Instant>) -> Bool { a.pointee.value < b.pointee.value }
@_silgen_name("library_SuspendingClock_Instant_equal") public func suspendingClockEqual(_ a: UnsafeMutablePointer<SuspendingClock.Instant>, _ b: UnsafeMutablePointer<SuspendingClock.Instant>) -> Bool { a.pointee.value == b.pointee.value }
@_silgen_name("library_SuspendingClock_Instant_hash") public func suspendingClockHash(_ h: UnsafeMutablePointer<Hasher>, _ a: UnsafeMutablePointer<SuspendingClock.Instant>) { h.pointee.combine(a.pointee.value) }


extension Clock {
@_silgen_name("library_s5ClockPsE7measurey8DurationQzyyKXEKF") public func libraryMeasure(_ work: () throws -> Void) throws -> Instant.Duration {
  let start = now
  try work()
  return start.duration(to: now)
}
@_silgen_name("library_s5ClockPsE7measurey8DurationQzyyYaKXEYaKF") public func libraryMeasureAsync(_ work: () throws -> Void) throws -> Instant.Duration {
  let start = now
  try work()
  return start.duration(to: now)
}
}
extension Clock where Self == ContinuousClock {
@_silgen_name("library_s5ClockPss010ContinuousA0VRszrlE10continuousADvgZ") public static func libraryContinuous() -> ContinuousClock { unsafeBitCast((), to: ContinuousClock.self) }
}
extension Clock where Self == SuspendingClock {
@_silgen_name("library_s5ClockPss010SuspendingA0VRszrlE10suspendingADvgZ") public static func librarySuspending() -> SuspendingClock { unsafeBitCast((), to: SuspendingClock.self) }
}
