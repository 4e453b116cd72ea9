// The sequences that AsyncSequence's methods make. The library has the bodies of their iterators, but not of what makes them: they are put together
// from their fields, in the library's order. Then come their witnesses, by address.

// A value of another type that lies in memory the same way.
@inline(__always) func asIs<A, B>(_ a: A) -> B { withUnsafePointer(to: a) { UnsafeRawPointer($0).load(as: B.self) } }

// The error of next(isolation:) is indirect, of whatever type it is: it goes to e, and what is thrown is nothing.
@inline(__always) func advance<I: AsyncIteratorProtocol, F: Error>(_ i: UnsafeMutablePointer<I>, _ o: UnsafeMutablePointer<I.Element?>, _ e: UnsafeMutablePointer<F>) async throws {
  do { o.initialize(to: try await i.pointee.next()) } catch {
    e.initialize(to: error as! F)
    throw unsafeBitCast(0, to: (any Error).self)
  }
}

@inline(__always) func advance<E, F: Error>(_ o: UnsafeMutablePointer<E?>, _ e: UnsafeMutablePointer<F>, _ next: () throws -> E?) throws {
  do { o.initialize(to: try next()) } catch {
    e.initialize(to: error as! F)
    throw unsafeBitCast(0, to: (any Error).self)
  }
}

public struct AsyncParts<Base, Work> { let base: Base; let work: Work }
public struct AsyncFinishing<Base, Work> { let base: Base; let work: Work; var finished = false }
public struct AsyncTest<S: AsyncSequence, Base> { let base: Base; let work: (S.Element) async -> Bool }
public struct AsyncOptionalTest<S: AsyncSequence> { let base: S.AsyncIterator; let work: ((S.Element) async -> Bool)? }
public struct AsyncFailingTest<S: AsyncSequence> { var hasFailed = false; let base: S.AsyncIterator; let work: (S.Element) async -> Bool }
public struct AsyncThrowingTest<S: AsyncSequence, Base> { let base: Base; let work: (S.Element) async throws -> Bool }
public struct AsyncFinishingTest<S: AsyncSequence> { let base: S.AsyncIterator; let work: (S.Element) async throws -> Bool; var finished = false }
public struct AsyncDroppingTest<S: AsyncSequence> { let base: S.AsyncIterator; let work: (S.Element) async throws -> Bool; var finished = false; var doneDropping = false }
public struct AsyncFailingThrowingTest<S: AsyncSequence> { var hasFailed = false; let base: S.AsyncIterator; let work: (S.Element) async throws -> Bool }
public struct AsyncFlattening<Base, Work, Segment> { let base: Base; let work: Work; var current: Segment?; var finished = false }


extension AsyncMapSequence {
@_silgen_name("library_s16AsyncMapSequenceV_9transformAByxq_Gx_q_7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> Transformed) -> AsyncMapSequence<Base, Transformed> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncMapSequence.Iterator {
@_silgen_name("library_s16AsyncMapSequenceV8IteratorV_9transformADyxq__G0aD0Qz_q_7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> Transformed) -> AsyncMapSequence<Base, Transformed>.Iterator { asIs(AsyncParts(base: base, work: work)) }
}
@_silgen_name("library_AsyncMapSequence_makeAsyncIterator") public func asyncMapSequenceIterator<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<AsyncMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncMapSequence_Iterator_nextAsync") public func asyncMapSequenceNext<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ i: UnsafeMutablePointer<AsyncMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncMapSequence_Iterator_nextIsolated") public func asyncMapSequenceNextIsolated<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ e: UnsafeMutablePointer<AsyncMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncCompactMapSequence {
@_silgen_name("library_s23AsyncCompactMapSequenceV_9transformAByxq_Gx_q_Sg7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> ElementOfResult?) -> AsyncCompactMapSequence<Base, ElementOfResult> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncCompactMapSequence.Iterator {
@_silgen_name("library_s23AsyncCompactMapSequenceV8IteratorV_9transformADyxq__G0aE0Qz_q_Sg7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> ElementOfResult?) -> AsyncCompactMapSequence<Base, ElementOfResult>.Iterator { asIs(AsyncParts(base: base, work: work)) }
}
@_silgen_name("library_AsyncCompactMapSequence_makeAsyncIterator") public func asyncCompactMapSequenceIterator<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<AsyncCompactMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncCompactMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncCompactMapSequence_Iterator_nextAsync") public func asyncCompactMapSequenceNext<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ i: UnsafeMutablePointer<AsyncCompactMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncCompactMapSequence_Iterator_nextIsolated") public func asyncCompactMapSequenceNextIsolated<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ e: UnsafeMutablePointer<AsyncCompactMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncCompactMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncFlatMapSequence {
@_silgen_name("library_s20AsyncFlatMapSequenceV_9transformAByxq_Gx_q_7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> SegmentOfResult) -> AsyncFlatMapSequence<Base, SegmentOfResult> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncFlatMapSequence.Iterator {
@_silgen_name("library_s20AsyncFlatMapSequenceV8IteratorV_9transformADyxq__G0aE0Qz_q_7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> SegmentOfResult) -> AsyncFlatMapSequence<Base, SegmentOfResult>.Iterator { asIs(AsyncFlattening<Base.AsyncIterator, ((Base.Element) async -> SegmentOfResult), SegmentOfResult.AsyncIterator>(base: base, work: work)) }
}
@_silgen_name("library_AsyncFlatMapSequence_makeAsyncIterator") public func asyncFlatMapSequenceIterator<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncFlatMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncFlatMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncFlatMapSequence_Iterator_nextAsync") public func asyncFlatMapSequenceNext<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<T.Element?>, _ i: UnsafeMutablePointer<AsyncFlatMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncFlatMapSequence_Iterator_nextIsolated") public func asyncFlatMapSequenceNextIsolated<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<T.Element?>, _ e: UnsafeMutablePointer<AsyncFlatMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncFlatMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncFilterSequence {
@_silgen_name("library_s19AsyncFilterSequenceV_10isIncludedAByxGx_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncFilterSequence<Base> { asIs(AsyncTest<Base, Base>(base: base, work: work)) }
}
extension AsyncFilterSequence.Iterator {
@_silgen_name("library_s19AsyncFilterSequenceV8IteratorV_10isIncludedADyx_G0aD0Qz_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncFilterSequence<Base>.Iterator { asIs(AsyncTest<Base, Base.AsyncIterator>(base: base, work: work)) }
}
@_silgen_name("library_AsyncFilterSequence_makeAsyncIterator") public func asyncFilterSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncFilterSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncFilterSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncFilterSequence_Iterator_nextAsync") public func asyncFilterSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncFilterSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncFilterSequence_Iterator_nextIsolated") public func asyncFilterSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncFilterSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncFilterSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncDropWhileSequence {
@_silgen_name("library_s22AsyncDropWhileSequenceV_9predicateAByxGx_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncDropWhileSequence<Base> { asIs(AsyncTest<Base, Base>(base: base, work: work)) }
}
extension AsyncDropWhileSequence.Iterator {
@_silgen_name("library_s22AsyncDropWhileSequenceV8IteratorV_9predicateADyx_G0aE0Qz_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncDropWhileSequence<Base>.Iterator { asIs(AsyncOptionalTest<Base>(base: base, work: work)) }
}
@_silgen_name("library_AsyncDropWhileSequence_makeAsyncIterator") public func asyncDropWhileSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncDropWhileSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncDropWhileSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncDropWhileSequence_Iterator_nextAsync") public func asyncDropWhileSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncDropWhileSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncDropWhileSequence_Iterator_nextIsolated") public func asyncDropWhileSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncDropWhileSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncDropWhileSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncPrefixWhileSequence {
@_silgen_name("library_s24AsyncPrefixWhileSequenceV_9predicateAByxGx_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncPrefixWhileSequence<Base> { asIs(AsyncTest<Base, Base>(base: base, work: work)) }
}
extension AsyncPrefixWhileSequence.Iterator {
@_silgen_name("library_s24AsyncPrefixWhileSequenceV8IteratorV_9predicateADyx_G0aE0Qz_Sb7ElementQzYactcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async -> Bool) -> AsyncPrefixWhileSequence<Base>.Iterator { asIs(AsyncFailingTest<Base>(base: base, work: work)) }
}
@_silgen_name("library_AsyncPrefixWhileSequence_makeAsyncIterator") public func asyncPrefixWhileSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncPrefixWhileSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncPrefixWhileSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncPrefixWhileSequence_Iterator_nextAsync") public func asyncPrefixWhileSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncPrefixWhileSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncPrefixWhileSequence_Iterator_nextIsolated") public func asyncPrefixWhileSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncPrefixWhileSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncPrefixWhileSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncDropFirstSequence {
@_silgen_name("library_s22AsyncDropFirstSequenceV_8droppingAByxGx_SitcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned Int) -> AsyncDropFirstSequence<Base> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncDropFirstSequence.Iterator {
@_silgen_name("library_s22AsyncDropFirstSequenceV8IteratorV_5countADyx_G0aE0Qz_SitcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned Int) -> AsyncDropFirstSequence<Base>.Iterator { asIs(AsyncParts(base: base, work: work)) }
}
@_silgen_name("library_AsyncDropFirstSequence_makeAsyncIterator") public func asyncDropFirstSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncDropFirstSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncDropFirstSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncDropFirstSequence_Iterator_nextAsync") public func asyncDropFirstSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncDropFirstSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncDropFirstSequence_Iterator_nextIsolated") public func asyncDropFirstSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncDropFirstSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncDropFirstSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncPrefixSequence {
@_silgen_name("library_s19AsyncPrefixSequenceV_5countAByxGx_SitcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned Int) -> AsyncPrefixSequence<Base> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncPrefixSequence.Iterator {
@_silgen_name("library_s19AsyncPrefixSequenceV8IteratorV_5countADyx_G0aD0Qz_SitcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned Int) -> AsyncPrefixSequence<Base>.Iterator { asIs(AsyncParts(base: base, work: work)) }
}
@_silgen_name("library_AsyncPrefixSequence_makeAsyncIterator") public func asyncPrefixSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncPrefixSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncPrefixSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncPrefixSequence_Iterator_nextAsync") public func asyncPrefixSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncPrefixSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncPrefixSequence_Iterator_nextIsolated") public func asyncPrefixSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncPrefixSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncPrefixSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingMapSequence {
@_silgen_name("library_s24AsyncThrowingMapSequenceV_9transformAByxq_Gx_q_7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> Transformed) -> AsyncThrowingMapSequence<Base, Transformed> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncThrowingMapSequence.Iterator {
@_silgen_name("library_s24AsyncThrowingMapSequenceV8IteratorV_9transformADyxq__G0aE0Qz_q_7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> Transformed) -> AsyncThrowingMapSequence<Base, Transformed>.Iterator { asIs(AsyncFinishing(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingMapSequence_makeAsyncIterator") public func asyncThrowingMapSequenceIterator<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<AsyncThrowingMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingMapSequence_Iterator_nextAsync") public func asyncThrowingMapSequenceNext<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ i: UnsafeMutablePointer<AsyncThrowingMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingMapSequence_Iterator_nextIsolated") public func asyncThrowingMapSequenceNextIsolated<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ e: UnsafeMutablePointer<AsyncThrowingMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingCompactMapSequence {
@_silgen_name("library_s31AsyncThrowingCompactMapSequenceV_9transformAByxq_Gx_q_Sg7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> ElementOfResult?) -> AsyncThrowingCompactMapSequence<Base, ElementOfResult> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncThrowingCompactMapSequence.Iterator {
@_silgen_name("library_s31AsyncThrowingCompactMapSequenceV8IteratorV_9transformADyxq__G0aF0Qz_q_Sg7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> ElementOfResult?) -> AsyncThrowingCompactMapSequence<Base, ElementOfResult>.Iterator { asIs(AsyncFinishing(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingCompactMapSequence_makeAsyncIterator") public func asyncThrowingCompactMapSequenceIterator<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<AsyncThrowingCompactMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingCompactMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingCompactMapSequence_Iterator_nextAsync") public func asyncThrowingCompactMapSequenceNext<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ i: UnsafeMutablePointer<AsyncThrowingCompactMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingCompactMapSequence_Iterator_nextIsolated") public func asyncThrowingCompactMapSequenceNextIsolated<B: AsyncSequence, T>(_ o: UnsafeMutablePointer<T?>, _ e: UnsafeMutablePointer<AsyncThrowingCompactMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingCompactMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingFlatMapSequence {
@_silgen_name("library_s28AsyncThrowingFlatMapSequenceV_9transformAByxq_Gx_q_7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> SegmentOfResult) -> AsyncThrowingFlatMapSequence<Base, SegmentOfResult> { asIs(AsyncParts(base: base, work: work)) }
}
extension AsyncThrowingFlatMapSequence.Iterator {
@_silgen_name("library_s28AsyncThrowingFlatMapSequenceV8IteratorV_9transformADyxq__G0aF0Qz_q_7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> SegmentOfResult) -> AsyncThrowingFlatMapSequence<Base, SegmentOfResult>.Iterator { asIs(AsyncFlattening<Base.AsyncIterator, ((Base.Element) async throws -> SegmentOfResult), SegmentOfResult.AsyncIterator>(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingFlatMapSequence_makeAsyncIterator") public func asyncThrowingFlatMapSequenceIterator<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncThrowingFlatMapSequence<B, T>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingFlatMapSequence<B, T>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingFlatMapSequence_Iterator_nextAsync") public func asyncThrowingFlatMapSequenceNext<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<T.Element?>, _ i: UnsafeMutablePointer<AsyncThrowingFlatMapSequence<B, T>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingFlatMapSequence_Iterator_nextIsolated") public func asyncThrowingFlatMapSequenceNextIsolated<B: AsyncSequence, T: AsyncSequence>(_ o: UnsafeMutablePointer<T.Element?>, _ e: UnsafeMutablePointer<AsyncThrowingFlatMapSequence<B, T>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingFlatMapSequence<B, T>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingFilterSequence {
@_silgen_name("library_s27AsyncThrowingFilterSequenceV_10isIncludedAByxGx_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingFilterSequence<Base> { asIs(AsyncThrowingTest<Base, Base>(base: base, work: work)) }
}
extension AsyncThrowingFilterSequence.Iterator {
@_silgen_name("library_s27AsyncThrowingFilterSequenceV8IteratorV_10isIncludedADyx_G0aE0Qz_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingFilterSequence<Base>.Iterator { asIs(AsyncFinishingTest<Base>(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingFilterSequence_makeAsyncIterator") public func asyncThrowingFilterSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncThrowingFilterSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingFilterSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingFilterSequence_Iterator_nextAsync") public func asyncThrowingFilterSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncThrowingFilterSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingFilterSequence_Iterator_nextIsolated") public func asyncThrowingFilterSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncThrowingFilterSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingFilterSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingDropWhileSequence {
@_silgen_name("library_s30AsyncThrowingDropWhileSequenceV_9predicateAByxGx_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingDropWhileSequence<Base> { asIs(AsyncThrowingTest<Base, Base>(base: base, work: work)) }
}
extension AsyncThrowingDropWhileSequence.Iterator {
@_silgen_name("library_s30AsyncThrowingDropWhileSequenceV8IteratorV_9predicateADyx_G0aF0Qz_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingDropWhileSequence<Base>.Iterator { asIs(AsyncDroppingTest<Base>(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingDropWhileSequence_makeAsyncIterator") public func asyncThrowingDropWhileSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncThrowingDropWhileSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingDropWhileSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingDropWhileSequence_Iterator_nextAsync") public func asyncThrowingDropWhileSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncThrowingDropWhileSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingDropWhileSequence_Iterator_nextIsolated") public func asyncThrowingDropWhileSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncThrowingDropWhileSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingDropWhileSequence<B>.Iterator>) async throws { try await advance(i, o, e) }

extension AsyncThrowingPrefixWhileSequence {
@_silgen_name("library_s32AsyncThrowingPrefixWhileSequenceV_9predicateAByxGx_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingPrefixWhileSequence<Base> { asIs(AsyncThrowingTest<Base, Base>(base: base, work: work)) }
}
extension AsyncThrowingPrefixWhileSequence.Iterator {
@_silgen_name("library_s32AsyncThrowingPrefixWhileSequenceV8IteratorV_9predicateADyx_G0aF0Qz_Sb7ElementQzYaKctcfC") public static func libraryMake(_ base: __owned Base.AsyncIterator, _ work: __owned @escaping (Base.Element) async throws -> Bool) -> AsyncThrowingPrefixWhileSequence<Base>.Iterator { asIs(AsyncFailingThrowingTest<Base>(base: base, work: work)) }
}
@_silgen_name("library_AsyncThrowingPrefixWhileSequence_makeAsyncIterator") public func asyncThrowingPrefixWhileSequenceIterator<B: AsyncSequence>(_ o: UnsafeMutablePointer<AsyncThrowingPrefixWhileSequence<B>.Iterator>, _ s: UnsafeMutablePointer<AsyncThrowingPrefixWhileSequence<B>>) { o.initialize(to: s.move().makeAsyncIterator()) }
@_silgen_name("library_AsyncThrowingPrefixWhileSequence_Iterator_nextAsync") public func asyncThrowingPrefixWhileSequenceNext<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ i: UnsafeMutablePointer<AsyncThrowingPrefixWhileSequence<B>.Iterator>) async throws { o.initialize(to: try await i.pointee.next()) }
@_silgen_name("library_AsyncThrowingPrefixWhileSequence_Iterator_nextIsolated") public func asyncThrowingPrefixWhileSequenceNextIsolated<B: AsyncSequence>(_ o: UnsafeMutablePointer<B.Element?>, _ e: UnsafeMutablePointer<AsyncThrowingPrefixWhileSequence<B>.Iterator.Failure>, _ isolation: isolated (any Actor)?, _ i: UnsafeMutablePointer<AsyncThrowingPrefixWhileSequence<B>.Iterator>) async throws { try await advance(i, o, e) }
