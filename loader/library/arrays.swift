// What generic code does with arrays behind their requirements.

@_silgen_name("library_Array_mutableStorage") public func mutableStorageArray<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<Array<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
}
@_silgen_name("library_Array_storage") public func storageArray<E, R>(_ o: LibraryPointer<R?>, _ f: (UnsafeBufferPointer<E>) throws -> R, _ s: LibraryPointer<Array<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeBufferPointer(f))
}
@_silgen_name("library_ContiguousArray_mutableStorage") public func mutableStorageContiguousArray<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<ContiguousArray<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
}
@_silgen_name("library_ContiguousArray_storage") public func storageContiguousArray<E, R>(_ o: LibraryPointer<R?>, _ f: (UnsafeBufferPointer<E>) throws -> R, _ s: LibraryPointer<ContiguousArray<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeBufferPointer(f))
}
@_silgen_name("library_ArraySlice_mutableStorage") public func mutableStorageArraySlice<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<ArraySlice<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
}
@_silgen_name("library_ArraySlice_storage") public func storageArraySlice<E, R>(_ o: LibraryPointer<R?>, _ f: (UnsafeBufferPointer<E>) throws -> R, _ s: LibraryPointer<ArraySlice<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeBufferPointer(f))
}
@_silgen_name("library_Array_swapAt") public func swapArray<E>(_ i: LibraryPointer<Int>, _ j: LibraryPointer<Int>, _ s: LibraryPointer<[E]>) { s.pointee.swapAt(i.pointee, j.pointee) }
@_silgen_name("library_ContiguousArray_swapAt") public func swapContiguous<E>(_ i: LibraryPointer<Int>, _ j: LibraryPointer<Int>, _ s: LibraryPointer<ContiguousArray<E>>) {
  s.pointee.swapAt(i.pointee, j.pointee)
}
@_silgen_name("library_ArraySlice_swapAt") public func swapSlice<E>(_ i: LibraryPointer<Int>, _ j: LibraryPointer<Int>, _ s: LibraryPointer<ArraySlice<E>>) {
  s.pointee.swapAt(i.pointee, j.pointee)
}
@_silgen_name("library_UnsafeMutableBufferPointer_swapAt") public func swapBuffer<E>(_ i: LibraryPointer<Int>, _ j: LibraryPointer<Int>,
  _ s: LibraryPointer<UnsafeMutableBufferPointer<E>>) { s.pointee.swapAt(i.pointee, j.pointee) }
@_silgen_name("library_Array_setElement") public func setArray<E>(_ e: LibraryPointer<E>, _ i: LibraryPointer<Int>, _ s: LibraryPointer<[E]>) { s.pointee[i.pointee] = e.move() }
@_silgen_name("library_ContiguousArray_setElement") public func setContiguous<E>(_ e: LibraryPointer<E>, _ i: LibraryPointer<Int>, _ s: LibraryPointer<ContiguousArray<E>>) {
  s.pointee[i.pointee] = e.move()
}
@_silgen_name("library_ArraySlice_setElement") public func setSlice<E>(_ e: LibraryPointer<E>, _ i: LibraryPointer<Int>, _ s: LibraryPointer<ArraySlice<E>>) {
  s.pointee[i.pointee] = e.move()
}
@_silgen_name("library_UnsafeMutableBufferPointer_setElement") public func setBuffer<E>(_ e: LibraryPointer<E>, _ i: LibraryPointer<Int>,
  _ s: LibraryPointer<UnsafeMutableBufferPointer<E>>) { s.pointee[i.pointee] = e.move() }
