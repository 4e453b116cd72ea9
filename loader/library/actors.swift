// Executors, isolation and checked continuations.

@_silgen_name("silvm_executor_ofActor") func executorOfActor(_ actor: UInt) -> (UInt, UInt)
@_silgen_name("silvm_continuation_leaked") func continuationLeaked()
@_silgen_name("silvm_executor_main") func executorMain() -> (UInt, UInt)
@_silgen_name("silvm_task_hop") func taskHop(_ executor: UInt, _ kind: UInt)

@_silgen_name("silvm_thread_isMain") func threadIsMain() -> Bool

// Whether the running code is on an executor. A custom one has the last word: who asserts it lets that end the program when it is not
// (Actor.cpp, swift_task_isCurrentExecutorWithFlagsImpl).
@_silgen_name("library_swift_task_isCurrentExecutor") public func libraryIsCurrent(_ executor: UInt, _ kind: UInt) -> Bool {
  isCurrent(executor, kind, asserting: true)
}

@inline(__always) var assertsFlag: UInt64 { 8 }

@_silgen_name("library_swift_task_isCurrentExecutorWithFlags") public func libraryIsCurrentWithFlags(_ executor: UInt, _ kind: UInt, _ flags: UInt64) -> Bool {
  isCurrent(executor, kind, asserting: flags & assertsFlag != 0)
}

func isCurrent(_ executor: UInt, _ kind: UInt, asserting: Bool) -> Bool {
  let (e, k) = executorCurrent()
  if e == executor { return true }
  if kind & 1 != 0, k & 8 != 0, e != 0, executor != 0, executorIsSame(e, executor) { return true }
  if kind & 8 == 0 { return asserting && executor == executorMain().0 && threadIsMain() }
  switch executorIsolates(executor) {
  case 0: return false
  case 1: return true
  default: break
  }
  guard asserting, let x = object(executor, AnyObject.self) as? any SerialExecutor else { return false }
  x.checkIsolated()
  return true
}

// What isSameExclusiveExecutionContext says of two custom executors that conform in the same way.
@_silgen_name("silvm_executor_same") func executorIsSame(_ current: UInt, _ expected: UInt) -> Bool

// What isIsolatingCurrentContext says, 2 for nothing.
@_silgen_name("silvm_executor_isolates") func executorIsolates(_ executor: UInt) -> UInt

// What is isolated to an executor may run here: it is the current one, or says so itself.
func expect(_ executor: UInt, _ kind: UInt, _ what: () -> String) {
  if !libraryIsCurrent(executor, kind) { fatalError(what()) }
}

@_silgen_name("library_ScfsE13checkIsolatedyyF") public func libraryCheckIsolated<E: SerialExecutor>(_ e: E) {
  fatalError("Unexpected isolation context, expected to be executing on \(e)")
}

@_silgen_name("library_swift_task_reportUnexpectedExecutor") public func libraryReport(_ file: UnsafePointer<UInt8>, _ count: Int, _ ascii: Bool, _ line: UInt, _ executor: UInt, _ kind: UInt) {
  fatalError("Incorrect actor executor assumption")
}

extension Actor {
@_silgen_name("library_ScAsE20preconditionIsolated_4file4lineySSyXK_s12StaticStringVSutF")
public func libraryPrecondition(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = executorOfActor(word(self))
  expect(e, k) { "Incorrect actor executor assumption; Expected same executor as \(self). \(message())" }
}
@_silgen_name("library_ScAsE14assertIsolated_4file4lineySSyXK_s12StaticStringVSutF")
public func libraryAssert(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = executorOfActor(word(self))
  expect(e, k) { "Incorrect actor executor assumption; Expected same executor as \(self). \(message())" }
}
@_silgen_name("library_ScAsE14assumeIsolated_4file4lineqd__qd__xYiKXE_s12StaticStringVSutKlF")
public func libraryAssume<T>(_ operation: (Self) throws -> T, _ file: StaticString, _ line: UInt) throws -> T {
  let (e, k) = executorOfActor(word(self))
  expect(e, k) { "Incorrect actor executor assumption; Expected same executor as \(self)." }
  return try operation(self)
}
}

extension UnownedSerialExecutor {
@_silgen_name("library_Sce18_isComplexEqualitySbvg") public func libraryIsComplex() -> Bool { unsafeBitCast(self, to: (UInt, UInt).self).1 & 1 != 0 }
}

extension SerialExecutor {
@_silgen_name("library_ScfsE25isIsolatingCurrentContextSbSgyF") public func libraryIsIsolating() -> Bool? { nil }
@_silgen_name("library_ScfsE23asUnownedSerialExecutorSceyF") public func libraryUnowned() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
@_silgen_name("library_ScfsE20preconditionIsolated_4file4lineySSyXK_s12StaticStringVSutF")
public func libraryPrecondition(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = unsafeBitCast(asUnownedSerialExecutor(), to: (UInt, UInt).self)
  expect(e, k) { "Incorrect actor executor assumption; Expected \(self) executor. \(message())" }
}
@_silgen_name("library_ScfsE14assertIsolated_4file4lineySSyXK_s12StaticStringVSutF")
public func libraryAssert(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = unsafeBitCast(asUnownedSerialExecutor(), to: (UInt, UInt).self)
  expect(e, k) { "Incorrect actor executor assumption; Expected \(self) executor. \(message())" }
}
@_silgen_name("library_ScfsE31isSameExclusiveExecutionContext5otherSbx_tF") public func librarySameContext(_ other: Self) -> Bool { self === other }
}

extension SerialExecutor where Self: Equatable {
@_silgen_name("library_ScfsSQRzrlE31isSameExclusiveExecutionContext5otherSbx_tF") public func libraryEqualContext(_ other: Self) -> Bool { self == other }
}

extension UnownedTaskExecutor {
@_silgen_name("library_s19UnownedTaskExecutorV2eeoiySbAB_ABtFZ") public static func libraryEqual(_ a: UnownedTaskExecutor, _ b: UnownedTaskExecutor) -> Bool { words(a).0 == words(b).0 }
}

extension MainActor {
@_silgen_name("library_ScM14assumeIsolated_4file4linexxyKScMYcXE_s12StaticStringVSutKlFZ")
public static func libraryAssumeMain<T>(_ operation: () throws -> T, _ file: StaticString, _ line: UInt) throws -> T {
  expect(executorMain().0, 0) { "Incorrect actor executor assumption; Expected 'MainActor' executor." }
  return try operation()
}
@_silgen_name("library_ScM3run10resultType4bodyxxm_xyYbKScMYcXEtYaKlFZ")
public static func libraryRun<T>(_ type: T.Type, _ body: () throws -> T) throws -> T {
  taskHop(executorMain().0, 0)
  return try body()
}
}

extension GlobalActor {
@_silgen_name("library_s11GlobalActorPsE21sharedUnownedExecutorScevgZ") public static func librarySharedExecutor() -> UnownedSerialExecutor {
  unsafeBitCast(executorOfActor(word(Self.shared)), to: UnownedSerialExecutor.self)
}
@_silgen_name("library_s11GlobalActorPsE20preconditionIsolated_4file4lineySSyXK_s12StaticStringVSutFZ")
public static func libraryPreconditionGlobal(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = executorOfActor(word(Self.shared))
  expect(e, k) { "Incorrect actor executor assumption; Expected same executor as \(Self.self). \(message())" }
}
@_silgen_name("library_s11GlobalActorPsE14assertIsolated_4file4lineySSyXK_s12StaticStringVSutFZ")
public static func libraryAssertGlobal(_ message: () -> String, _ file: StaticString, _ line: UInt) {
  let (e, k) = executorOfActor(word(Self.shared))
  expect(e, k) { "Incorrect actor executor assumption; Expected same executor as \(Self.self). \(message())" }
}
}

// CheckedContinuation: one object, which says when it goes unused.
final class LibraryCanary {
  var continuation: UInt
  let function: String
  init(_ c: UInt, _ f: String) {
    continuation = c
    function = f
  }
  deinit {
    if continuation != 0 { continuationLeaked(); libraryWarn("SWIFT TASK CONTINUATION MISUSE: \(function) leaked its continuation without resuming it. This may cause tasks waiting on it to remain suspended forever.\n") }
  }
  func take() -> UInt {
    defer { continuation = 0 }
    return continuation
  }
}

@_silgen_name("silvm_warn") func warn(_ p: UnsafePointer<UInt8>, _ count: Int)
func libraryWarn(_ text: String) {
  var text = text
  text.withUTF8 { warn($0.baseAddress!, $0.count) }
}

extension CheckedContinuation {
@inline(__always) var canary: LibraryCanary { unsafeBitCast(self, to: LibraryCanary.self) }
@_silgen_name("library_ScC12continuation8functionScCyxq_GSccyxq_G_SStcfC")
public static func libraryMake(_ c: UnsafeContinuation<T, E>, _ function: __owned String) -> CheckedContinuation<T, E> {
  unsafeBitCast(LibraryCanary(unsafeBitCast(c, to: UInt.self), function), to: CheckedContinuation<T, E>.self)
}
@_silgen_name("library_ScC6resume9returningyxn_tF") public func libraryResume(_ value: __owned T) {
  let c = canary.take()
  if c == 0 { fatalError("SWIFT TASK CONTINUATION MISUSE: \(canary.function) tried to resume its continuation more than once, returning \(value)!\n") }
  unsafeBitCast(c, to: UnsafeContinuation<T, Never>.self).resume(returning: value)
}
@_silgen_name("library_ScC6resume8throwingyq_n_tF") public func libraryThrow(_ error: __owned E) {
  let c = canary.take()
  if c == 0 { fatalError("SWIFT TASK CONTINUATION MISUSE: \(canary.function) tried to resume its continuation more than once, throwing \(error)!\n") }
  unsafeBitCast(c, to: UnsafeContinuation<T, any Error>.self).resume(throwing: error)
}
}

@_silgen_name("library_s23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF")
public func libraryWithChecked<T>(_ isolation: isolated (any Actor)?, _ function: __owned String, _ body: (CheckedContinuation<T, Never>) -> Void) async -> T {
  await withCheckedContinuation(isolation: isolation, function: function, body)
}
@_silgen_name("library_s31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF")
public func libraryWithCheckedThrowing<T>(_ isolation: isolated (any Actor)?, _ function: __owned String, _ body: (CheckedContinuation<T, any Error>) -> Void) async throws -> T {
  try await withCheckedThrowingContinuation(isolation: isolation, function: function, body)
}
@_silgen_name("library_s23withCheckedContinuation8function_xSS_yScCyxs5NeverOGXEtYalF")
public func libraryWithCheckedPlain<T>(_ function: __owned String, _ body: (CheckedContinuation<T, Never>) -> Void) async -> T {
  await withCheckedContinuation(function: function, body)
}
extension MainActor {
@_silgen_name("library_ScM21sharedUnownedExecutorScevgZ") public static func libraryShared() -> UnownedSerialExecutor { unsafeBitCast(executorMain(), to: UnownedSerialExecutor.self) }
@_silgen_name("library_ScM15unownedExecutorScevg") public nonisolated func libraryExecutor() -> UnownedSerialExecutor { unsafeBitCast(executorMain(), to: UnownedSerialExecutor.self) }
}
