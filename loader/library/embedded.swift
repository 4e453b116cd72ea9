// What the concurrency library of Embedded Swift leaves to the runtime: its own text is in the program's.

@_silgen_name("library_swift_task_future_wait") public func libraryFutureWait<T>(_ t: LibraryTask) -> T {
  t.wait()
  return unsafeDowncast(t, to: LibraryTaskOf<T>.self).memory.pointee
}
@_silgen_name("library_swift_task_future_wait_throwing") public func libraryFutureWaitThrowing<T>(_ t: LibraryTask) throws -> T {
  try unsafeDowncast(t, to: LibraryTaskOf<T>.self).value()
}

@_silgen_name("library_swift_task_getCurrent") public func libraryGetCurrent() -> LibraryTask? { currentTask() }
@_silgen_name("library_swift_task_currentPriority") public func libraryCurrentPriority(_ t: LibraryTask) -> UInt8 { t.priority }
@_silgen_name("library_swift_task_basePriority") public func libraryBasePriority(_ t: LibraryTask) -> UInt8 { t.basePriority }
@_silgen_name("library_swift_task_getCurrentThreadPriority") public func libraryThreadPriority() -> Int { Int(threadPriority) }

@_silgen_name("library_swift_taskGroup_wait_next_throwing") public func libraryGroupWaitNext<T>(_ w: UInt) throws -> T? {
  guard let t = object(w, LibraryGroup.self).next() else { return nil }
  if let e = t.error { throw e }
  return unsafeDowncast(t, to: LibraryTaskOf<T>.self).memory.pointee
}
@_silgen_name("library_swift_taskGroup_waitAll") public func libraryGroupWaitAll<T>(_ w: UInt, _ error: (any Error)?) throws -> T? {
  try object(w, LibraryGroup.self).waitAll(error)
  return nil
}

// A handler that its caller keeps: function and context.
final class LibraryBorrowedHandler: LibraryRecord {
  let function: UInt
  let context: UInt
  init(_ function: UInt, _ context: UInt) { self.function = function; self.context = context }
  override func cancel() { _ = taskCall(function, context, 0) }
}

@_silgen_name("library_swift_task_addCancellationHandler") public func libraryAddHandler(_ function: UInt, _ context: UInt) -> UInt {
  guard let t = currentTask() else { return 0 }
  let r = LibraryBorrowedHandler(function, context)
  if t.isCancelled { r.cancel() } else { t.records.append(r) }
  return given(r)
}
@_silgen_name("library_swift_task_removeCancellationHandler") public func libraryRemoveHandler(_ w: UInt) {
  if w != 0 { currentTask()?.remove(owned(w, LibraryRecord.self)) }
}

// A job that resumes a continuation, after a while.
final class LibraryResumption: LibraryTask {
  let continuation: UInt
  var delay: UInt = 0
  init(_ c: UInt, _ priority: UInt8) {
    continuation = c
    super.init(0, nil, priority)
    isJob = true
  }
  override func run() {
    if delay > 0 { taskSleep(delay) }
    unsafeBitCast(continuation, to: UnsafeContinuation<Void, Never>.self).resume()
    finish()
  }
}

@_silgen_name("library_swift_task_createNullaryContinuationJob") public func libraryResumptionJob(_ priority: Int, _ continuation: UInt) -> UInt {
  let t = LibraryResumption(continuation, UInt8(truncatingIfNeeded: priority))
  begin(t, 0, 0, (0, 0), locals: false, enqueued: false)
  return word(t)
}
@_silgen_name("library_swift_task_enqueueGlobal") public func libraryEnqueueGlobal(_ job: UInt) { taskReady(object(job, LibraryTask.self).fiber) }
@_silgen_name("library_swift_task_enqueueGlobalWithDelay") public func libraryEnqueueLater(_ ns: UInt64, _ job: UInt) {
  let t = object(job, LibraryTask.self)
  if let r = t as? LibraryResumption { r.delay = UInt(ns) }
  taskReady(t.fiber)
}

// The locks of streams: nobody else runs between lock and unlock, but what one does is in order with what the next does.
@_silgen_name("library__swift_async_stream_lock_size") public func libraryLockSize() -> Int { 8 }
@_silgen_name("library__swift_async_stream_lock_init") public func libraryLockInit(_ lock: UInt) {}
@_silgen_name("library__swift_async_stream_lock_lock") public func libraryLock(_ lock: UInt) { taskAcquire(lock) }
@_silgen_name("library__swift_async_stream_lock_unlock") public func libraryUnlock(_ lock: UInt) { taskRelease(lock) }
