// The module Observation: which properties a closure reads, and who hears of their changes.

import Observation

@_silgen_name("silvm_task_fiber") func currentFiber() -> UInt
@_silgen_name("silvm_task_release") func orderRelease(_ key: UInt)
@_silgen_name("silvm_task_acquire") func orderAcquire(_ key: UInt)

typealias LibraryTracker = @Sendable (AnyKeyPath) -> Void

// The observers of one object. A lock guards each function there, so they are in order between tasks.
final class LibraryObservations {
  struct Observation {
    let tracker: LibraryTracker
    let properties: Set<AnyKeyPath>
  }
  var id = 0
  var observations: [Int: Observation] = [:]
  var lookups: [AnyKeyPath: Set<Int>] = [:]

  var key: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  func register(_ properties: Set<AnyKeyPath>, _ tracker: @escaping LibraryTracker) -> Int {
    orderAcquire(key)
    let n = id
    id &+= 1
    observations[n] = Observation(tracker: tracker, properties: properties)
    for p in properties { lookups[p, default: []].insert(n) }
    orderRelease(key)
    return n
  }
  func cancel(_ n: Int) {
    orderAcquire(key)
    let o = observations.removeValue(forKey: n)
    if let o {
      for p in o.properties {
        if let i = lookups.index(forKey: p) {
          lookups.values[i].remove(n)
          if lookups.values[i].isEmpty { lookups.remove(at: i) }
        }
      }
    }
    orderRelease(key)
  }
  func cancelAll() {
    orderAcquire(key)
    observations.removeAll()
    lookups.removeAll()
    orderRelease(key)
  }
  func trackers(_ p: AnyKeyPath) -> [LibraryTracker] {
    orderAcquire(key)
    var all: [LibraryTracker] = []
    if let ids = lookups[p] {
      for n in ids {
        if let o = observations[n] { all.append(o.tracker) }
      }
    }
    orderRelease(key)
    return all
  }
}

// What a registrar holds. Trackings hold the observations and not this, so that they end with the last copy of the registrar.
final class LibraryExtent {
  let observations = LibraryObservations()
  deinit { observations.cancelAll() }
}
@_silgen_name("library_registrar_make") func made(_ e: __owned LibraryExtent) -> ObservationRegistrar
@_silgen_name("library_registrar_extent") func extent(_ r: ObservationRegistrar) -> LibraryExtent

struct LibraryEntry {
  let observations: LibraryObservations
  var properties: Set<AnyKeyPath> = []
}

// What one withObservationTracking read so far, and the one around it in the same thread of control.
final class LibraryAccesses {
  var entries: [ObjectIdentifier: LibraryEntry]?
  let fiber: UInt
  let outer: LibraryAccesses?
  init(_ f: UInt, _ o: LibraryAccesses?) { fiber = f; outer = o }
}
nonisolated(unsafe) var open: [UInt: LibraryAccesses] = [:]

final class LibraryTracking: @unchecked Sendable {
  let entries: [ObjectIdentifier: LibraryEntry]
  var values: [ObjectIdentifier: Int] = [:]
  var cancelled = false
  init(_ e: [ObjectIdentifier: LibraryEntry]) { entries = e }

  var key: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  func install(_ v: [ObjectIdentifier: Int]) {
    orderAcquire(key)
    if !cancelled { values = v }
    orderRelease(key)
  }
  func cancel() {
    orderAcquire(key)
    cancelled = true
    let v = values
    values = [:]
    orderRelease(key)
    for (id, n) in v { entries[id]?.observations.cancel(n) }
  }
}

@_silgen_name("library_11Observation04withA8Tracking_8onChangexxyXE_yyYbcyXKtlF")
public func libraryTracking<T>(_ apply: () -> T, onChange: @autoclosure () -> @Sendable () -> Void) -> T {
  let fiber = currentFiber()
  let accesses = LibraryAccesses(fiber, open[fiber])
  open[fiber] = accesses
  let result = apply()
  if let inner = accesses.entries, let outer = accesses.outer {
    if outer.entries == nil {
      outer.entries = inner
    } else {
      outer.entries!.merge(inner) { LibraryEntry(observations: $0.observations, properties: $0.properties.union($1.properties)) }
    }
  }
  open[fiber] = accesses.outer
  if open.isEmpty { open = [:] } // without memory that would outlive the program's
  if let entries = accesses.entries {
    let tracking = LibraryTracking(entries), changed = onChange()
    tracking.install(entries.mapValues { $0.observations.register($0.properties) { _ in
      changed()
      tracking.cancel()
    } })
  }
  return result
}

extension ObservationRegistrar {
@_silgen_name("library_11Observation0A9RegistrarVACycfC") public static func libraryMake() -> ObservationRegistrar { made(LibraryExtent()) }

@_silgen_name("library_11Observation0A9RegistrarV6access_7keyPathyx_s03KeyE0Cyxq_GtAA10ObservableRzr0_lF")
public func libraryAccess<S: Observable, M>(_ s: S, _ p: KeyPath<S, M>) {
  guard let accesses = open[currentFiber()] else { return }
  let o = extent(self).observations
  if accesses.entries == nil { accesses.entries = [:] }
  accesses.entries![ObjectIdentifier(o), default: LibraryEntry(observations: o)].properties.insert(p)
}
@_silgen_name("library_11Observation0A9RegistrarV7willSet_7keyPathyx_s03KeyF0Cyxq_GtAA10ObservableRzr0_lF")
public func libraryWillSet<S: Observable, M>(_ s: S, _ p: KeyPath<S, M>) {
  for t in extent(self).observations.trackers(p) { t(p) }
}
// Nothing that a program can register hears of a change that is done.
@_silgen_name("library_11Observation0A9RegistrarV6didSet_7keyPathyx_s03KeyF0Cyxq_GtAA10ObservableRzr0_lF")
public func libraryDidSet<S: Observable, M>(_ s: S, _ p: KeyPath<S, M>) {}

@_silgen_name("library_11Observation0A9RegistrarV12withMutation2of7keyPath_q0_x_s03KeyG0Cyxq_Gq0_yKXEtKAA10ObservableRzr1_lF")
public func libraryWithMutation<S: Observable, M, T>(of s: S, _ p: KeyPath<S, M>, _ mutation: () throws -> T) rethrows -> T {
  for t in extent(self).observations.trackers(p) { t(p) }
  return try mutation()
}

@_silgen_name("library_11Observation0A9RegistrarV4fromACs7Decoder_p_tKcfC") public static func libraryDecode(_ d: any Decoder) throws -> ObservationRegistrar { made(LibraryExtent()) }
@_silgen_name("library_11Observation0A9RegistrarV6encode2toys7Encoder_p_tF") public func libraryEncode(_ e: any Encoder) {}
@_silgen_name("library_11Observation0A9RegistrarV2eeoiySbAC_ACtFZ") public static func libraryEqual(_ a: ObservationRegistrar, _ b: ObservationRegistrar) -> Bool { true }
@_silgen_name("library_11Observation0A9RegistrarV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) {}
@_silgen_name("library_11Observation0A9RegistrarV9hashValueSivg") public func libraryHashed() -> Int { Hasher().finalize() }
}
