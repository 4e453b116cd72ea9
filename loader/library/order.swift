// Comparisons of the indices of wrappers.

@_silgen_name("library_ReversedCollection_Index_equal") public func reversedEqual<B: BidirectionalCollection>(_ a: LibraryPointer<ReversedCollection<B>.Index>, _ b: LibraryPointer<ReversedCollection<B>.Index>) -> Bool { a.pointee.base == b.pointee.base }
@_silgen_name("library_ReversedCollection_Index_less") public func reversedLess<B: BidirectionalCollection>(_ a: LibraryPointer<ReversedCollection<B>.Index>, _ b: LibraryPointer<ReversedCollection<B>.Index>) -> Bool { a.pointee.base > b.pointee.base }
@_silgen_name("library_ReversedCollection_Index_hash") public func reversedHash<B: BidirectionalCollection>(_ h: LibraryPointer<Hasher>, _ a: LibraryPointer<ReversedCollection<B>.Index>) where B.Index: Hashable { h.pointee.combine(a.pointee.base) }
@_silgen_name("library_FlattenSequence_Index_equal") public func flattenEqual<B: Collection>(_ a: LibraryPointer<FlattenSequence<B>.Index>, _ b: LibraryPointer<FlattenSequence<B>.Index>) -> Bool where B.Element: Collection { a.pointee == b.pointee }
@_silgen_name("library_FlattenSequence_Index_less") public func flattenLess<B: Collection>(_ a: LibraryPointer<FlattenSequence<B>.Index>, _ b: LibraryPointer<FlattenSequence<B>.Index>) -> Bool where B.Element: Collection { a.pointee < b.pointee }
