// Task groups: the tasks that run, those that are done and not yet asked for in the order in which they ended, and who waits.

public class LibraryGroup: LibraryRecord {
  var pending = 0 // tasks that run or were not asked for
  var children: [LibraryTask?] = []
  var holes = 0
  var done: [LibraryTask?] = []
  var first = 0 // of done
  var waiting: UInt?
  var isCancelled = false
  let discards: Bool
  var error: (any Error)?

  init(_ discards: Bool) { self.discards = discards }

  override func cancel() {
    if isCancelled { return }
    isCancelled = true
    for t in children { t?.cancel() }
  }

  override func escalate(_ from: UInt8, _ to: UInt8) {
    for t in children { t?.escalate(to) }
  }

  func wake() {
    if let f = waiting {
      waiting = nil
      taskReady(f)
    }
  }

  func add(_ t: LibraryTask) {
    t.place = children.count
    children.append(t)
    t.group = self
  }

  func finished(_ t: LibraryTask) {
    taskRelease(word(self))
    children[t.place] = nil
    holes += 1
    if holes > 16 && holes > children.count / 2 {
      children.removeAll { $0 == nil }
      for k in children.indices { children[k]!.place = k }
      holes = 0
    }
    if !discards {
      done.append(t)
      return wake()
    }
    pending -= 1
    if let e = t.error, error == nil {
      error = e
      cancel()
    }
    if pending == 0 { wake() }
  }

  func wait() {
    waiting = taskFiber()
    taskWait(waitsForGroup, address)
    taskAcquire(address)
  }

  // Gives the next task that is done, nil when there is none left to wait for.
  func next() -> LibraryTask? {
    if pending == 0 { return nil }
    while first == done.count { wait() }
    taskAcquire(word(self))
    pending -= 1
    let t = done[first]
    done[first] = nil
    first += 1
    if first == done.count {
      done = []
      first = 0
    }
    return t
  }

  func waitAll(_ given: (any Error)?) throws {
    if discards {
      while pending > 0 { wait() }
      taskAcquire(word(self))
    }
    while let t = next() { if error == nil { error = t.error } }
    if let e = given ?? error {
      error = nil
      throw e
    }
  }
}

@inline(__always) var discardsFlag: UInt { 1 << 8 }

@_silgen_name("library_task_makeGroup") public func libraryMakeGroup(_ flags: UInt) -> UInt {
  let g = LibraryGroup(flags & discardsFlag != 0)
  if let t = currentTask() {
    g.isCancelled = t.isCancelled
    t.records.append(g)
  }
  return given(g)
}

@_silgen_name("library_task_destroyGroup") public func libraryDestroyGroup(_ w: UInt) {
  let g = owned(w, LibraryGroup.self)
  currentTask()?.remove(g)
}

@_silgen_name("library_swift_taskGroup_addPending") public func libraryAddPending(_ w: UInt, _ always: Bool) -> Bool {
  let g = object(w, LibraryGroup.self)
  if !always && g.isCancelled { return false }
  g.pending += 1
  return true
}
@_silgen_name("library_swift_taskGroup_isEmpty") public func libraryGroupIsEmpty(_ w: UInt) -> Bool { object(w, LibraryGroup.self).pending == 0 }
@_silgen_name("library_swift_taskGroup_isCancelled") public func libraryGroupIsCancelled(_ w: UInt) -> Bool { object(w, LibraryGroup.self).isCancelled }
@_silgen_name("library_swift_taskGroup_cancelAll") public func libraryGroupCancelAll(_ w: UInt) { object(w, LibraryGroup.self).cancel() }

extension TaskGroup {
@inline(__always) var tasks: LibraryGroup { unsafeBitCast(self, to: LibraryGroup.self) }
@inline(__always) func following() -> ChildTaskResult? {
  guard let t = tasks.next() else { return nil }
  return unsafeDowncast(t, to: LibraryTaskOf<ChildTaskResult>.self).memory.pointee
}
@_silgen_name("library_ScG4nextxSgyYaF") public mutating func libraryNext() -> ChildTaskResult? { following() }
@_silgen_name("library_ScG4next9isolationxSgScA_pSgYi_tYaF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) -> ChildTaskResult? { following() }
@_silgen_name("library_ScG22awaitAllRemainingTasksyyYaF") public mutating func libraryAwaitAll() { while tasks.next() != nil {} }
@_silgen_name("library_ScG22awaitAllRemainingTasks9isolationyScA_pSgYi_tYaF") public mutating func libraryAwaitAllIsolated(_ isolation: (any Actor)?) { while tasks.next() != nil {} }
@_silgen_name("library_ScG7isEmptySbvg") public func libraryIsEmpty() -> Bool { tasks.pending == 0 }
@_silgen_name("library_ScG11isCancelledSbvg") public func libraryIsCancelled() -> Bool { taskPause(); return tasks.isCancelled }
@_silgen_name("library_ScG9cancelAllyyF") public func libraryCancelAll() { tasks.cancel() }
@_silgen_name("library_ScG17makeAsyncIteratorScG0C0Vyx_GyF") public func libraryIterator() -> TaskGroup<ChildTaskResult>.Iterator { unsafeBitCast(LibraryGroupIterator(group: tasks.address, finished: false), to: TaskGroup<ChildTaskResult>.Iterator.self) }
}

// TaskGroup.Iterator and ThrowingTaskGroup.Iterator as they lie in memory.
public struct LibraryGroupIterator {
  var group: UInt
  var finished: Bool
}

extension LibraryGroup { var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) } }

extension TaskGroup.Iterator {
@inline(__always) mutating func following() -> ChildTaskResult? {
  withUnsafeMutablePointer(to: &self) { p in
    p.withMemoryRebound(to: LibraryGroupIterator.self, capacity: 1) { p in
      if p.pointee.finished { return nil }
      guard let t = object(p.pointee.group, LibraryGroup.self).next() else {
        p.pointee.finished = true
        return nil
      }
      return unsafeDowncast(t, to: LibraryTaskOf<ChildTaskResult>.self).memory.pointee
    }
  }
}
@_silgen_name("library_ScG8IteratorV4nextxSgyYaF") public mutating func libraryNext() -> ChildTaskResult? { following() }
@_silgen_name("library_ScG8IteratorV4next9isolationxSgScA_pSgYi_tYaF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) -> ChildTaskResult? { following() }
@_silgen_name("library_ScG8IteratorV6cancelyyF") public mutating func libraryCancel() {
  withUnsafeMutablePointer(to: &self) { p in
    p.withMemoryRebound(to: LibraryGroupIterator.self, capacity: 1) { p in
      p.pointee.finished = true
      object(p.pointee.group, LibraryGroup.self).cancel()
    }
  }
}
}

extension ThrowingTaskGroup {
@inline(__always) var tasks: LibraryGroup { unsafeBitCast(self, to: LibraryGroup.self) }
@inline(__always) func following() throws -> ChildTaskResult? {
  guard let t = tasks.next() else { return nil }
  if let e = t.error { throw e }
  return unsafeDowncast(t, to: LibraryTaskOf<ChildTaskResult>.self).memory.pointee
}
@_silgen_name("library_Scg4nextxSgyYaKF") public mutating func libraryNext() throws -> ChildTaskResult? { try following() }
@_silgen_name("library_Scg4next9isolationxSgScA_pSgYi_tYaKF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) throws -> ChildTaskResult? { try following() }
@_silgen_name("library_Scg10nextResults0B0Oyxq_GSgyYaKF") public mutating func libraryNextResult() throws -> Result<ChildTaskResult, Failure>? {
  do { return try following().map { .success($0) } } catch { return .failure(error as! Failure) }
}
@_silgen_name("library_Scg22awaitAllRemainingTasksyyYaF") public mutating func libraryAwaitAll() { while tasks.next() != nil {} }
@_silgen_name("library_Scg22awaitAllRemainingTasks9isolationyScA_pSgYi_tYaF") public mutating func libraryAwaitAllIsolated(_ isolation: (any Actor)?) { while tasks.next() != nil {} }
@_silgen_name("library_Scg11_waitForAllyyYaKF") public mutating func libraryWaitForAll() throws { try tasks.waitAll(nil) }
@_silgen_name("library_Scg7isEmptySbvg") public func libraryIsEmpty() -> Bool { tasks.pending == 0 }
@_silgen_name("library_Scg11isCancelledSbvg") public func libraryIsCancelled() -> Bool { taskPause(); return tasks.isCancelled }
@_silgen_name("library_Scg9cancelAllyyF") public func libraryCancelAll() { tasks.cancel() }
@_silgen_name("library_Scg17makeAsyncIteratorScg0C0Vyxq__GyF") public func libraryIterator() -> ThrowingTaskGroup<ChildTaskResult, Failure>.Iterator { unsafeBitCast(LibraryGroupIterator(group: tasks.address, finished: false), to: ThrowingTaskGroup<ChildTaskResult, Failure>.Iterator.self) }
}

extension ThrowingTaskGroup.Iterator {
@inline(__always) mutating func following() throws -> ChildTaskResult? {
  try withUnsafeMutablePointer(to: &self) { p in
    try p.withMemoryRebound(to: LibraryGroupIterator.self, capacity: 1) { p in
      if p.pointee.finished { return nil }
      guard let t = object(p.pointee.group, LibraryGroup.self).next() else {
        p.pointee.finished = true
        return nil
      }
      if let e = t.error {
        p.pointee.finished = true
        throw e
      }
      return unsafeDowncast(t, to: LibraryTaskOf<ChildTaskResult>.self).memory.pointee
    }
  }
}
@_silgen_name("library_Scg8IteratorV4nextxSgyYaKF") public mutating func libraryNext() throws -> ChildTaskResult? { try following() }
@_silgen_name("library_Scg8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF") public mutating func libraryNextIsolated(_ isolation: (any Actor)?) throws(Failure) -> ChildTaskResult? {
  do { return try following() } catch { throw error as! Failure }
}
@_silgen_name("library_Scg8IteratorV6cancelyyF") public mutating func libraryCancel() {
  withUnsafeMutablePointer(to: &self) { p in
    p.withMemoryRebound(to: LibraryGroupIterator.self, capacity: 1) { p in
      p.pointee.finished = true
      object(p.pointee.group, LibraryGroup.self).cancel()
    }
  }
}
}

extension DiscardingTaskGroup {
@inline(__always) var tasks: LibraryGroup { unsafeBitCast(self, to: LibraryGroup.self) }
@_silgen_name("library_s19DiscardingTaskGroupV22awaitAllRemainingTasksyyYaKF") public mutating func libraryAwaitAll() throws { try tasks.waitAll(nil) }
@_silgen_name("library_s19DiscardingTaskGroupV7isEmptySbvg") public func libraryIsEmpty() -> Bool { tasks.pending == 0 }
@_silgen_name("library_s19DiscardingTaskGroupV11isCancelledSbvg") public func libraryIsCancelled() -> Bool { taskPause(); return tasks.isCancelled }
@_silgen_name("library_s19DiscardingTaskGroupV9cancelAllyyF") public func libraryCancelAll() { tasks.cancel() }
}

extension ThrowingDiscardingTaskGroup {
@inline(__always) var tasks: LibraryGroup { unsafeBitCast(self, to: LibraryGroup.self) }
@_silgen_name("library_s27ThrowingDiscardingTaskGroupV22awaitAllRemainingTasks9bodyErrorys0J0_pSg_tYaKF") public mutating func libraryAwaitAll(_ e: (any Error)?) throws { try tasks.waitAll(e) }
@_silgen_name("library_s27ThrowingDiscardingTaskGroupV7isEmptySbvg") public func libraryIsEmpty() -> Bool { tasks.pending == 0 }
@_silgen_name("library_s27ThrowingDiscardingTaskGroupV11isCancelledSbvg") public func libraryIsCancelled() -> Bool { taskPause(); return tasks.isCancelled }
@_silgen_name("library_s27ThrowingDiscardingTaskGroupV9cancelAllyyF") public func libraryCancelAll() { tasks.cancel() }
}

// What a program that was not optimized calls.

@_silgen_name("library_s13withTaskGroup2of9returning9isolation4bodyq_xm_q_mScA_pSgYiq_ScGyxGzYaXEtYas8SendableRzr0_lF")
public func libraryWithGroup<C, R>(_ c: C.Type, _ r: R.Type, _ isolation: isolated (any Actor)?, _ body: (inout TaskGroup<C>) async -> R) async -> R {
  await withTaskGroup(of: c, returning: r, isolation: isolation, body: body)
}
@_silgen_name("library_s21withThrowingTaskGroup2of9returning9isolation4bodyq_xm_q_mScA_pSgYiq_Scgyxs5Error_pGzYaKXEtYaKs8SendableRzr0_lF")
public func libraryWithThrowingGroup<C, R>(_ c: C.Type, _ r: R.Type, _ isolation: isolated (any Actor)?, _ body: (inout ThrowingTaskGroup<C, any Error>) async throws -> R) async throws -> R {
  try await withThrowingTaskGroup(of: c, returning: r, isolation: isolation, body: body)
}
@_silgen_name("library_s23withDiscardingTaskGroup9returning9isolation4bodyxxm_ScA_pSgYixs0bcD0VzYaXEtYalF")
public func libraryWithDiscardingGroup<R>(_ r: R.Type, _ isolation: isolated (any Actor)?, _ body: (inout DiscardingTaskGroup) async -> R) async -> R {
  await withDiscardingTaskGroup(returning: r, isolation: isolation, body: body)
}
@_silgen_name("library_s31withThrowingDiscardingTaskGroup9returning9isolation4bodyxxm_ScA_pSgYixs0bcdE0Vys5Error_pGzYaKXEtYaKlF")
public func libraryWithThrowingDiscardingGroup<R>(_ r: R.Type, _ isolation: isolated (any Actor)?, _ body: (inout ThrowingDiscardingTaskGroup<any Error>) async throws -> R) async throws -> R {
  try await withThrowingDiscardingTaskGroup(returning: r, isolation: isolation, body: body)
}
@_silgen_name("library_ScG5groupScGyxGBp_tcfC") public func libraryGroup<C>(_ w: UInt) -> TaskGroup<C> { unsafeBitCast(w, to: TaskGroup<C>.self) }

// The witnesses, by address.
@_silgen_name("library_TaskGroup_makeAsyncIterator") public func groupIterator<E>(_ o: UnsafeMutablePointer<TaskGroup<E>.Iterator>, _ g: UnsafeMutablePointer<TaskGroup<E>>) { o.initialize(to: g.move().libraryIterator()) }
@_silgen_name("library_TaskGroup_Iterator_nextAsync") public func groupNext<E>(_ o: UnsafeMutablePointer<E?>, _ i: UnsafeMutablePointer<TaskGroup<E>.Iterator>) throws { o.initialize(to: i.pointee.following()) }
@_silgen_name("library_TaskGroup_Iterator_nextIsolated") public func groupNextIsolated<E>(_ o: UnsafeMutablePointer<E?>, _ e: UInt, _ isolation: (any Actor)?, _ i: UnsafeMutablePointer<TaskGroup<E>.Iterator>) throws { o.initialize(to: i.pointee.following()) }
@_silgen_name("library_ThrowingTaskGroup_makeAsyncIterator") public func throwingGroupIterator<E, F>(_ o: UnsafeMutablePointer<ThrowingTaskGroup<E, F>.Iterator>, _ g: UnsafeMutablePointer<ThrowingTaskGroup<E, F>>) { o.initialize(to: g.move().libraryIterator()) }
@_silgen_name("library_ThrowingTaskGroup_Iterator_nextAsync") public func throwingGroupNext<E, F>(_ o: UnsafeMutablePointer<E?>, _ i: UnsafeMutablePointer<ThrowingTaskGroup<E, F>.Iterator>) throws { o.initialize(to: try i.pointee.following()) }
@_silgen_name("library_ThrowingTaskGroup_Iterator_nextIsolated") public func throwingGroupNextIsolated<E, F>(_ o: UnsafeMutablePointer<E?>, _ e: UnsafeMutablePointer<F>, _ isolation: (any Actor)?, _ i: UnsafeMutablePointer<ThrowingTaskGroup<E, F>.Iterator>) throws {
  try advance(o, e) { try i.pointee.following() }
}
