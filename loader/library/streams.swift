// AsyncStream and AsyncThrowingStream: a buffer, and those who wait for an element.

public class LibraryStream<Element> {
  var buffer: [Element?] = []
  var first = 0
  var limit: Int       // of the buffer; Int.max for none
  var keepsNewest: Bool
  var waiting: [LibraryWaiter<Element>] = []
  var isTerminal = false
  var error: (any Error)?

  init(_ limit: Int, _ keepsNewest: Bool) {
    self.limit = limit
    self.keepsNewest = keepsNewest
  }

  var count: Int { buffer.count - first }

  func take() -> Element {
    let e = buffer[first].take()!
    first += 1
    if first == buffer.count {
      buffer = []
      first = 0
    }
    return e
  }

  // What a yield came to: enqueued with so much room left, dropped, or terminated.
  func yield(_ e: __owned Element) -> LibraryYield<Element> {
    taskRelease(word(self))
    if isTerminal { return .terminated }
    if !waiting.isEmpty {
      let w = waiting.removeFirst()
      w.element = e
      w.isDone = true
      taskReady(w.fiber)
      return .enqueued(limit)
    }
    if count < limit {
      buffer.append(e)
      return .enqueued(limit == Int.max ? limit : limit - count)
    }
    if limit <= 0 || !keepsNewest { return .dropped(e) }
    let old = take()
    buffer.append(e)
    return .dropped(old)
  }

  func terminate() { }
  var waitsAlone: Bool { false }

  // Ends the stream: those who wait get nothing more.
  func finish(_ e: (any Error)?) {
    taskRelease(word(self))
    let was = isTerminal
    isTerminal = true
    terminate()
    if was { return }
    error = e
    let all = waiting
    waiting = []
    for w in all {
      w.isDone = true
      w.error = error // kept: the next one to ask gets it once more, as natively
      taskReady(w.fiber)
    }
  }

  func next() throws -> Element? {
    defer { taskAcquire(word(self)) }
    if count > 0 { return take() }
    if isTerminal {
      if let e = error {
        error = nil
        throw e
      }
      return nil
    }
    if waitsAlone && !waiting.isEmpty { fatalError("attempt to await next() on more than one task") }
    let w = LibraryWaiter<Element>()
    waiting.append(w)
    while !w.isDone { taskWait(waitsForResume, 0) }
    if let e = w.error { throw e }
    return w.element
  }
}

enum LibraryYield<Element> {
  case enqueued(Int)
  case dropped(Element)
  case terminated
}

final class LibraryWaiter<Element> {
  let fiber = taskFiber()
  var element: Element?
  var error: (any Error)?
  var isDone = false
}

final class LibraryCancelled: LibraryRecord {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  override func cancel() { body() }
}

// Waits for an element; cancel is called when the task is cancelled before.
func waitFor<Element>(_ s: LibraryStream<Element>, _ cancel: @escaping () -> Void) throws -> Element? {
  guard let t = currentTask() else { return try s.next() }
  if t.isCancelled { cancel() }
  let r = LibraryCancelled(cancel)
  t.records.append(r)
  defer { t.remove(r) }
  return try s.next()
}

// The next element of a stream that unfolds. Cancellation, also an earlier one, is told each time; an error ends nothing.
func unfold<Element>(_ produce: () -> (() throws -> Element?)?, _ end: () -> Void, _ cancel: @escaping () -> Void) throws -> Element? {
  var r: LibraryCancelled?
  let t = currentTask()
  if let t = t {
    if t.isCancelled { cancel() }
    r = LibraryCancelled(cancel)
    t.records.append(r!)
  }
  defer { if let t = t, let r = r { t.remove(r) } }
  guard let p = produce() else { return nil }
  let e = try p()
  if e == nil { end() }
  return e
}

// What is to be called at the end of a stream.
final class LibraryTermination<Reason> {
  let body: @Sendable (Reason) -> Void
  init(_ body: @escaping @Sendable (Reason) -> Void) { self.body = body }
}

// AsyncStream

final class LibraryPlainStream<Element>: LibraryStream<Element> {
  var onTermination: LibraryTermination<AsyncStream<Element>.Continuation.Termination>?
  var reason: AsyncStream<Element>.Continuation.Termination = .finished

  override func terminate() {
    let f = onTermination
    onTermination = nil
    f?.body(reason)
    reason = .finished
  }
  func cancel() {
    reason = .cancelled
    terminate()
    finish(nil)
  }
  deinit { onTermination?.body(.cancelled) }
}

final class LibraryPlainContext<Element> {
  let stream: LibraryPlainStream<Element>?
  var produce: (() -> Element?)?
  let onCancel: (() -> Void)?
  init(_ s: LibraryPlainStream<Element>?, _ p: (() -> Element?)?, _ c: (() -> Void)?) {
    stream = s
    produce = p
    onCancel = c
  }
  deinit { stream?.cancel() }

  func next() -> Element? {
    if let s = stream { return try! waitFor(s) { s.cancel() } }
    return try! unfold({ produce }, { produce = nil }) { self.produce = nil; self.onCancel?() }
  }
}

func policy<Element>(_ p: AsyncStream<Element>.Continuation.BufferingPolicy) -> (Int, Bool) {
  switch p {
  case .unbounded: (Int.max, false)
  case .bufferingOldest(let n): (n, false)
  case .bufferingNewest(let n): (n, true)
  @unknown default: (Int.max, false)
  }
}

extension AsyncStream {
@_silgen_name("library_ScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC")
public static func libraryMake(_ type: Element.Type, _ p: Continuation.BufferingPolicy, _ build: (Continuation) -> Void) -> AsyncStream<Element> {
  let (limit, newest) = policy(p)
  let s = LibraryPlainStream<Element>(limit, newest)
  build(unsafeBitCast(s, to: Continuation.self))
  return unsafeBitCast(LibraryPlainContext(s, nil, nil), to: AsyncStream<Element>.self)
}
@_silgen_name("library_ScS10makeStream2of15bufferingPolicyScSyxG6stream_ScS12ContinuationVyx_G12continuationtxm_AG09BufferingE0Oyx__GtFZ")
public static func libraryPair(_ type: Element.Type, _ p: Continuation.BufferingPolicy) -> (AsyncStream<Element>, Continuation) {
  let (limit, newest) = policy(p)
  let s = LibraryPlainStream<Element>(limit, newest)
  return (unsafeBitCast(LibraryPlainContext(s, nil, nil), to: AsyncStream<Element>.self), unsafeBitCast(s, to: Continuation.self))
}
@_silgen_name("library_ScS9unfolding8onCancelScSyxGxSgyYac_yyYbcSgtcfC")
public static func libraryUnfold(_ produce: __owned @escaping () -> Element?, _ onCancel: __owned (() -> Void)?) -> AsyncStream<Element> {
  unsafeBitCast(LibraryPlainContext<Element>(nil, produce, onCancel), to: AsyncStream<Element>.self)
}
@_silgen_name("library_ScS17makeAsyncIteratorScS0C0Vyx_GyF") public func libraryIterator() -> Iterator {
  unsafeBitCast(unsafeBitCast(self, to: LibraryPlainContext<Element>.self), to: Iterator.self)
}
}

extension AsyncStream.Iterator {
@inline(__always) var context: LibraryPlainContext<Element> { unsafeBitCast(self, to: LibraryPlainContext<Element>.self) }
@_silgen_name("library_ScS8IteratorV4nextxSgyYaF") public mutating func libraryNext() -> Element? { context.next() }
@_silgen_name("library_ScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) -> Element? { context.next() }
}

extension AsyncStream.Continuation {
@inline(__always) var stream: LibraryPlainStream<Element> { unsafeBitCast(self, to: LibraryPlainStream<Element>.self) }
@inline(__always) func put(_ e: __owned Element) -> YieldResult {
  switch stream.yield(e) {
  case .enqueued(let n): .enqueued(remaining: n)
  case .dropped(let e): .dropped(e)
  case .terminated: .terminated
  }
}
@_silgen_name("library_ScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF") @discardableResult public func libraryYield(_ e: __owned Element) -> YieldResult { put(e) }
@_silgen_name("library_ScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF") @discardableResult public func libraryYieldResult(_ r: Result<Element, Never>) -> YieldResult {
  switch r { case .success(let e): put(e) }
}
@_silgen_name("library_ScS12ContinuationV2eeoiySbAByx_G_ADtFZ") public static func librarySame(_ a: Self, _ b: Self) -> Bool { a.stream === b.stream }
@_silgen_name("library_ScS12ContinuationV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(word(stream)) }
@_silgen_name("library_ScS12ContinuationV9hashValueSivg") public func libraryHashed() -> Int { var h = Hasher(); h.combine(word(stream)); return h.finalize() }
@_silgen_name("library_ScS12ContinuationV6finishyyF") public func libraryFinish() { stream.finish(nil) }
@_silgen_name("library_ScS12ContinuationV13onTerminationyAB0C0Oyx__GYbcSgvg") public func libraryOnTermination() -> (@Sendable (Termination) -> Void)? { stream.onTermination?.body }
@_silgen_name("library_ScS12ContinuationV13onTerminationyAB0C0Oyx__GYbcSgvs") public func librarySetOnTermination(_ f: __owned (@Sendable (Termination) -> Void)?) { stream.onTermination = f.map { LibraryTermination($0) } }
}
extension AsyncStream.Continuation where Element == () {
@_silgen_name("library_ScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF") @discardableResult public func libraryYieldNothing() -> YieldResult { put(()) }
}
extension AsyncStream.Continuation.Termination {
@_silgen_name("library_ScS12ContinuationV11TerminationO2eeoiySbADyx__G_AFtFZ") public static func libraryEqual(_ a: Self, _ b: Self) -> Bool {
  switch (a, b) {
  case (.finished, .finished), (.cancelled, .cancelled): true
  default: false
  }
}
}

// AsyncThrowingStream

final class LibraryThrowingStream<Element, Failure: Error>: LibraryStream<Element> {
  var onTermination: LibraryTermination<AsyncThrowingStream<Element, Failure>.Continuation.Termination>?
  var reason: AsyncThrowingStream<Element, Failure>.Continuation.Termination = .finished(nil)

  override var waitsAlone: Bool { true }
  override func terminate() {
    let f = onTermination
    onTermination = nil
    f?.body(reason)
    reason = .finished(nil)
  }
  func cancel() {
    reason = .cancelled
    terminate()
    finish(nil)
  }
  deinit { onTermination?.body(.cancelled) }
}

final class LibraryThrowingContext<Element, Failure: Error> {
  let stream: LibraryThrowingStream<Element, Failure>?
  var produce: (() throws -> Element?)?
  init(_ s: LibraryThrowingStream<Element, Failure>?, _ p: (() throws -> Element?)?) {
    stream = s
    produce = p
  }
  deinit { stream?.cancel() }

  func next() throws -> Element? {
    if let s = stream { return try waitFor(s) { s.cancel() } }
    return try unfold({ produce }, { produce = nil }) { self.produce = nil }
  }
}

func policy<Element, Failure>(_ p: AsyncThrowingStream<Element, Failure>.Continuation.BufferingPolicy) -> (Int, Bool) {
  switch p {
  case .unbounded: (Int.max, false)
  case .bufferingOldest(let n): (n, false)
  case .bufferingNewest(let n): (n, true)
  @unknown default: (Int.max, false)
  }
}

extension AsyncThrowingStream where Failure == any Error {
@_silgen_name("library_Scs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_p_GXEtcsAB_pRs_rlufC")
public static func libraryMake(_ type: Element.Type, _ p: Continuation.BufferingPolicy, _ build: (Continuation) -> Void) -> AsyncThrowingStream<Element, any Error> {
  let (limit, newest) = policy(p)
  let s = LibraryThrowingStream<Element, any Error>(limit, newest)
  build(unsafeBitCast(s, to: Continuation.self))
  return unsafeBitCast(LibraryThrowingContext(s, nil), to: AsyncThrowingStream<Element, any Error>.self)
}
@_silgen_name("library_Scs10makeStream2of8throwing15bufferingPolicyScsyxs5Error_pG6stream_Scs12ContinuationVyxsAE_p_G12continuationtxm_sAE_pmAI09BufferingF0OyxsAE_p__GtsAE_pRs_rlFZ")
public static func libraryPair(_ type: Element.Type, _ f: Failure.Type, _ p: Continuation.BufferingPolicy) -> (AsyncThrowingStream<Element, any Error>, Continuation) {
  let (limit, newest) = policy(p)
  let s = LibraryThrowingStream<Element, any Error>(limit, newest)
  return (unsafeBitCast(LibraryThrowingContext(s, nil), to: AsyncThrowingStream<Element, any Error>.self), unsafeBitCast(s, to: Continuation.self))
}
@_silgen_name("library_Scs9unfoldingScsyxs5Error_pGxSgyYaKc_tcsAB_pRs_rlufC")
public static func libraryUnfold(_ produce: __owned @escaping () throws -> Element?) -> AsyncThrowingStream<Element, any Error> {
  unsafeBitCast(LibraryThrowingContext<Element, any Error>(nil, produce), to: AsyncThrowingStream<Element, any Error>.self)
}
}
extension AsyncThrowingStream {
@_silgen_name("library_Scs17makeAsyncIteratorScs0C0Vyxq__GyF") public func libraryIterator() -> Iterator {
  unsafeBitCast(unsafeBitCast(self, to: LibraryThrowingContext<Element, Failure>.self), to: Iterator.self)
}
}

extension AsyncThrowingStream.Iterator {
@inline(__always) var context: LibraryThrowingContext<Element, Failure> { unsafeBitCast(self, to: LibraryThrowingContext<Element, Failure>.self) }
@_silgen_name("library_Scs8IteratorV4nextxSgyYaKF") public mutating func libraryNext() throws -> Element? { try context.next() }
@_silgen_name("library_Scs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) throws(Failure) -> Element? {
  do { return try context.next() } catch { throw error as! Failure }
}
}

extension AsyncThrowingStream.Continuation {
@inline(__always) var stream: LibraryThrowingStream<Element, Failure> { unsafeBitCast(self, to: LibraryThrowingStream<Element, Failure>.self) }
@inline(__always) func put(_ e: __owned Element) -> YieldResult {
  switch stream.yield(e) {
  case .enqueued(let n): .enqueued(remaining: n)
  case .dropped(let e): .dropped(e)
  case .terminated: .terminated
  }
}
@_silgen_name("library_Scs12ContinuationV2eeoiySbAByxq__G_ADtFZ") public static func librarySame(_ a: Self, _ b: Self) -> Bool { a.stream === b.stream }
@_silgen_name("library_Scs12ContinuationV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(word(stream)) }
@_silgen_name("library_Scs12ContinuationV9hashValueSivg") public func libraryHashed() -> Int { var h = Hasher(); h.combine(word(stream)); return h.finalize() }
@_silgen_name("library_Scs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF") @discardableResult public func libraryYield(_ e: __owned Element) -> YieldResult { put(e) }
@_silgen_name("library_Scs12ContinuationV6finish8throwingyq_Sgn_tF") public func libraryFinish(_ e: __owned Failure?) {
  stream.reason = .finished(e)
  stream.finish(e)
}
@_silgen_name("library_Scs12ContinuationV13onTerminationyAB0C0Oyxq___GYbcSgvg") public func libraryOnTermination() -> (@Sendable (Termination) -> Void)? { stream.onTermination?.body }
@_silgen_name("library_Scs12ContinuationV13onTerminationyAB0C0Oyxq___GYbcSgvs") public func librarySetOnTermination(_ f: __owned (@Sendable (Termination) -> Void)?) { stream.onTermination = f.map { LibraryTermination($0) } }
}
extension AsyncThrowingStream.Continuation where Failure == any Error {
@_silgen_name("library_Scs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF") @discardableResult public func libraryYieldResult(_ r: Result<Element, any Error>) -> YieldResult {
  switch r {
  case .success(let e): return put(e)
  case .failure(let e):
    libraryFinish(e)
    return .terminated
  }
}
}
extension AsyncThrowingStream.Continuation where Element == () {
@_silgen_name("library_Scs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF") @discardableResult public func libraryYieldNothing() -> YieldResult { put(()) }
}

// The witnesses, by address.
@_silgen_name("library_AsyncStream_makeAsyncIterator") public func streamIterator<E>(_ o: UnsafeMutablePointer<AsyncStream<E>.Iterator>, _ s: UnsafeMutablePointer<AsyncStream<E>>) { o.initialize(to: s.move().libraryIterator()) }
@_silgen_name("library_AsyncStream_Iterator_nextAsync") public func streamNext<E>(_ o: UnsafeMutablePointer<E?>, _ i: UnsafeMutablePointer<AsyncStream<E>.Iterator>) throws { o.initialize(to: i.pointee.context.next()) }
@_silgen_name("library_AsyncStream_Iterator_nextIsolated") public func streamNextIsolated<E>(_ o: UnsafeMutablePointer<E?>, _ e: UInt, _ isolation: (any Actor)?, _ i: UnsafeMutablePointer<AsyncStream<E>.Iterator>) throws { o.initialize(to: i.pointee.context.next()) }
@_silgen_name("library_AsyncThrowingStream_makeAsyncIterator") public func throwingIterator<E, F>(_ o: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingStream<E, F>>) { o.initialize(to: s.move().libraryIterator()) }
@_silgen_name("library_AsyncThrowingStream_Iterator_nextAsync") public func throwingNext<E, F>(_ o: UnsafeMutablePointer<E?>, _ i: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Iterator>) throws { o.initialize(to: try i.pointee.context.next()) }
@_silgen_name("library_AsyncThrowingStream_Iterator_nextIsolated") public func throwingNextIsolated<E, F>(_ o: UnsafeMutablePointer<E?>, _ e: UnsafeMutablePointer<F>, _ isolation: (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Iterator>) throws {
  try advance(o, e) { try i.pointee.context.next() }
}

// The witnesses of continuations, by address.
@_silgen_name("library_AsyncStream_Continuation_equal") public func continuationEqual<E>(_ a: UnsafeMutablePointer<AsyncStream<E>.Continuation>, _ b: UnsafeMutablePointer<AsyncStream<E>.Continuation>) -> Bool { a.pointee.stream === b.pointee.stream }
@_silgen_name("library_AsyncStream_Continuation_hash") public func continuationHash<E>(_ h: UnsafeMutablePointer<Hasher>, _ c: UnsafeMutablePointer<AsyncStream<E>.Continuation>) { h.pointee.combine(word(c.pointee.stream)) }
@_silgen_name("library_AsyncThrowingStream_Continuation_equal") public func throwingContinuationEqual<E, F>(_ a: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Continuation>, _ b: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Continuation>) -> Bool { a.pointee.stream === b.pointee.stream }
@_silgen_name("library_AsyncThrowingStream_Continuation_hash") public func throwingContinuationHash<E, F>(_ h: UnsafeMutablePointer<Hasher>, _ c: UnsafeMutablePointer<AsyncThrowingStream<E, F>.Continuation>) { h.pointee.combine(word(c.pointee.stream)) }
