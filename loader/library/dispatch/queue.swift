// The module Dispatch, over the scheduler of tasks (vm/native/concurrency.go): what a queue runs has a fiber of its own, one for each item, and
// whoever waits blocks its fiber, with the executors that it holds. What is declared here is what the module's interface on Linux declares.

@_silgen_name("swift_silvm_startThread") func startThread(_ body: @escaping () -> Void, _ onMain: Bool)
@_silgen_name("silvm_task_fiber") func currentFiber() -> UInt
@_silgen_name("silvm_task_ready") func wakeFiber(_ fiber: UInt)
@_silgen_name("silvm_task_release") func orderRelease(_ key: UInt)
@_silgen_name("silvm_task_acquire") func orderAcquire(_ key: UInt)
@_silgen_name("silvm_thread_wait") func blockThread(_ why: UInt, _ on: UInt, _ ns: UInt)
@_silgen_name("silvm_thread_frame") func threadFrame() -> UInt
@_silgen_name("silvm_thread_setFrame") func setThreadFrame(_ frame: UInt) -> UInt
@_silgen_name("silvm_thread_isMain") func isMainThread() -> Bool
@_silgen_name("silvm_clock_now") func clockNow() -> UInt
@_silgen_name("swift_task_asyncMainDrainQueue") func runMainQueue() -> Never

// Why a thread waits: the numbers of vm.Waiting.
@inline(__always) var waitsForSemaphore: UInt { 9 }
@inline(__always) var waitsForGroup: UInt { 10 }
@inline(__always) var waitsForQueue: UInt { 11 }

@inline(__always) func word(_ x: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(x).toOpaque()) }

// A thread that waits for something.
final class Waiter {
  let fiber = currentFiber()
  var isDone = false

  func wake() {
    isDone = true
    wakeFiber(fiber)
  }
  // Waits until somebody wakes it; false when the time is over before.
  func wait(_ why: UInt, _ on: AnyObject, until deadline: DispatchTime) -> Bool {
    while !isDone {
      let now = DispatchTime.now()
      if deadline <= now { return false }
      blockThread(why, word(on), deadline.rawValue == .max ? .max : UInt(deadline.rawValue - now.rawValue))
    }
    return true
  }
}

// What a thread runs on behalf of a queue, the innermost first.
final class Frame {
  let queue: DispatchQueue
  let outer: Frame?
  init(_ queue: DispatchQueue, _ outer: Frame?) { self.queue = queue; self.outer = outer }
}

func innermostFrame() -> Frame? {
  let w = threadFrame()
  return w == 0 ? nil : unsafeBitCast(w, to: Frame.self)
}

func misuse(_ what: String) -> Never { fatalError("BUG IN CLIENT OF LIBDISPATCH: " + what) }

final class Item {
  let work: (() -> Void)? // nil when a thread waits for its turn
  let waiter: Waiter?
  let isBarrier: Bool
  var next: Item?
  init(_ work: (() -> Void)?, _ waiter: Waiter?, _ isBarrier: Bool) { self.work = work; self.waiter = waiter; self.isBarrier = isBarrier }
}

public class DispatchObject {
  init() {}

  // A program may bring the vtables of the toolchain's module, so that nothing here has methods that are not there, or other overrides.
  public func setTarget(queue: DispatchQueue) { (self as? DispatchQueue)?.aim(queue) }
  public func activate() { (self as? DispatchQueue)?.begin() }
  public func suspend() { (self as? DispatchQueue)?.halt() }
  public func resume() { (self as? DispatchQueue)?.goOn() }
}

enum QueueKind { case serial, concurrent, main, global }

public class DispatchQueue: DispatchObject, @unchecked Sendable {
  final let kind: QueueKind
  final let name: String
  final let service: DispatchQoS
  final var target: DispatchQueue?
  final var first: Item?
  final var last: Item?
  final var running = 0 // items, or threads that have their turn
  final var isExclusive = false // what runs is a barrier
  final var suspensions = 0
  final var isInactive = false
  final var specifics: [ObjectIdentifier: Any] = [:]

  init(_ kind: QueueKind, _ name: String, _ service: DispatchQoS = .unspecified) {
    self.kind = kind
    self.name = name
    self.service = service
    super.init()
  }

  deinit {
    if suspensions > 0 { misuse("Release of a suspended object") }
    if isInactive { misuse("Release of an inactive object") }
  }

  public func sync(execute workItem: () -> ()) { synchronously(false, workItem) }

  final func aim(_ queue: DispatchQueue) { target = queue.kind == .global ? nil : queue }
  final func begin() {
    if isInactive {
      isInactive = false
      pump()
    }
  }
  final func halt() { if kind == .serial || kind == .concurrent { suspensions += 1 } }
  final func goOn() {
    guard kind == .serial || kind == .concurrent else { return }
    if isInactive { return begin() }
    if suspensions == 0 { misuse("Over-resume of an object") }
    suspensions -= 1
    pump()
  }

  // Keys by which barriers and other items are ordered.
  final var barrierKey: UInt { word(self) }
  final var sharedKey: UInt { word(self) + 1 }

  final func append(_ item: Item) {
    orderRelease(word(item))
    if let l = last { l.next = item } else { first = item }
    last = item
  }

  // Starts what may run now.
  final func pump() {
    while let item = first, suspensions == 0, !isInactive, !isExclusive {
      if item.isBarrier && running > 0 { return }
      first = item.next
      item.next = nil
      if first == nil { last = nil }
      running += 1
      isExclusive = item.isBarrier
      if let w = item.waiter {
        w.wake()
      } else {
        launch { self.run(item) }
      }
    }
  }

  // Runs a closure on a thread of its own, on the main thread, or as an item of the target.
  final func launch(_ body: @escaping () -> Void) {
    if let t = target { t.enqueue(body, false) } else { startThread(body, kind == .main) }
  }

  final func run(_ item: Item) {
    orderAcquire(word(item))
    enter(item.isBarrier)
    within { item.work!() }
    leave(item.isBarrier)
  }
  final func enter(_ isBarrier: Bool) {
    orderAcquire(barrierKey)
    if isBarrier { orderAcquire(sharedKey) }
  }
  final func leave(_ isBarrier: Bool) {
    orderRelease(isBarrier ? barrierKey : sharedKey)
    running -= 1
    isExclusive = false
    pump()
  }

  @inline(never) final func within<T>(_ body: () throws -> T) rethrows -> T {
    let frame = Frame(self, innermostFrame())
    let before = setThreadFrame(word(frame))
    defer {
      _ = setThreadFrame(before)
      withExtendedLifetime(frame) {}
    }
    return try body()
  }

  final func enqueue(_ work: @escaping () -> Void, _ isBarrier: Bool) {
    switch kind {
    case .serial:
      append(Item(work, nil, true))
      pump()
    case .concurrent:
      append(Item(work, nil, isBarrier))
      pump()
    case .main, .global:
      let item = Item(work, nil, false)
      orderRelease(word(item))
      startThread({
        orderAcquire(word(item))
        self.within { item.work!() }
      }, kind == .main)
    }
  }

  final func synchronously<T>(_ barrier: Bool, _ body: () throws -> T) rethrows -> T {
    switch kind {
    case .global:
      return try within(body)
    case .main:
      if isMainThread() { misuse("dispatch_sync called on queue already owned by current thread") }
      return try elsewhere(body, rescue: { throw $0 })
    case .serial, .concurrent:
      break
    }
    let isBarrier = barrier || kind == .serial
    if isBarrier && isOwned { misuse("dispatch_sync called on queue already owned by current thread") }
    if first == nil && suspensions == 0 && !isInactive && !isExclusive && (running == 0 || !isBarrier) {
      running += 1
      isExclusive = isBarrier
    } else {
      let w = Waiter()
      append(Item(nil, w, isBarrier))
      _ = w.wait(waitsForQueue, self, until: .distantFuture)
    }
    enter(isBarrier)
    defer { leave(isBarrier) }
    if let t = target { return try t.synchronously(false) { try within(body) } }
    return try within(body)
  }

  // Runs a closure on the main thread while this one waits.
  final func elsewhere<T>(_ body: () throws -> T, rescue: (any Error) throws -> T) rethrows -> T {
    var result: Result<T, any Error>?
    let w = Waiter()
    withoutActuallyEscaping(body) { body in
      enqueue({
        result = Result { try body() }
        orderRelease(word(w))
        w.wake()
      }, false)
      _ = w.wait(waitsForQueue, self, until: .distantFuture)
    }
    orderAcquire(word(w))
    switch result! {
    case .success(let x): return x
    case .failure(let e): return try rescue(e)
    }
  }

  // Whether the running thread runs something on behalf of this queue, or of one that has it for target.
  final var isCurrent: Bool {
    if kind == .main && isMainThread() { return true }
    var f = innermostFrame()
    while let frame = f {
      var q: DispatchQueue? = frame.queue
      while let x = q {
        if x === self { return true }
        q = x.target
      }
      f = frame.outer
    }
    return false
  }
  // Whether the running thread has the turn in this queue.
  final var isOwned: Bool {
    var f = innermostFrame()
    while let frame = f {
      if frame.queue === self { return isExclusive }
      f = frame.outer
    }
    return false
  }
}

let mainQueue = DispatchQueue(.main, "com.apple.main-thread")
let globalQueues: [DispatchQueue] = [
  DispatchQueue(.global, "com.apple.root.background-qos", .background), DispatchQueue(.global, "com.apple.root.utility-qos", .utility),
  DispatchQueue(.global, "com.apple.root.default-qos", .default), DispatchQueue(.global, "com.apple.root.user-initiated-qos", .userInitiated),
  DispatchQueue(.global, "com.apple.root.user-interactive-qos", .userInteractive),
]

public final class DispatchSpecificKey<T> {
  public init() {}
}

extension DispatchQueue {
  public struct Attributes: OptionSet {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 1 << 1)
    public static let initiallyInactive = Attributes(rawValue: 1 << 2)
  }
  public enum GlobalQueuePriority { case high, `default`, low, background }
  public enum AutoreleaseFrequency { case inherit, workItem, never }

  public class func concurrentPerform(iterations: Int, execute work: (Int) -> ()) {
    for n in 0..<max(iterations, 0) { work(n) }
  }
  public class var main: DispatchQueue { mainQueue }
  @available(macOS, deprecated: 10.10)
  public class func global(priority: GlobalQueuePriority) -> DispatchQueue {
    switch priority {
    case .high: globalQueues[3]
    case .default: globalQueues[2]
    case .low: globalQueues[1]
    case .background: globalQueues[0]
    }
  }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
    switch qos {
    case .background: globalQueues[0]
    case .utility: globalQueues[1]
    case .default, .unspecified: globalQueues[2]
    case .userInitiated: globalQueues[3]
    case .userInteractive: globalQueues[4]
    }
  }
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    var q = innermostFrame()?.queue ?? (isMainThread() ? mainQueue : nil)
    while let x = q {
      if let v = x.getSpecific(key: key) { return v }
      q = x.target
    }
    return nil
  }
  public convenience init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [], autoreleaseFrequency: AutoreleaseFrequency = .inherit,
      target: DispatchQueue? = nil) {
    self.init(attributes.contains(.concurrent) ? .concurrent : .serial, label, qos)
    if let t = target { aim(t) }
    isInactive = attributes.contains(.initiallyInactive)
  }
  public var label: String { name }
  public var qos: DispatchQoS { service }

  public func sync(execute workItem: DispatchWorkItem) { synchronously(workItem.flags.contains(.barrier)) { workItem.perform() } }
  public func async(execute workItem: DispatchWorkItem) { enqueue({ workItem.perform() }, workItem.flags.contains(.barrier)) }
  public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
    group.enter()
    enqueue({
      workItem.perform()
      group.leave()
    }, workItem.flags.contains(.barrier))
  }
  public func async(group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      execute work: @escaping @Sendable @convention(block) () -> ()) {
    guard let group else { return enqueue({ work() }, flags.contains(.barrier)) }
    group.enter()
    enqueue({
      work()
      group.leave()
    }, flags.contains(.barrier))
  }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try synchronously(false, work) }
  public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T { try synchronously(flags.contains(.barrier), work) }
  public func asyncAfter(deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      execute work: @escaping @Sendable @convention(block) () -> ()) {
    after(deadline) { self.enqueue({ work() }, flags.contains(.barrier)) }
  }
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) { after(deadline) { self.async(execute: execute) } }
  func after(_ deadline: DispatchTime, _ body: @escaping () -> Void) {
    startThread({
      _ = Waiter().wait(4, self, until: deadline)
      body()
    }, false)
  }
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { specifics[ObjectIdentifier(key)] as? T }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) { specifics[ObjectIdentifier(key)] = value }
}

public enum DispatchPredicate {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

public func _dispatchPreconditionTest(_ condition: DispatchPredicate) -> Bool {
  switch condition {
  case .onQueue(let q):
    if !q.isCurrent { misuse("Block was expected to execute on queue [\(q.label)]") }
  case .onQueueAsBarrier(let q):
    if !q.isCurrent || !q.isExclusive && q.kind == .concurrent { misuse("Block was expected to act as a barrier on queue [\(q.label)]") }
  case .notOnQueue(let q):
    if q.isCurrent { misuse("Block was not expected to execute on queue [\(q.label)]") }
  }
  return true
}

@_transparent
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate, file: StaticString = #file, line: UInt = #line) {
  precondition(_dispatchPreconditionTest(condition()), "dispatchPrecondition failure", file: file, line: line)
}

public func dispatchMain() -> Never { runMainQueue() }
