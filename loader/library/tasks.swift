// Tasks, groups and async let, in terms of the natives that switch from one task to another (vm/native/concurrency.go). Functions of the
// concurrency library that are asynchronous are not so here: the native that waits keeps the frames of the task, so that nothing needs to be
// split where it is awaited.

@_silgen_name("silvm_task_start") func taskStart(_ task: LibraryTask, _ executor: UInt, _ kind: UInt, _ prefers: UInt, _ prefersKind: UInt) -> UInt
@_silgen_name("silvm_task_fiber") func taskFiber() -> UInt
@_silgen_name("silvm_task_current") func taskCurrentWord() -> UInt
@_silgen_name("silvm_task_release") func taskRelease(_ key: UInt)
@_silgen_name("silvm_task_acquire") func taskAcquire(_ key: UInt)
@_silgen_name("silvm_task_ready") func taskReady(_ fiber: UInt)
@_silgen_name("silvm_task_wait") func taskWait(_ why: UInt, _ on: UInt)
@_silgen_name("silvm_task_yield") func taskYield()
@_silgen_name("silvm_task_pause") func taskPause()
@_silgen_name("silvm_task_sleep") func taskSleep(_ ns: UInt)
@_silgen_name("silvm_task_exit") func taskExit()
@_silgen_name("silvm_task_call") func taskCall(_ function: UInt, _ context: UInt, _ to: UInt) -> (any Error)?
@_silgen_name("silvm_task_run") func taskRun(_ fiber: UInt, _ executor: UInt, _ kind: UInt, _ host: UInt, _ hostKind: UInt)
@_silgen_name("silvm_task_prefer") func taskPrefer(_ executor: UInt, _ kind: UInt) -> (UInt, UInt)
@_silgen_name("silvm_task_prefers") func taskPrefers() -> (UInt, UInt)
@_silgen_name("silvm_task_locals") func taskLocals() -> UInt
@_silgen_name("silvm_task_setLocals") func taskSetLocals(_ word: UInt)
@_silgen_name("silvm_clock_now") func clockNow() -> UInt
@_silgen_name("silvm_executor_current") func executorCurrent() -> (UInt, UInt)
@_silgen_name("silvm_executor_enter") func executorEnter(_ executor: UInt, _ kind: UInt) -> (UInt, UInt)

@_silgen_name("silvm_task_bind") func taskBind(_ fiber: UInt, _ word: UInt)

// Why a task waits: the numbers of vm.Waiting.
@inline(__always) var waitsForTask: UInt { 1 }
@inline(__always) var waitsForGroup: UInt { 2 }
@inline(__always) var waitsForResume: UInt { 3 }

@inline(__always) func word(_ x: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(x).toOpaque()) }
@inline(__always) func object<T: AnyObject>(_ word: UInt, _: T.Type) -> T { unsafeBitCast(word, to: T.self) }
@inline(__always) func owned<T: AnyObject>(_ word: UInt, _: T.Type) -> T { Unmanaged<T>.fromOpaque(UnsafeRawPointer(bitPattern: word)!).takeRetainedValue() }
@inline(__always) func given(_ x: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passRetained(x).toOpaque()) }

// What is to be done when a task is cancelled: children, groups and handlers, the latest first.
public class LibraryRecord {
  init() {}
  func cancel() {}
  func escalate(_ from: UInt8, _ to: UInt8) {}
}

final class LibraryHandler: LibraryRecord {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  override func cancel() { body() }
}

final class LibraryEscalation: LibraryRecord {
  let body: (UInt8, UInt8) -> Void
  init(_ body: @escaping (UInt8, UInt8) -> Void) { self.body = body }
  override func escalate(_ from: UInt8, _ to: UInt8) { body(from, to) }
}

// A binding of a task-local value: the key is the address of its TaskLocal.
public class LibraryBinding {
  let key: UInt
  let next: LibraryBinding?
  var address: UInt = 0
  init(_ key: UInt, _ next: LibraryBinding?) { self.key = key; self.next = next }
}

final class LibraryBindingOf<Value>: LibraryBinding {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  init(_ key: UInt, _ value: __owned Value, _ next: LibraryBinding?) {
    memory.initialize(to: value)
    super.init(key, next)
    address = UInt(bitPattern: memory)
  }
  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

public class LibraryTask: LibraryRecord {
  var function: UInt
  var context: AnyObject?
  var fiber: UInt = 0
  var number: UInt = 0
  var priority: UInt8
  var basePriority: UInt8
  var isDone = false
  var isCancelled = false
  var isChild = false
  var isJob = false // runs on an executor, but is no task to the program
  var name: String?
  var error: (any Error)?
  var waiting: [UInt] = []        // fibers that wait for the value
  var records: [LibraryRecord] = []
  var group: LibraryGroup?
  var place = 0 // in the group
  var preferred: (any TaskExecutor)? // kept alive

  init(_ function: UInt, _ context: AnyObject?, _ priority: UInt8) {
    self.function = function
    self.context = context
    self.priority = priority
    self.basePriority = priority
    super.init()
    lastNumber += 1
    number = lastNumber
  }
  func run() {}
  // Destroys the value of an async let, whose memory goes.
  func forget() {}

  override func cancel() {
    if isCancelled { return }
    isCancelled = true
    taskRelease(word(self))
    for r in records.reversed() { r.cancel() }
  }

  // Raises the priority, and that of the children (TaskStatus.cpp, swift_task_escalate).
  func escalate(_ to: UInt8) {
    if to <= priority || isDone { return }
    let old = priority
    priority = to
    for r in records.reversed() { r.escalate(old, to) }
  }
  override func escalate(_ from: UInt8, _ to: UInt8) { escalate(to) }

  func finish() {
    context = nil
    preferred = nil
    isDone = true
    taskRelease(word(self))
    for f in waiting { taskReady(f) }
    waiting = []
    if let g = group {
      group = nil
      g.finished(self)
    }
  }

  // Waits for the end; who waits lends its priority.
  func wait() {
    if let t = currentTask() { escalate(t.priority) }
    while !isDone {
      waiting.append(taskFiber())
      taskWait(waitsForTask, word(self))
    }
    taskAcquire(word(self))
  }
}

nonisolated(unsafe) var lastNumber: UInt = 0

final class LibraryTaskOf<Success>: LibraryTask {
  let memory = UnsafeMutablePointer<Success>.allocate(capacity: 1)

  override func run() {
    error = taskCall(function, context.map { word($0) } ?? 0, UInt(bitPattern: memory))
    finish()
  }

  func value() throws -> Success {
    wait()
    if let e = error { throw e }
    return memory.pointee
  }

  deinit {
    if isDone && error == nil { memory.deinitialize(count: 1) }
    memory.deallocate()
  }
}

// An async let: what it runs is borrowed, and its value goes to memory of the task that waits.
final class LibraryAsyncLet<Success>: LibraryTask {
  let memory: UnsafeMutablePointer<Success>
  let borrowed: UInt

  init(_ function: UInt, _ borrowed: UInt, _ to: UnsafeMutablePointer<Success>, _ priority: UInt8) {
    memory = to
    self.borrowed = borrowed
    super.init(function, nil, priority)
  }

  override func run() {
    error = taskCall(function, borrowed, UInt(bitPattern: memory))
    finish()
  }
  override func forget() { if error == nil { memory.deinitialize(count: 1) } }
}

@inline(__always) func currentTask() -> LibraryTask? {
  let w = taskCurrentWord()
  if w == 0 { return nil }
  let t = object(w, LibraryTask.self)
  return t.isJob ? nil : t
}

@inline(never) func mainOf(_ w: UInt) { owned(w, LibraryTask.self).run() }

// The bindings go first, then the task.
@_silgen_name("library_task_main") public func libraryTaskMain(_ w: UInt) {
  mainOf(w)
  let locals = taskLocals()
  taskSetLocals(0)
  if locals != 0 { _ = owned(locals, LibraryBinding.self) }
  taskExit()
}

// A thread that is no task: what a dispatch queue runs.
final class LibraryThread {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

@_silgen_name("silvm_thread_start") func threadStart(_ thread: LibraryThread, _ executor: UInt)

@_silgen_name("library_swift_silvm_startThread") public func libraryStartThread(_ body: @escaping () -> Void, _ onMain: Bool) {
  let t = LibraryThread(body)
  _ = given(t)
  threadStart(t, onMain ? executorMain().0 : 0)
}

@inline(never) func threadBody(_ w: UInt) { owned(w, LibraryThread.self).body() }

@_silgen_name("library_thread_main") public func libraryThreadMain(_ w: UInt) {
  threadBody(w)
  taskExit()
}

// Flags of createAsyncTask (include/swift/ABI/MetadataValues.h, TaskCreateFlags).
@inline(__always) var isChildFlag: UInt { 1 << 8 }
@inline(__always) var copiesLocalsFlag: UInt { 1 << 10 }
@inline(__always) var inheritsFlag: UInt { 1 << 11 }
@inline(__always) var enqueuesFlag: UInt { 1 << 12 }
@inline(__always) var addsPendingFlag: UInt { 1 << 13 }

@inline(__always) var defaultPriority: UInt8 { 21 }

func retainedLocals() -> UInt {
  let w = taskLocals()
  return w == 0 ? 0 : given(object(w, LibraryBinding.self))
}

func begin(_ t: LibraryTask, _ executor: UInt, _ kind: UInt, _ prefers: (UInt, UInt), locals: Bool, enqueued: Bool) {
  _ = given(t)
  t.fiber = taskStart(t, executor, kind, prefers.0, prefers.1)
  if locals { taskBind(t.fiber, retainedLocals()) }
  if enqueued { taskReady(t.fiber) }
}

@_silgen_name("library_task_create") public func libraryTaskCreate<T>(_ flags: UInt, _ executor: UInt, _ kind: UInt, _ group: UInt,
    _ preferred: UInt, _ preferredKind: UInt, _ kept: __owned (any TaskExecutor)?, _ name: UInt, _ function: UInt, _ context: __owned AnyObject?, _ none: UnsafeMutablePointer<T>?) -> LibraryTask {
  let t = LibraryTaskOf<T>(function, context, 0)
  let prefers = set(t, flags, group, (preferred, preferredKind), kept)
  if let p = UnsafePointer<CChar>(bitPattern: name) { t.name = String(cString: p) }
  begin(t, executor, kind, prefers, locals: flags & (isChildFlag | copiesLocalsFlag) != 0, enqueued: flags & enqueuesFlag != 0)
  return t
}

// What a discarding group runs gives no value.
final class LibraryPlainTask: LibraryTask {
  override func run() {
    error = taskCall(function, context.map { word($0) } ?? 0, 0)
    finish()
  }
}

@_silgen_name("library_task_createPlain") public func libraryTaskCreatePlain(_ flags: UInt, _ executor: UInt, _ kind: UInt, _ group: UInt,
    _ preferred: UInt, _ preferredKind: UInt, _ kept: __owned (any TaskExecutor)?, _ name: UInt, _ function: UInt, _ context: __owned AnyObject?, _ none: UInt) -> LibraryTask {
  let t = LibraryPlainTask(function, context, 0)
  let prefers = set(t, flags, group, (preferred, preferredKind), kept)
  if let p = UnsafePointer<CChar>(bitPattern: name) { t.name = String(cString: p) }
  begin(t, executor, kind, prefers, locals: flags & (isChildFlag | copiesLocalsFlag) != 0, enqueued: flags & enqueuesFlag != 0)
  return t
}

@inline(__always) func words(_ e: UnownedTaskExecutor) -> (UInt, UInt) { unsafeBitCast(e, to: (UInt, UInt).self) }

// A task prefers the task executor that it was given; without one a child prefers what its parent does.
func set(_ t: LibraryTask, _ flags: UInt, _ group: UInt, _ preferred: (UInt, UInt), _ kept: (any TaskExecutor)?) -> (UInt, UInt) {
  let parent = currentTask()
  let isChild = flags & isChildFlag != 0
  var prefers = preferred
  if let e = kept {
    t.preferred = e
    prefers = words(e.asUnownedTaskExecutor())
  }
  if prefers.0 == 0 && kept == nil && isChild { prefers = taskPrefers() }
  setPriority(t, UInt8(truncatingIfNeeded: flags & 0xff), parent, isChild: isChild, inherits: flags & inheritsFlag != 0)
  t.isChild = isChild
  if group != 0 {
    let g = object(group, LibraryGroup.self)
    g.add(t)
    if flags & addsPendingFlag != 0 { g.pending += 1 }
    if g.isCancelled { t.cancel() }
  }
  if isChild, let p = parent, p.isCancelled { t.cancel() }
  return prefers
}

// User-interactive work makes user-initiated tasks.
@inline(__always) func lowered(_ priority: UInt8) -> UInt8 { priority == 33 ? 25 : priority }

// The base priority is the one that was asked for; a child runs at its parent's, which may have been raised since. What
// inherits it without being a child has the base priority of who makes it (Task.cpp, swift_task_create_commonImpl).
func setPriority(_ t: LibraryTask, _ asked: UInt8, _ parent: LibraryTask?, isChild: Bool, inherits: Bool) {
  if asked != 0 {
    t.basePriority = asked
  } else if isChild || inherits {
    t.basePriority = lowered(parent?.basePriority ?? threadPriority)
  } else {
    t.basePriority = defaultPriority
  }
  t.priority = t.basePriority
  if isChild, let p = parent { t.priority = lowered(p.priority) }
}

// Says whether a task is cancelled; who polls lets the others run.
func cancelled(_ t: LibraryTask) -> Bool {
  taskPause()
  if t.isCancelled { taskAcquire(word(t)) }
  return t.isCancelled
}

@inline(__always) var threadPriority: UInt8 { defaultPriority }


@_silgen_name("library_swift_job_run") public func libraryJobRun(_ job: UInt, _ executor: UInt, _ kind: UInt) {
  taskRun(object(job, LibraryTask.self).fiber, executor, kind, 0, 0)
}

@_silgen_name("library_swift_job_run_on_serial_and_task_executor") public func libraryJobRunOnBoth(_ job: UInt, _ executor: UInt, _ kind: UInt, _ host: UInt, _ hostKind: UInt) {
  taskRun(object(job, LibraryTask.self).fiber, executor, kind, host, hostKind)
}

@_silgen_name("library_swift_job_run_on_task_executor") public func libraryJobRunOnTasks(_ job: UInt, _ host: UInt, _ hostKind: UInt) {
  taskRun(object(job, LibraryTask.self).fiber, 0, 0, host, hostKind)
}

@_silgen_name("library_s26withTaskExecutorPreference_9isolation9operationxSch_pSg_ScA_pSgYixyYaq_YKXEtYaq_YKs5ErrorR_r0_lF")
public func libraryWithPreference<T, Failure: Error>(_ executor: (any TaskExecutor)?, _ isolation: (any Actor)?, _ operation: () throws(Failure) -> T) throws(Failure) -> T {
  guard let executor, currentTask() != nil else { return try operation() }
  let (e, kind) = words(executor.asUnownedTaskExecutor())
  let before = taskPrefer(e, kind)
  defer { _ = taskPrefer(before.0, before.1) }
  return try operation()
}

// Runs a task that was not run yet here and now, until it waits first (Task.cpp, swift_task_immediate).
@_silgen_name("library_swift_task_immediate") public func libraryImmediate(_ task: UInt, _ executor: UInt, _ kind: UInt) {
  taskRun(object(task, LibraryTask.self).fiber, executor, kind, 0, 0)
}

// A deinit that waits for its executor.
final class LibraryDeinit: LibraryTask {
  let dying: UInt
  init(_ dying: UInt, _ work: UInt, _ priority: UInt8) {
    self.dying = dying
    super.init(work, nil, priority)
    isJob = true
  }
  override func run() {
    _ = taskCall(function, 0, dying)
    finish()
  }
}

// An isolated deinit runs at once where it may, else as a job of its own; it sees no task-local values (Actor.cpp, swift_task_deinitOnExecutor).
// An actor on which nobody runs any more, since it dies, is entered.
@_silgen_name("library_swift_task_deinitOnExecutor") public func libraryDeinitOnExecutor(_ dying: UInt, _ work: UInt, _ executor: UInt, _ kind: UInt, _ flags: UInt) {
  let isHere = isCurrent(executor, kind, asserting: false)
  if isHere || kind == 0 && executor == dying {
    let locals = taskLocals()
    taskSetLocals(0)
    if isHere {
      _ = taskCall(work, 0, dying)
    } else {
      let before = executorEnter(executor, kind)
      _ = taskCall(work, 0, dying)
      _ = executorEnter(before.0, before.1)
    }
    taskSetLocals(locals)
    return
  }
  begin(LibraryDeinit(dying, work, currentTask()?.priority ?? threadPriority), executor, kind, (0, 0), locals: false, enqueued: true)
}

@_silgen_name("library_swift_task_enqueueMainExecutor") public func libraryEnqueueMain(_ job: UInt) {
  taskReady(object(job, LibraryTask.self).fiber)
}

@_silgen_name("library_task_enqueue") public func libraryEnqueue<E: SerialExecutor>(_ e: E, _ job: UInt) {
  e.enqueue(unsafeBitCast(job, to: UnownedJob.self))
  taskExit()
}

@_silgen_name("library_task_enqueueOnTaskExecutor") public func libraryEnqueueOnTasks<E: TaskExecutor>(_ e: E, _ job: UInt) {
  e.enqueue(unsafeBitCast(job, to: UnownedJob.self))
  taskExit()
}

// The executor of those who prefer none, which is told by no words.
final class LibraryGlobalExecutor: TaskExecutor {
  func enqueue(_ job: UnownedJob) { taskReady(unsafeBitCast(job, to: LibraryTask.self).fiber) }
  func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafeBitCast((0, 0) as (UInt, UInt), to: UnownedTaskExecutor.self) }
}
nonisolated(unsafe) let libraryGlobalExecutor = LibraryGlobalExecutor()
@_silgen_name("library_s24globalConcurrentExecutorSch_pvg") public func libraryGlobal() -> any TaskExecutor { libraryGlobalExecutor }

extension TaskExecutor {
@_silgen_name("library_SchsE21asUnownedTaskExecutors0bcD0VyF") public func libraryUnowned() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
}

// Task

extension Task {
@inline(__always) var task: LibraryTask { unsafeBitCast(self, to: LibraryTask.self) }
@_silgen_name("library_ScT5valuexvg") public func libraryValue() throws -> Success { try unsafeBitCast(self, to: LibraryTaskOf<Success>.self).value() }
@_silgen_name("library_ScT6results6ResultOyxq_Gvg") public func libraryResult() -> Result<Success, Failure> {
  let t = unsafeBitCast(self, to: LibraryTaskOf<Success>.self)
  do { return .success(try t.value()) } catch { return .failure(error as! Failure) }
}
@_silgen_name("library_ScT6cancelyyF") public func libraryCancel() { task.cancel() }
@_silgen_name("library_ScT16escalatePriority2toyScP_tF") public func libraryEscalate(_ p: TaskPriority) { task.escalate(p.libraryRawValue()) }
@_silgen_name("library_ScT11isCancelledSbvg") public func libraryIsCancelled() -> Bool { cancelled(task) }
@_silgen_name("library_ScT2eeoiySbScTyxq_G_ABtFZ") public static func librarySame(_ a: Task, _ b: Task) -> Bool { a.task === b.task }
@_silgen_name("library_ScT4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(word(task)) }
@_silgen_name("library_ScT9hashValueSivg") public func libraryHashed() -> Int { var h = Hasher(); h.combine(word(task)); return h.finalize() }
}

extension Task where Failure == Never {
@_silgen_name("library_ScTss5NeverORs_rlE5valuexvg") public func libraryValueOnly() -> Success {
  let t = unsafeBitCast(self, to: LibraryTaskOf<Success>.self)
  t.wait()
  return t.memory.pointee
}
}

// Task.startOnMainActor runs the task here and now, until it waits first (Task.cpp, swift_task_startOnMainActor).
func startOnMain<T>(_ priority: TaskPriority?, _ closure: UnsafeRawPointer, _ none: UnsafeMutablePointer<T>?) -> LibraryTask {
  let (executor, kind) = executorMain()
  expect(executor, kind) { "Not on the main executor" }
  let flags = UInt(priority?.libraryRawValue() ?? 0) | copiesLocalsFlag | inheritsFlag
  let t = libraryTaskCreate(flags, 0, 0, 0, 0, 0, nil, 0, closure.load(as: UInt.self), closure.load(fromByteOffset: 8, as: AnyObject?.self), none)
  taskRun(t.fiber, executor, kind, 0, 0)
  return t
}

extension Task where Failure == Never {
@_silgen_name("library_ScTss5NeverORs_rlE16startOnMainActor8priority_ScTyxABGScPSg_xyYaYbScMYccntFZ")
public static func libraryStartOnMain(_ priority: TaskPriority?, _ operation: __owned @Sendable @escaping () async -> Success) -> Task<Success, Never> {
  var closure = operation
  return unsafeBitCast(startOnMain(priority, &closure, nil as UnsafeMutablePointer<Success>?), to: Task<Success, Never>.self)
}
}

extension Task where Failure == any Error {
@_silgen_name("library_ScTss5Error_pRs_rlE16startOnMainActor8priority_ScTyxsAA_pGScPSg_xyYaYbKScMYccntFZ")
public static func libraryStartOnMain(_ priority: TaskPriority?, _ operation: __owned @Sendable @escaping () async throws -> Success) -> Task<Success, any Error> {
  var closure = operation
  return unsafeBitCast(startOnMain(priority, &closure, nil as UnsafeMutablePointer<Success>?), to: Task<Success, any Error>.self)
}
}

extension Task where Success == Never, Failure == Never {
@_silgen_name("library_ScTss5NeverORszABRs_rlE5yieldyyYaFZ") public static func libraryYield() { taskYield() }
@_silgen_name("library_ScTss5NeverORszABRs_rlE11isCancelledSbvgZ") public static func libraryCurrentIsCancelled() -> Bool { currentTask().map(cancelled) ?? false }
@_silgen_name("library_ScTss5NeverORszABRs_rlE17checkCancellationyyKFZ") public static func libraryCheck() throws {
  if currentTask().map(cancelled) ?? false { throw _Concurrency.CancellationError() }
}
@_silgen_name("library_ScTss5NeverORszABRs_rlE15currentPriorityScPvgZ") public static func libraryPriority() -> TaskPriority { unsafeBitCast(currentTask()?.priority ?? threadPriority, to: TaskPriority.self) }
@_silgen_name("library_ScTss5NeverORszABRs_rlE12basePriorityScPSgvgZ") public static func libraryBasePriority() -> TaskPriority? { currentTask().map { unsafeBitCast($0.basePriority, to: TaskPriority.self) } }
@_silgen_name("library_ScTss5NeverORszABRs_rlE4nameSSSgvgZ") public static func libraryName() -> String? { currentTask()?.name }
@_silgen_name("library_ScTss5NeverORszABRs_rlE5sleepyys6UInt64VYaFZ") public static func librarySleepDeaf(_ ns: UInt64) { taskSleep(UInt(ns)) }
@_silgen_name("library_ScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZ") public static func librarySleep(_ ns: UInt64) throws { try sleepFor(UInt(ns)) }
@_silgen_name("library_ScTss5NeverORszABRs_rlE5sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZ")
public static func librarySleepUntil<C: Clock>(_ at: C.Instant, _ tolerance: C.Instant.Duration?, _ clock: C) async throws {
  try await clock.sleep(until: at, tolerance: tolerance)
}
}

final class LibrarySleep: LibraryRecord {
  let fiber: UInt
  override init() { fiber = taskFiber() }
  override func cancel() { taskReady(fiber) }
}

func sleepFor(_ ns: UInt) throws {
  guard let t = currentTask() else { return taskSleep(ns) }
  if !t.isCancelled {
    let r = LibrarySleep()
    t.records.append(r)
    taskSleep(ns)
    t.remove(r)
  }
  if t.isCancelled { throw _Concurrency.CancellationError() }
}

extension LibraryTask {
  func remove(_ r: LibraryRecord) {
    if let k = records.lastIndex(where: { $0 === r }) { records.remove(at: k) }
  }
}

extension CancellationError {
@_silgen_name("library_S2cEycfC") public static func libraryMake() -> CancellationError { unsafeBitCast((), to: CancellationError.self) }
}

func handled<T>(_ operation: () throws -> T, _ onCancel: () -> Void) rethrows -> T {
  guard let t = currentTask() else { return try operation() }
  if t.isCancelled {
    onCancel()
    return try operation()
  }
  return try withoutActuallyEscaping(onCancel) { body in
    let r = LibraryHandler(body)
    t.records.append(r)
    defer { t.remove(r) }
    return try operation()
  }
}

@_silgen_name("library_s27withTaskCancellationHandler9operation8onCancelxxyYaKXE_yyYbXEtYaKlF")
public func libraryHandler<T>(_ operation: () throws -> T, _ onCancel: () -> Void) throws -> T { try handled(operation, onCancel) }
@_silgen_name("library_s27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF")
public func libraryHandlerIsolated<T>(_ operation: () throws -> T, _ onCancel: () -> Void, _ isolation: (any Actor)?) throws -> T { try handled(operation, onCancel) }

@_silgen_name("library_s33withTaskPriorityEscalationHandler9operation02onC9Escalated9isolationxxyYaq_YKXE_yScP_ScPtYbXEScA_pSgYitYaq_YKs5ErrorR_r0_lF")
public func libraryEscalationHandler<T, Failure: Error>(_ operation: () throws(Failure) -> T, _ handler: (TaskPriority, TaskPriority) -> Void, _ isolation: (any Actor)?) throws(Failure) -> T {
  guard let t = currentTask() else { return try operation() }
  var result: Result<T, Failure>?
  withoutActuallyEscaping(handler) { handler in
    let r = LibraryEscalation { handler(unsafeBitCast($0, to: TaskPriority.self), unsafeBitCast($1, to: TaskPriority.self)) }
    t.records.append(r)
    do throws(Failure) { result = .success(try operation()) } catch { result = .failure(error) }
    t.remove(r)
  }
  return try result!.get()
}

// UnsafeCurrentTask

@_silgen_name("library_s21withUnsafeCurrentTask4bodyxxSctSgKXE_tKlF")
public func libraryCurrent<T>(_ body: (UnsafeCurrentTask?) throws -> T) throws -> T {
  guard let t = currentTask() else { return try body(nil) }
  return try body(unsafeBitCast(t, to: UnsafeCurrentTask.self))
}
@_silgen_name("library_s21withUnsafeCurrentTask4bodyxxSctSgYaKXE_tYaKlF")
public func libraryCurrentAsync<T>(_ body: (UnsafeCurrentTask?) throws -> T) throws -> T { try libraryCurrent(body) }

extension UnsafeCurrentTask {
@inline(__always) var task: LibraryTask { unsafeBitCast(self, to: LibraryTask.self) }
@_silgen_name("library_Sct11isCancelledSbvg") public func libraryIsCancelled() -> Bool { cancelled(task) }
@_silgen_name("library_Sct6cancelyyF") public func libraryCancel() { task.cancel() }
@_silgen_name("library_Sct16escalatePriority2toyScP_tF") public func libraryEscalate(_ p: TaskPriority) { task.escalate(p.libraryRawValue()) }
@_silgen_name("library_Sct8priorityScPvg") public func libraryPriority() -> TaskPriority { unsafeBitCast(task.priority, to: TaskPriority.self) }
@_silgen_name("library_Sct19unownedTaskExecutors07UnownedbC0VSgvg") public func libraryExecutor() -> UnownedTaskExecutor? {
  let e = taskPrefers()
  return e.0 == 0 ? nil : unsafeBitCast(e, to: UnownedTaskExecutor.self)
}
@_silgen_name("library_Sct12basePriorityScPvg") public func libraryBasePriority() -> TaskPriority { unsafeBitCast(task.basePriority, to: TaskPriority.self) }
@_silgen_name("library_Sct2eeoiySbSct_ScttFZ") public static func librarySame(_ a: UnsafeCurrentTask, _ b: UnsafeCurrentTask) -> Bool { a.task === b.task }
@_silgen_name("library_Sct4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(word(task)) }
@_silgen_name("library_Sct9hashValueSivg") public func libraryHashed() -> Int { var h = Hasher(); h.combine(word(task)); return h.finalize() }
}

// TaskPriority

extension TaskPriority {
@_silgen_name("library_ScP8rawValueScPs5UInt8V_tcfC") public static func libraryMake(_ n: UInt8) -> TaskPriority { unsafeBitCast(n, to: TaskPriority.self) }
@_silgen_name("library_ScP8rawValues5UInt8Vvg") public func libraryRawValue() -> UInt8 { unsafeBitCast(self, to: UInt8.self) }
@_silgen_name("library_ScP8rawValues5UInt8Vvs") public mutating func librarySetRawValue(_ n: UInt8) { self = unsafeBitCast(n, to: TaskPriority.self) }
@_silgen_name("library_ScP4highScPvgZ") public static func libraryHigh() -> TaskPriority { unsafeBitCast(25 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP13userInitiatedScPvgZ") public static func libraryUserInitiated() -> TaskPriority { unsafeBitCast(25 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP7defaultScPvgZ") public static func libraryDefault() -> TaskPriority { unsafeBitCast(21 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP3lowScPvgZ") public static func libraryLow() -> TaskPriority { unsafeBitCast(17 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP7utilityScPvgZ") public static func libraryUtility() -> TaskPriority { unsafeBitCast(17 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP10backgroundScPvgZ") public static func libraryBackground() -> TaskPriority { unsafeBitCast(9 as UInt8, to: TaskPriority.self) }
@_silgen_name("library_ScP2eeoiySbScP_ScPtFZ") public static func libraryEqual(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() == b.libraryRawValue() }
@_silgen_name("library_ScP2neoiySbScP_ScPtFZ") public static func libraryUnequal(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() != b.libraryRawValue() }
@_silgen_name("library_ScP1loiySbScP_ScPtFZ") public static func libraryLess(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() < b.libraryRawValue() }
@_silgen_name("library_ScP2leoiySbScP_ScPtFZ") public static func libraryLessEqual(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() <= b.libraryRawValue() }
@_silgen_name("library_ScP1goiySbScP_ScPtFZ") public static func libraryGreater(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() > b.libraryRawValue() }
@_silgen_name("library_ScP2geoiySbScP_ScPtFZ") public static func libraryGreaterEqual(_ a: TaskPriority, _ b: TaskPriority) -> Bool { a.libraryRawValue() >= b.libraryRawValue() }
@_silgen_name("library_ScPyScPSgs11JobPriorityVcfC") public static func libraryOf(_ p: JobPriority) -> TaskPriority? {
  let n = unsafeBitCast(p, to: UInt8.self)
  return n == 0 ? nil : unsafeBitCast(n, to: TaskPriority.self)
}
@_silgen_name("library_ScP11descriptionSSvg") public func libraryText() -> String {
  switch libraryRawValue() {
  case 25: "TaskPriority.high"
  case 21: "TaskPriority.medium"
  case 17: "TaskPriority.low"
  case 9: "TaskPriority.background"
  case let n: "TaskPriority(rawValue: \(n))"
  }
}
}

// Jobs

extension UnownedJob {
@_silgen_name("library_ScJ8prioritys11JobPriorityVvg") public func libraryPriority() -> JobPriority { unsafeBitCast(unsafeBitCast(self, to: LibraryTask.self).priority, to: JobPriority.self) }
@_silgen_name("library_ScJ11descriptionSSvg") public func libraryText() -> String { "UnownedJob(id: \(unsafeBitCast(self, to: LibraryTask.self).number))" }
}

@_silgen_name("library_swift_task_isCancelled") public func libraryTaskIsCancelled(_ t: LibraryTask) -> Bool { cancelled(t) }
@_silgen_name("library_swift_task_cancel") public func libraryTaskCancel(_ t: LibraryTask) { t.cancel() }

// A job is the word of its task, whatever type it has.
@_silgen_name("library_ScJyScJs11ExecutorJobVncfC") public func libraryOfExecutorJob(_ w: UInt) -> UInt { w }
@_silgen_name("library_s3JobVyABs08ExecutorA0VncfC") public func libraryJobOfExecutorJob(_ w: UInt) -> UInt { w }
@_silgen_name("library_s3JobVyABScJcfC") public func libraryJobOfUnowned(_ w: UInt) -> UInt { w }
@_silgen_name("library_s11ExecutorJobVyABs0B0VncfC") public func libraryExecutorJobOfJob(_ w: UInt) -> UInt { w }
@_silgen_name("library_s3JobV8prioritys0A8PriorityVvg") public func libraryOldJobPriority(_ w: UInt) -> UInt8 { object(w, LibraryTask.self).priority }
@_silgen_name("library_s3JobV11descriptionSSvg") public func libraryOldJobText(_ w: UInt) -> String { "Job(id: \(object(w, LibraryTask.self).number))" }
@_silgen_name("library_ScJyScJs3JobVncfC") public func libraryOfJob(_ w: UInt) -> UInt { w }
@_silgen_name("library_s11ExecutorJobVyABScJcfC") public func libraryExecutorJob(_ w: UInt) -> UInt { w }
@_silgen_name("library_s11ExecutorJobV8prioritys0B8PriorityVvg") public func libraryJobPriority(_ w: UInt) -> UInt8 { object(w, LibraryTask.self).priority }
@_silgen_name("library_s11ExecutorJobV11descriptionSSvg") public func libraryJobText(_ w: UInt) -> String { "ExecutorJob(id: \(object(w, LibraryTask.self).number))" }
extension Executor {
@_silgen_name("library_ScFsE7enqueueyyScJF") public func libraryEnqueueUnowned(_ job: UnownedJob) { self.enqueue(ExecutorJob(job)) }
@_silgen_name("library_ScFsE7enqueueyys11ExecutorJobVnF") public func libraryEnqueueJob(_ job: consuming ExecutorJob) { self.enqueue(Job(job)) }
@_silgen_name("library_ScFsE7enqueueyys3JobVnF") public func libraryEnqueueOldJob(_ job: consuming Job) { self.enqueue(UnownedJob(job)) }
}

// The witnesses, by address.
@_silgen_name("library_TaskPriority_description") public func priorityDescription(_ p: UnsafeMutablePointer<TaskPriority>) -> String { p.pointee.libraryText() }
@_silgen_name("library_TaskPriority_equal") public func priorityEqual(_ a: UnsafeMutablePointer<TaskPriority>, _ b: UnsafeMutablePointer<TaskPriority>) -> Bool { a.pointee.libraryRawValue() == b.pointee.libraryRawValue() }
@_silgen_name("library_TaskPriority_less") public func priorityLess(_ a: UnsafeMutablePointer<TaskPriority>, _ b: UnsafeMutablePointer<TaskPriority>) -> Bool { a.pointee.libraryRawValue() < b.pointee.libraryRawValue() }
@_silgen_name("library_TaskPriority_hash") public func priorityHash(_ h: UnsafeMutablePointer<Hasher>, _ p: UnsafeMutablePointer<TaskPriority>) { h.pointee.combine(p.pointee.libraryRawValue()) }
@_silgen_name("library_Task_equal") public func taskEqual<S, F: Error>(_ a: UnsafeMutablePointer<Task<S, F>>, _ b: UnsafeMutablePointer<Task<S, F>>) -> Bool { a.pointee.task === b.pointee.task }
@_silgen_name("library_Task_hash") public func taskHash<S, F: Error>(_ h: UnsafeMutablePointer<Hasher>, _ t: UnsafeMutablePointer<Task<S, F>>) { h.pointee.combine(word(t.pointee.task)) }
@_silgen_name("library_UnownedJob_description") public func jobDescription(_ p: UnsafeMutablePointer<UnownedJob>) -> String { p.pointee.libraryText() }

// Cancellation of async lets and groups

@_silgen_name("library_task_startAsyncLet") public func libraryStartAsyncLet<T>(_ function: UInt, _ context: UInt, _ to: UnsafeMutablePointer<T>) -> LibraryTask {
  let parent = currentTask()!
  let t = LibraryAsyncLet<T>(function, context, to, 0)
  setPriority(t, 0, parent, isChild: true, inherits: true)
  t.isChild = true
  if parent.isCancelled { t.isCancelled = true }
  parent.records.append(t)
  begin(t, 0, 0, taskPrefers(), locals: true, enqueued: true)
  return t
}

@_silgen_name("library_task_endAsyncLet") public func libraryEndAsyncLet(_ w: UInt) { _ = owned(w, LibraryTask.self) }
@_silgen_name("library_swift_asyncLet_get") public func libraryAsyncLetGet(_ w: UInt, _ to: UInt) { object(w, LibraryTask.self).wait() }
@_silgen_name("library_swift_asyncLet_get_throwing") public func libraryAsyncLetGetThrowing(_ w: UInt, _ to: UInt) throws {
  let t = object(w, LibraryTask.self)
  t.wait()
  if let e = t.error { throw e }
}
@_silgen_name("library_swift_asyncLet_finish") public func libraryAsyncLetFinish(_ w: UInt, _ to: UInt) {
  let t = object(w, LibraryTask.self)
  t.cancel()
  t.wait()
  t.forget()
  currentTask()!.remove(t)
}
@_silgen_name("library_UnsafeCurrentTask_equal") public func currentEqual(_ a: UnsafeMutablePointer<UnsafeCurrentTask>, _ b: UnsafeMutablePointer<UnsafeCurrentTask>) -> Bool { a.pointee.task === b.pointee.task }
@_silgen_name("library_UnsafeCurrentTask_hash") public func currentHash(_ h: UnsafeMutablePointer<Hasher>, _ t: UnsafeMutablePointer<UnsafeCurrentTask>) { h.pointee.combine(word(t.pointee.task)) }
