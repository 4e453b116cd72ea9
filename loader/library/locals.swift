// Task-local values. The bindings of a task are a list, the innermost first; tasks that are made share it.

@inline(__always) func binding(_ key: UInt) -> LibraryBinding? {
  let head = taskLocals()
  var b: LibraryBinding? = head == 0 ? nil : object(head, LibraryBinding.self)
  while let x = b {
    if x.key == key { return x }
    b = x.next
  }
  return nil
}

@_silgen_name("library_swift_task_localValuePush") public func libraryPush<Value>(_ key: UInt, _ value: __owned Value) {
  let head = taskLocals()
  taskSetLocals(given(LibraryBindingOf(key, value, head == 0 ? nil : owned(head, LibraryBinding.self))))
}
@_silgen_name("library_swift_task_localValuePop") public func libraryPop() {
  let b = owned(taskLocals(), LibraryBinding.self)
  taskSetLocals(b.next.map { given($0) } ?? 0)
}
@_silgen_name("library_swift_task_localValueGet") public func libraryGet(_ key: UInt) -> UInt { binding(key)?.address ?? 0 }
@_silgen_name("library_swift_task_localsCopyTo") public func libraryCopyTo(_ task: UInt) { taskBind(object(task, LibraryTask.self).fiber, retainedLocals()) }

// A TaskLocal as it lies in memory.
final class LibraryTaskLocal<Value> {
  let defaultValue: Value
  init(_ v: Value) { defaultValue = v }
}

extension TaskLocal {
@inline(__always) func current() -> Value {
  let key = word(self)
  guard let b = binding(key) else { return unsafeBitCast(self, to: LibraryTaskLocal<Value>.self).defaultValue }
  return UnsafePointer<Value>(bitPattern: b.address)!.pointee
}
@_silgen_name("library_s9TaskLocalC12wrappedValueAByxGx_tcfc") public __consuming final func libraryInit(_ value: __owned Value) -> TaskLocal<Value> {
  let align = UInt(MemoryLayout<Value>.alignment)
  UnsafeMutablePointer<Value>(bitPattern: (word(self) + 16 + align - 1) & ~(align - 1))!.initialize(to: value)
  return self
}
@_silgen_name("library_s9TaskLocalC3getxyF") public final func libraryCurrent() -> Value { current() }
@_silgen_name("library_s9TaskLocalC12wrappedValuexvg") public final func libraryWrapped() -> Value { current() }
@_silgen_name("library_s9TaskLocalC14projectedValueAByxGvg") public final func libraryProjected() -> TaskLocal<Value> { self }
@_silgen_name("library_s9TaskLocalC11descriptionSSvg") public final func libraryText() -> String { "TaskLocal<\(Value.self)>(defaultValue: \(unsafeBitCast(self, to: LibraryTaskLocal<Value>.self).defaultValue))" }

func bound<R>(_ value: __owned Value, _ operation: () throws -> R) rethrows -> R {
  libraryPush(word(self), value)
  defer { libraryPop() }
  return try operation()
}
@_silgen_name("library_s9TaskLocalC9withValue_9operation4file4lineqd__x_qd__yKXESSSutKlF")
@discardableResult public final func libraryWith<R>(_ v: Value, _ operation: () throws -> R, _ file: String, _ line: UInt) throws -> R { try bound(v, operation) }
@_silgen_name("library_s9TaskLocalC9withValue_9operation4file4lineqd__x_qd__yYaKXESSSutYaKlF")
@discardableResult public final func libraryWithAsync<R>(_ v: Value, _ operation: () throws -> R, _ file: String, _ line: UInt) throws -> R { try bound(v, operation) }
@_silgen_name("library_s9TaskLocalC9withValue_9operation9isolation4file4lineqd__x_qd__yYaKXEScA_pSgYiSSSutYaKlF")
@discardableResult public final func libraryWithIsolated<R>(_ v: Value, _ operation: () throws -> R, _ isolation: (any Actor)?, _ file: String, _ line: UInt) throws -> R { try bound(v, operation) }
@_silgen_name("library_s9TaskLocalC13withValueImpl_9operation4file4lineqd__xn_qd__yYaKXESSSutYaKlF")
@discardableResult public final func libraryWithImpl<R>(_ v: __owned Value, _ operation: () throws -> R, _ file: String, _ line: UInt) throws -> R { try bound(v, operation) }
@_silgen_name("library_s9TaskLocalC13withValueImpl_9operation9isolation4file4lineqd__xn_qd__yYaKXEScA_pSgYiSSSutYaKlF")
@discardableResult public final func libraryWithImplIsolated<R>(_ v: __owned Value, _ operation: () throws -> R, _ isolation: (any Actor)?, _ file: String, _ line: UInt) throws -> R { try bound(v, operation) }
}

@_silgen_name("library_TaskLocal_description") public func localDescription<Value>(_ p: UnsafeMutablePointer<TaskLocal<Value>>) -> String { p.pointee.libraryText() }
