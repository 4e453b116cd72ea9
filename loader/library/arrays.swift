// What generic code does with arrays behind their requirements.

@_silgen_name("library_Array_mutableStorage") public func mutableStorageArray<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<Array<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
}
@_silgen_name("library_ContiguousArray_mutableStorage") public func mutableStorageContiguousArray<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<ContiguousArray<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
}
@_silgen_name("library_ArraySlice_mutableStorage") public func mutableStorageArraySlice<E, R>(_ o: LibraryPointer<R?>, _ f: (inout UnsafeMutableBufferPointer<E>) throws -> R, _ s: LibraryPointer<ArraySlice<E>>) throws {
  o.initialize(to: try s.pointee.withUnsafeMutableBufferPointer(f))
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
@_silgen_name("library_Array_partition") public func partitionArray<E>(_ o: LibraryPointer<Int>, _ f: (E) throws -> Bool, _ s: LibraryPointer<Array<E>>) throws {
  o.initialize(to: try s.pointee.partition(by: f))
}
@_silgen_name("library_ContiguousArray_partition") public func partitionContiguousArray<E>(_ o: LibraryPointer<Int>, _ f: (E) throws -> Bool, _ s: LibraryPointer<ContiguousArray<E>>) throws {
  o.initialize(to: try s.pointee.partition(by: f))
}
@_silgen_name("library_ArraySlice_partition") public func partitionArraySlice<E>(_ o: LibraryPointer<Int>, _ f: (E) throws -> Bool, _ s: LibraryPointer<ArraySlice<E>>) throws {
  o.initialize(to: try s.pointee.partition(by: f))
}
@_silgen_name("library_Array_removeAllWhere") public func removeAllArray<E>(_ f: (E) throws -> Bool, _ s: LibraryPointer<Array<E>>) throws { try s.pointee.removeAll(where: f) }
@_silgen_name("library_ContiguousArray_removeAllWhere") public func removeAllContiguousArray<E>(_ f: (E) throws -> Bool, _ s: LibraryPointer<ContiguousArray<E>>) throws { try s.pointee.removeAll(where: f) }
@_silgen_name("library_ArraySlice_removeAllWhere") public func removeAllArraySlice<E>(_ f: (E) throws -> Bool, _ s: LibraryPointer<ArraySlice<E>>) throws { try s.pointee.removeAll(where: f) }
