// What command-line programs call of Foundation and FoundationEssentials: dates, the process, locks, threads. The types are the toolchain's own,
// whose text the program was loaded with; nothing here but bodies, over the scheduler of tasks and the run's own clock.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never
@_silgen_name("silvm_clock_now") func clockNow() -> UInt
@_silgen_name("silvm_task_fiber") func currentFiber() -> UInt
@_silgen_name("silvm_task_ready") func wakeFiber(_ fiber: UInt)
@_silgen_name("silvm_task_release") func orderRelease(_ key: UInt)
@_silgen_name("silvm_task_acquire") func orderAcquire(_ key: UInt)
@_silgen_name("silvm_thread_wait") func blockThread(_ why: UInt, _ on: UInt, _ ns: UInt)
@_silgen_name("swift_silvm_startThread") func startThread(_ body: @escaping () -> Void, _ onMain: Bool)
@_silgen_name("silvm_thread_isMain") func onMainThread() -> Bool
@_silgen_name("silvm_environment") func environmentEntry(_ n: Int) -> String

// Why a thread waits: the numbers of vm.Waiting.
@inline(__always) var waitsForTime: UInt { 4 }
@inline(__always) var waitsForLock: UInt { 8 }

@inline(__always) func word(_ x: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(x).toOpaque()) }

// Dates: seconds since the beginning of 2001, where the run's clock begins.

@inline(__always) var epoch: Double { 978307200 }
@inline(__always) var farPast: Double { -63114076800 }
@inline(__always) var farFuture: Double { 63113904000 }
@inline(__always) func secondsNow() -> Double { Double(clockNow()) / 1e9 }
@inline(__always) func date(_ s: Double) -> Date { unsafeBitCast(s, to: Date.self) }
@inline(__always) func seconds(_ d: Date) -> Double { unsafeBitCast(d, to: Double.self) }

nonisolated(unsafe) var datePast = farPast
nonisolated(unsafe) var dateFuture = farFuture
nonisolated(unsafe) var dateEpoch = epoch

extension Date {
@_silgen_name("library_20FoundationEssentials4DateVACycfC") public static func libraryMake() -> Date { date(secondsNow()) }
@_silgen_name("library_20FoundationEssentials4DateV3nowACvgZ") public static func libraryNow() -> Date { date(secondsNow()) }
@_silgen_name("library_20FoundationEssentials4DateV026timeIntervalSinceReferenceC0SdvgZ") public static func librarySecondsNow() -> Double { secondsNow() }
@_silgen_name("library_20FoundationEssentials4DateV026timeIntervalSinceReferenceC0ACSd_tcfC") public static func libraryMake(_ s: Double) -> Date { date(s) }
@_silgen_name("library_20FoundationEssentials4DateV21timeIntervalSince1970ACSd_tcfC") public static func libraryMake1970(_ s: Double) -> Date { date(s - epoch) }
@_silgen_name("library_20FoundationEssentials4DateV20timeIntervalSinceNowACSd_tcfC") public static func libraryMakeNow(_ s: Double) -> Date { date(s + secondsNow()) }
@_silgen_name("library_20FoundationEssentials4DateV12timeInterval5sinceACSd_ACtcfC") public static func libraryMake(_ s: Double, _ d: Date) -> Date { date(seconds(d) + s) }
@_silgen_name("library_20FoundationEssentials4DateV026timeIntervalSinceReferenceC0Sdvg") public func librarySeconds() -> Double { seconds(self) }
@_silgen_name("library_20FoundationEssentials4DateV21timeIntervalSince1970Sdvg") public func library1970() -> Double { seconds(self) + epoch }
@_silgen_name("library_20FoundationEssentials4DateV20timeIntervalSinceNowSdvg") public func librarySinceNow() -> Double { seconds(self) - secondsNow() }
@_silgen_name("library_20FoundationEssentials4DateV17timeIntervalSinceySdACF") public func librarySince(_ d: Date) -> Double { seconds(self) - seconds(d) }
@_silgen_name("library_20FoundationEssentials4DateV18addingTimeIntervalyACSdF") public func libraryAdding(_ s: Double) -> Date { date(seconds(self) + s) }
@_silgen_name("library_20FoundationEssentials4DateV15addTimeIntervalyySdF") public mutating func libraryAdd(_ s: Double) { self = date(seconds(self) + s) }
@_silgen_name("library_20FoundationEssentials4DateV1loiySbAC_ACtFZ") public static func libraryLess(_ a: Date, _ b: Date) -> Bool { seconds(a) < seconds(b) }
@_silgen_name("library_20FoundationEssentials4DateV1goiySbAC_ACtFZ") public static func libraryGreater(_ a: Date, _ b: Date) -> Bool { seconds(a) > seconds(b) }
@_silgen_name("library_20FoundationEssentials4DateV2eeoiySbAC_ACtFZ") public static func libraryEqual(_ a: Date, _ b: Date) -> Bool { seconds(a) == seconds(b) }
@_silgen_name("library_20FoundationEssentials4DateV1poiyA2C_SdtFZ") public static func libraryPlus(_ d: Date, _ s: Double) -> Date { date(seconds(d) + s) }
@_silgen_name("library_20FoundationEssentials4DateV1soiyA2C_SdtFZ") public static func libraryMinus(_ d: Date, _ s: Double) -> Date { date(seconds(d) - s) }
@_silgen_name("library_20FoundationEssentials4DateV2peoiyyACz_SdtFZ") public static func libraryAddTo(_ d: inout Date, _ s: Double) { d = date(seconds(d) + s) }
@_silgen_name("library_20FoundationEssentials4DateV2seoiyyACz_SdtFZ") public static func libraryTakeFrom(_ d: inout Date, _ s: Double) { d = date(seconds(d) - s) }
@_silgen_name("library_20FoundationEssentials4DateV8distance2toSdAC_tF") public func libraryDistance(_ d: Date) -> Double { seconds(d) - seconds(self) }
@_silgen_name("library_20FoundationEssentials4DateV8advanced2byACSd_tF") public func libraryAdvanced(_ s: Double) -> Date { date(seconds(self) + s) }
@_silgen_name("library_20FoundationEssentials4DateV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(seconds(self)) }
@_silgen_name("library_20FoundationEssentials4DateV9hashValueSivg") public func libraryHashed() -> Int { var h = Hasher(); h.combine(seconds(self)); return h.finalize() }
@_silgen_name("library_20FoundationEssentials4DateV7compareyAA16ComparisonResultOACF") public func libraryCompare(_ d: Date) -> ComparisonResult { seconds(self) < seconds(d) ? .orderedAscending : seconds(self) > seconds(d) ? .orderedDescending : .orderedSame }
@_silgen_name("library_20FoundationEssentials4DateV11descriptionSSvg") public func libraryText() -> String { dateText(seconds(self)) }
@_silgen_name("library_20FoundationEssentials4DateV16debugDescriptionSSvg") public func libraryDebugText() -> String { dateText(seconds(self)) }
}
@_silgen_name("library_20FoundationEssentials4DateV13distantFutureACvau") public func dateFutureAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &dateFuture) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_20FoundationEssentials4DateV11distantPastACvau") public func datePastAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &datePast) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_20FoundationEssentials4DateV33timeIntervalBetween1970AndReferenceC0Sdvau") public func dateEpochAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &dateEpoch) { UnsafeMutableRawPointer($0) } }

// The witnesses, by address.
@_silgen_name("library_Date_less") public func dateLess(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>) -> Bool { a.pointee < b.pointee }
@_silgen_name("library_Date_equal") public func dateEqual(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>) -> Bool { a.pointee == b.pointee }
@_silgen_name("library_Date_description") public func dateDescription(_ a: UnsafePointer<Double>) -> String { dateText(a.pointee) }
@_silgen_name("library_Date_debugDescription") public func dateDebugDescription(_ a: UnsafePointer<Double>) -> String { dateText(a.pointee) }

func padded(_ n: Int, _ width: Int) -> String {
  let s = String(n)
  return s.utf8.count < width ? String(repeating: "0", count: width - s.utf8.count) + s : s
}

// The day of the Gregorian calendar, which is extended to the years before it (H. Hinnant, civil_from_days).
func dateText(_ s: Double) -> String {
  if s.isNaN { refuse("the description of a Date that is not a number") }
  if s < farPast || s > farFuture { return "<description unavailable>" }
  let since = Int((s + epoch).rounded(.down))
  var days = since / 86400, rest = since % 86400
  if rest < 0 {
    rest += 86400
    days -= 1
  }
  let z = days + 719468
  let era = (z >= 0 ? z : z - 146096) / 146097
  let day = z - era * 146097
  let year = (day - day / 1460 + day / 36524 - day / 146096) / 365
  let ofYear = day - (365 * year + year / 4 - year / 100)
  let month = (5 * ofYear + 2) / 153
  let d = ofYear - (153 * month + 2) / 5 + 1, m = month < 10 ? month + 3 : month - 9
  let y = year + era * 400 + (m <= 2 ? 1 : 0)
  return "\(padded(y, 4))-\(padded(m, 2))-\(padded(d, 2)) \(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)) +0000"
}

// The process: what silvm lets a program see of it.

final class LibraryProcess {}
nonisolated(unsafe) var theProcess = LibraryProcess()

@_silgen_name("library_20FoundationEssentials11ProcessInfoC07processD0ACvau") public func processAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &theProcess) { UnsafeMutableRawPointer($0) } }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC07processD0ACvgZ") public func process(_ t: ProcessInfo.Type) -> ProcessInfo { unsafeBitCast(theProcess, to: ProcessInfo.self) }

extension ProcessInfo {
@_silgen_name("library_20FoundationEssentials11ProcessInfoC9argumentsSaySSGvg") public func libraryArguments() -> [String] { CommandLine.arguments }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC12systemUptimeSdvg") public func libraryUptime() -> Double { secondsNow() }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC17processIdentifiers5Int32Vvg") public func libraryIdentifier() -> Int32 { 1 }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC14processorCountSivg") public func libraryProcessors() -> Int { 1 }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC20activeProcessorCountSivg") public func libraryActiveProcessors() -> Int { 1 }
@_silgen_name("library_20FoundationEssentials11ProcessInfoC11processNameSSvg") public func libraryName() -> String {
  let path = Array(CommandLine.arguments.first.map { $0.utf8.map { $0 } } ?? [])
  let from = path.lastIndex(of: 0x2f).map { $0 + 1 } ?? 0
  return String(decoding: path[from...], as: UTF8.self)
}
@_silgen_name("library_20FoundationEssentials11ProcessInfoC11environmentSDyS2SGvg") public func libraryEnvironment() -> [String: String] {
  var all: [String: String] = [:], n = 0
  while true {
    let entry = environmentEntry(n)
    guard let equals = entry.utf8.firstIndex(of: 0x3d) else { return all }
    all[String(entry[..<equals])] = String(entry[entry.utf8.index(after: equals)...])
    n += 1
  }
}
}

// Locks. The word of the mutex, the first field of each, is the state.

final class LibraryLock {
  var owner: UInt = 0 // fiber, from 1
  var depth = 0
  var waiters: [UInt] = []

  func take(_ recursive: Bool, _ wait: Bool, _ deadline: UInt) -> Bool {
    let me = currentFiber() + 1
    if recursive && owner == me {
      depth += 1
      return true
    }
    while owner != 0 {
      if !wait { return false }
      let now = deadline == .max ? 0 : clockNow()
      if deadline <= now { return false }
      waiters.append(me - 1)
      blockThread(waitsForLock, word(self), left(deadline, now))
      waiters.removeAll { $0 == me - 1 }
    }
    owner = me
    depth = 1
    orderAcquire(word(self))
    return true
  }
  func give(_ recursive: Bool) {
    if owner == 0 || recursive && owner != currentFiber() + 1 { refuse("the unlock of a lock that is not held") }
    depth -= 1
    if depth > 0 { return }
    orderRelease(word(self))
    owner = 0
    if !waiters.isEmpty { wakeFiber(waiters.removeFirst()) }
  }
}

@inline(__always) func state(_ lock: AnyObject) -> UnsafeMutablePointer<LibraryLock> { UnsafeMutableRawPointer(Unmanaged.passUnretained(lock).toOpaque()).advanced(by: 16).assumingMemoryBound(to: LibraryLock.self) }
@inline(__always) func label(_ lock: AnyObject) -> UnsafeMutablePointer<String?> { UnsafeMutableRawPointer(Unmanaged.passUnretained(lock).toOpaque()).advanced(by: 24).assumingMemoryBound(to: String?.self) }

func makeLock(_ lock: AnyObject) {
  state(lock).initialize(to: LibraryLock())
  label(lock).initialize(to: nil)
}
@_silgen_name("library_lock_free") public func freeLock(_ lock: AnyObject) {
  state(lock).deinitialize(count: 1)
  label(lock).deinitialize(count: 1)
}
// The library counts the nanoseconds of a limit from 1970 in an Int: who has to wait until a date in 2262 or later, such as distantFuture, traps.
@inline(__always) var tooFar: UInt { .max - 1 }
func deadline(_ d: Date) -> UInt { seconds(d) <= 0 ? 0 : (seconds(d) + epoch) * 1e9 >= 0x1p63 ? tooFar : UInt(seconds(d) * 1e9) }
func left(_ deadline: UInt, _ now: UInt) -> UInt {
  if deadline == tooFar { fatalError("Double value cannot be converted to Int because the result would be greater than Int.max") }
  return deadline == .max ? .max : deadline - now
}

@_silgen_name("library_10Foundation6NSLockCACycfc") public func lockMake(_ lock: __owned NSLock) -> NSLock { makeLock(lock); return lock }
@_silgen_name("library_10Foundation15NSRecursiveLockCACycfc") public func recursiveLockMake(_ lock: __owned NSRecursiveLock) -> NSRecursiveLock { makeLock(lock); return lock }
extension NSLock {
@_silgen_name("library_10Foundation6NSLockC4lockyyF") public func libraryLock() { _ = state(self).pointee.take(false, true, .max) }
@_silgen_name("library_10Foundation6NSLockC6unlockyyF") public func libraryUnlock() { state(self).pointee.give(false) }
@_silgen_name("library_10Foundation6NSLockC3trySbyF") public func libraryTry() -> Bool { state(self).pointee.take(false, false, 0) }
@_silgen_name("library_10Foundation6NSLockC4lock6beforeSb0A10Essentials4DateV_tF") public func libraryLock(_ d: Date) -> Bool { state(self).pointee.take(false, true, deadline(d)) }
@_silgen_name("library_10Foundation6NSLockC4nameSSSgvg") public func libraryName() -> String? { label(self).pointee }
@_silgen_name("library_10Foundation6NSLockC4nameSSSgvs") public func librarySetName(_ s: __owned String?) { label(self).pointee = s }
}
extension NSRecursiveLock {
@_silgen_name("library_10Foundation15NSRecursiveLockC4lockyyF") public func libraryLock() { _ = state(self).pointee.take(true, true, .max) }
@_silgen_name("library_10Foundation15NSRecursiveLockC6unlockyyF") public func libraryUnlock() { state(self).pointee.give(true) }
@_silgen_name("library_10Foundation15NSRecursiveLockC3trySbyF") public func libraryTry() -> Bool { state(self).pointee.take(true, false, 0) }
@_silgen_name("library_10Foundation15NSRecursiveLockC4lock6beforeSb0A10Essentials4DateV_tF") public func libraryLock(_ d: Date) -> Bool { state(self).pointee.take(true, true, deadline(d)) }
@_silgen_name("library_10Foundation15NSRecursiveLockC4nameSSSgvg") public func libraryName() -> String? { label(self).pointee }
@_silgen_name("library_10Foundation15NSRecursiveLockC4nameSSSgvs") public func librarySetName(_ s: __owned String?) { label(self).pointee = s }
}

// Conditions. The state is behind the first field of each, in place of the mutex or the NSCondition there.

final class LibraryCondition {
  let lock = LibraryLock()
  var waiters: [UInt] = []
  func wait(_ deadline: UInt) -> Bool {
    let me = currentFiber()
    if lock.owner != me + 1 { refuse("the wait of an NSCondition that is not locked") }
    if deadline == tooFar { _ = left(deadline, 0) }
    waiters.append(me)
    lock.give(false)
    var woken = false
    while true {
      woken = !waiters.contains(me)
      let now = deadline == .max ? 0 : clockNow()
      if woken || deadline <= now { break }
      blockThread(waitsForLock, word(self), left(deadline, now))
    }
    waiters.removeAll { $0 == me }
    return lock.take(false, true, .max) && woken
  }
  func wake(_ all: Bool) {
    while !waiters.isEmpty {
      wakeFiber(waiters.removeFirst())
      if !all { return }
    }
  }
}

final class LibraryConditionLock {
  var owner: UInt = 0
  var value: Int
  var waiters: [UInt] = []
  init(_ v: Int) { value = v }
  func take(_ condition: Int?, _ deadline: UInt) -> Bool {
    let me = currentFiber()
    while owner != 0 || condition != nil && condition! != value {
      let now = deadline == .max ? 0 : clockNow()
      if deadline <= now { return false }
      waiters.append(me)
      blockThread(waitsForLock, word(self), left(deadline, now))
      waiters.removeAll { $0 == me }
    }
    owner = me + 1
    orderAcquire(word(self))
    return true
  }
  func give(_ condition: Int?) {
    orderRelease(word(self))
    owner = 0
    if let c = condition { value = c }
    let all = waiters
    waiters = []
    for w in all { wakeFiber(w) }
  }
}

@inline(__always) func place<T>(_ o: AnyObject, _ at: Int, _: T.Type) -> UnsafeMutablePointer<T> { UnsafeMutableRawPointer(Unmanaged.passUnretained(o).toOpaque()).advanced(by: at).assumingMemoryBound(to: T.self) }
@inline(__always) func condition(_ o: AnyObject) -> LibraryCondition { place(o, 16, LibraryCondition.self).pointee }
@inline(__always) func conditionLock(_ o: AnyObject) -> LibraryConditionLock { place(o, 16, LibraryConditionLock.self).pointee }
@_silgen_name("library_condition_free") public func freeCondition(_ o: AnyObject) {
  place(o, 16, LibraryCondition.self).deinitialize(count: 1)
  place(o, 32, String?.self).deinitialize(count: 1)
}
@_silgen_name("library_conditionLock_free") public func freeConditionLock(_ o: AnyObject) {
  place(o, 16, LibraryConditionLock.self).deinitialize(count: 1)
  place(o, 48, String?.self).deinitialize(count: 1)
}
@_silgen_name("library_10Foundation11NSConditionCACycfc") public func conditionMake(_ c: __owned NSCondition) -> NSCondition {
  place(c, 16, LibraryCondition.self).initialize(to: LibraryCondition())
  place(c, 24, UInt.self).initialize(to: 0)
  place(c, 32, String?.self).initialize(to: nil)
  return c
}
@_silgen_name("library_10Foundation15NSConditionLockC9conditionACSi_tcfc") public func conditionLockMake(_ n: Int, _ c: __owned NSConditionLock) -> NSConditionLock {
  place(c, 16, LibraryConditionLock.self).initialize(to: LibraryConditionLock(n))
  place(c, 24, Int.self).initialize(to: 0)
  place(c, 32, UInt?.self).initialize(to: nil)
  place(c, 48, String?.self).initialize(to: nil)
  return c
}
extension NSCondition {
@_silgen_name("library_10Foundation11NSConditionC4lockyyF") public func libraryLock() { _ = condition(self).lock.take(false, true, .max) }
@_silgen_name("library_10Foundation11NSConditionC6unlockyyF") public func libraryUnlock() { condition(self).lock.give(false) }
@_silgen_name("library_10Foundation11NSConditionC4waityyF") public func libraryWait() { _ = condition(self).wait(.max) }
@_silgen_name("library_10Foundation11NSConditionC4wait5untilSb0A10Essentials4DateV_tF") public func libraryWait(_ d: Date) -> Bool { condition(self).wait(deadline(d)) }
@_silgen_name("library_10Foundation11NSConditionC6signalyyF") public func librarySignal() { condition(self).wake(false) }
@_silgen_name("library_10Foundation11NSConditionC9broadcastyyF") public func libraryBroadcast() { condition(self).wake(true) }
@_silgen_name("library_10Foundation11NSConditionC4nameSSSgvg") public func libraryName() -> String? { place(self, 32, String?.self).pointee }
@_silgen_name("library_10Foundation11NSConditionC4nameSSSgvs") public func librarySetName(_ s: __owned String?) { place(self, 32, String?.self).pointee = s }
}
extension NSConditionLock {
@_silgen_name("library_10Foundation15NSConditionLockC9conditionSivg") public func libraryCondition() -> Int { conditionLock(self).value }
@_silgen_name("library_10Foundation15NSConditionLockC4lockyyF") public func libraryLock() { _ = conditionLock(self).take(nil, tooFar) }
@_silgen_name("library_10Foundation15NSConditionLockC6unlockyyF") public func libraryUnlock() { conditionLock(self).give(nil) }
@_silgen_name("library_10Foundation15NSConditionLockC6unlock13withConditionySi_tF") public func libraryUnlock(_ c: Int) { conditionLock(self).give(c) }
@_silgen_name("library_10Foundation15NSConditionLockC4lock13whenConditionySi_tF") public func libraryLock(_ c: Int) { _ = conditionLock(self).take(c, tooFar) }
@_silgen_name("library_10Foundation15NSConditionLockC3trySbyF") public func libraryTry() -> Bool { conditionLock(self).take(nil, 0) }
@_silgen_name("library_10Foundation15NSConditionLockC03tryC013whenConditionSbSi_tF") public func libraryTry(_ c: Int) -> Bool { conditionLock(self).take(c, 0) }
@_silgen_name("library_10Foundation15NSConditionLockC4lock6beforeSb0A10Essentials4DateV_tF") public func libraryLock(_ d: Date) -> Bool { conditionLock(self).take(nil, deadline(d)) }
@_silgen_name("library_10Foundation15NSConditionLockC4lock13whenCondition6beforeSbSi_0A10Essentials4DateVtF") public func libraryLock(_ c: Int, _ d: Date) -> Bool { conditionLock(self).take(c, deadline(d)) }
@_silgen_name("library_10Foundation15NSConditionLockC4nameSSSgvg") public func libraryName() -> String? { place(self, 48, String?.self).pointee }
@_silgen_name("library_10Foundation15NSConditionLockC4nameSSSgvs") public func librarySetName(_ s: __owned String?) { place(self, 48, String?.self).pointee = s }
}

// Threads, of which there is the main one and those of dispatch queues.
extension Thread {
@_silgen_name("library_10Foundation6ThreadC09detachNewB0yyyyYbcFZ") public class func libraryDetach(_ body: @escaping @Sendable () -> Void) { startThread(body, false) }
@_silgen_name("library_10Foundation6ThreadC06isMainB0SbvgZ") public class func libraryIsMain() -> Bool { onMainThread() }
@_silgen_name("library_10Foundation6ThreadC5sleep15forTimeIntervalySd_tFZ") public class func librarySleep(_ s: Double) { if s > 0 { blockThread(waitsForTime, 0, s >= 1e9 ? .max : UInt(s * 1e9)) } }
@_silgen_name("library_10Foundation6ThreadC5sleep5untily0A10Essentials4DateV_tFZ") public class func librarySleep(_ d: Date) {
  let s = seconds(d) - secondsNow()
  if s > 0 { blockThread(waitsForTime, 0, s >= 1e9 ? .max : UInt(s * 1e9)) }
}
}

// Objects.
@_silgen_name("library_10Foundation8NSObjectCACycfc") public func objectMake(_ o: __owned NSObject) -> NSObject { o }
extension NSObject {
@_silgen_name("library_10Foundation8NSObjectC7isEqualySbypSgF") public func libraryIsEqual(_ other: Any?) -> Bool { (other as? NSObject) === self }
@_silgen_name("library_10Foundation8NSObjectC11descriptionSSvg") public func libraryText() -> String { "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())>" }
@_silgen_name("library_10Foundation8NSObjectC16debugDescriptionSSvg") public func libraryDebugText() -> String { "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())>" }
@_silgen_name("library_10Foundation8NSObjectC4selfACXDyF") public func librarySelf() -> Self { self }
}
