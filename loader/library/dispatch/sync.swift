// Groups, semaphores and work items.

public class DispatchGroup: DispatchObject, @unchecked Sendable {
  final var count = 0
  final var waiters: [Waiter] = []
  final var notices: [() -> Void] = []

  public override init() {}
  deinit { if count > 0 { misuse("Group object deallocated while in use") } }

  public func enter() { count += 1 }
  public func leave() {
    if count == 0 { misuse("Unbalanced call to dispatch_group_leave()") }
    orderRelease(word(self))
    count -= 1
    if count == 0 { empty() }
  }
  final func empty() {
    let (w, n) = (waiters, notices)
    waiters = []
    notices = []
    for x in n { x() }
    for x in w { x.wake() }
  }
}

extension DispatchGroup {
  public func notify(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue, execute work: @escaping @convention(block) () -> ()) {
    notified {
      queue.enqueue({
        orderAcquire(word(self))
        work()
      }, flags.contains(.barrier))
    }
  }
  public func notify(queue: DispatchQueue, work: DispatchWorkItem) { notified { queue.async(execute: work) } }
  func notified(_ body: @escaping () -> Void) {
    notices.append(body)
    if count == 0 { empty() }
  }
  public func wait() { _ = wait(timeout: .distantFuture) }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    if count > 0 {
      let w = Waiter()
      waiters.append(w)
      if !w.wait(waitsForGroup, self, until: timeout) {
        waiters.removeAll { $0 === w }
        return .timedOut
      }
    }
    orderAcquire(word(self))
    return .success
  }
}

public class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  final let initial: Int
  final var value: Int
  final var waiters: [Waiter] = []

  public init(value: Int) {
    if value < 0 { misuse("Negative value of a semaphore") }
    initial = value
    self.value = value
    super.init()
  }
  deinit { if value < initial { misuse("Semaphore object deallocated while in use") } }
}

extension DispatchSemaphore {
  @discardableResult public func signal() -> Int {
    orderRelease(word(self))
    if waiters.isEmpty {
      value += 1
      return 0
    }
    waiters.removeFirst().wake()
    return 1
  }
  public func wait() { _ = wait(timeout: .distantFuture) }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    if value > 0 {
      value -= 1
    } else {
      let w = Waiter()
      waiters.append(w)
      if !w.wait(waitsForSemaphore, self, until: timeout) {
        waiters.removeAll { $0 === w }
        return .timedOut
      }
    }
    orderAcquire(word(self))
    return .success
  }
}

public struct DispatchWorkItemFlags: OptionSet {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = DispatchWorkItemFlags(rawValue: 0x1)
  public static let detached = DispatchWorkItemFlags(rawValue: 0x2)
  public static let assignCurrentContext = DispatchWorkItemFlags(rawValue: 0x4)
  public static let noQoS = DispatchWorkItemFlags(rawValue: 0x8)
  public static let inheritQoS = DispatchWorkItemFlags(rawValue: 0x10)
  public static let enforceQoS = DispatchWorkItemFlags(rawValue: 0x20)
}

public class DispatchWorkItem {
  var _block: @convention(block) () -> ()
  final let flags: DispatchWorkItemFlags
  final var wasCancelled = false
  final let done = DispatchGroup()
  final var ended = false

  public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], block: @escaping @convention(block) () -> ()) {
    _block = block
    self.flags = flags
    done.enter()
  }
  deinit { if !ended { done.leave() } }

  public func perform() {
    if !wasCancelled { _block() }
    if !ended {
      ended = true
      done.leave()
    }
  }
  public func wait() { done.wait() }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { done.wait(timeout: timeout) }
  public func notify(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue, execute: @escaping @convention(block) () -> ()) {
    done.notify(qos: qos, flags: flags, queue: queue, execute: execute)
  }
  public func notify(queue: DispatchQueue, execute: DispatchWorkItem) { done.notify(queue: queue, work: execute) }
  public func cancel() { wasCancelled = true }
  public var isCancelled: Bool { wasCancelled }
}

public struct DispatchQoS: Equatable, Sendable {
  public let qosClass: QoSClass
  public let relativePriority: Int
  public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
  public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
  public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
  public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
  public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
  public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
  public init(qosClass: QoSClass, relativePriority: Int) {
    self.qosClass = qosClass
    self.relativePriority = relativePriority
  }
}
public func == (a: DispatchQoS, b: DispatchQoS) -> Bool { a.qosClass == b.qosClass && a.relativePriority == b.relativePriority }

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

// Time

public struct DispatchTime: Comparable, Sendable {
  public let rawValue: UInt64
  public static func now() -> DispatchTime { DispatchTime(rawValue: UInt64(clockNow()) + startOfClock) }
  public static let distantFuture = DispatchTime(rawValue: .max)
  init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(uptimeNanoseconds: UInt64) { rawValue = uptimeNanoseconds }
  public var uptimeNanoseconds: UInt64 { rawValue }

  func moved(_ ns: Int64) -> DispatchTime {
    if rawValue == .max || ns == .max { return .distantFuture }
    if ns < 0 { return DispatchTime(rawValue: rawValue > ns.magnitude ? rawValue - ns.magnitude : 1) }
    let (sum, overflow) = rawValue.addingReportingOverflow(UInt64(ns))
    return overflow || sum > UInt64(Int64.max) ? .distantFuture : DispatchTime(rawValue: sum)
  }
}
// The clock's first instant: not 0, which means now.
@inline(__always) var startOfClock: UInt64 { 1_000_000_000 }

extension DispatchTime {
  public static func < (a: DispatchTime, b: DispatchTime) -> Bool { a.rawValue < b.rawValue }
  public static func == (a: DispatchTime, b: DispatchTime) -> Bool { a.rawValue == b.rawValue }
}

func clamped(_ n: Int, _ scale: Int64) -> Int64 {
  let (product, overflow) = Int64(n).multipliedReportingOverflow(by: scale)
  return overflow ? (n < 0 ? .min : .max) : product
}
func nanoseconds(_ seconds: Double) -> Int64 {
  let ns = seconds * 1e9
  if ns.isNaN || ns >= 9.2233720368547748e18 { return .max }
  return ns <= -9.2233720368547748e18 ? .min : Int64(ns)
}

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never

  var rawValue: Int64 {
    switch self {
    case .seconds(let n): clamped(n, 1_000_000_000)
    case .milliseconds(let n): clamped(n, 1_000_000)
    case .microseconds(let n): clamped(n, 1_000)
    case .nanoseconds(let n): Int64(n)
    case .never: .max
    }
  }
  public static func == (lhs: DispatchTimeInterval, rhs: DispatchTimeInterval) -> Bool {
    if case .never = lhs, case .never = rhs { return true }
    if case .never = lhs { return false }
    if case .never = rhs { return false }
    return lhs.rawValue == rhs.rawValue
  }
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time.moved(interval.rawValue) }
public func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
  if case .never = interval { return .distantFuture }
  return time.moved(-interval.rawValue)
}
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time.moved(nanoseconds(seconds)) }
public func - (time: DispatchTime, seconds: Double) -> DispatchTime { time.moved(nanoseconds(-seconds)) }

// A source of events. There is none: Foundation's FileHandle has variables for them.
public protocol DispatchSourceProtocol {}
