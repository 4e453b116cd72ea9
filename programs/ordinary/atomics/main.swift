// Atomics and mutexes: every width, values that need a deinit inside a mutex, a mutex locked twice at the end.
import Synchronization
final class Leaf { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("leaf", n) } }
enum Mode: UInt8, AtomicRepresentable { case a = 3, b = 7 }
struct Wide: ~Copyable { let w: Atomic<WordPair>; let d: Atomic<Duration>; let m: Atomic<Mode>; let p: Atomic<UnsafeMutablePointer<Int>?>
  init() { w = Atomic(WordPair(first: 1, second: 2)); d = Atomic(.seconds(3)); m = Atomic(.a); p = Atomic(nil) } }
final class Box { let cell = Mutex<Leaf?>(nil); let list = Mutex<[Leaf]>([]) ; let f = Atomic<Double>(1.5)}
@inline(never) func spin(_ a: borrowing Atomic<Int32>) -> Int32 {
  var v: Int32 = 0
  repeat { v = a.load(ordering: .relaxed) } while !a.weakCompareExchange(expected: v, desired: v &* 3 &+ 1, ordering: .acquiringAndReleasing).exchanged
  return v
}
func run() {
  let w = Wide()
  print(w.w.load(ordering: .relaxed).first, w.w.load(ordering: .relaxed).second)
  let r = w.w.compareExchange(expected: WordPair(first: 1, second: 2), desired: WordPair(first: 9, second: 8), ordering: .sequentiallyConsistent)
  print(r.exchanged, r.original.first, w.w.load(ordering: .acquiring).second)
  let r2 = w.w.compareExchange(expected: WordPair(first: 1, second: 2), desired: WordPair(first: 0, second: 0), ordering: .sequentiallyConsistent)
  print(r2.exchanged, r2.original.first, w.w.exchange(WordPair(first: 5, second: 6), ordering: .releasing).second)
  print(w.m.exchange(.b, ordering: .relaxed), w.m.load(ordering: .relaxed))
  w.d.store(.seconds(4), ordering: .releasing)
  let p = UnsafeMutablePointer<Int>.allocate(capacity: 1); p.pointee = 42
  print(w.p.load(ordering: .relaxed) == nil); w.p.store(p, ordering: .releasing); print(w.p.load(ordering: .acquiring)!.pointee); p.deallocate()
  do { let b = Box()

    b.cell.withLock { $0 = Leaf(3) }; b.cell.withLock { $0 = Leaf(4) }
    b.list.withLock { $0.append(Leaf(5)); $0.append(Leaf(6)) }
    print(b.list.withLock { $0.count }, b.f.load(ordering: .relaxed)) ; b.f.store(-2.25, ordering: .relaxed); print(b.f.exchange(7, ordering: .relaxed))
  }
  let a = Atomic<Int32>(5); print(spin(a), spin(a), spin(a), a.load(ordering: .relaxed))
  print(a.bitwiseXor(255, ordering: .relaxed), a.max(100, ordering: .relaxed), a.min(-5, ordering: .relaxed))
  let u = Atomic<UInt16>(60000); print(u.wrappingAdd(10000, ordering: .relaxed), u.bitwiseAnd(0xff0, ordering: .relaxed), u.bitwiseOr(1, ordering: .relaxed), u.max(7, ordering: .relaxed), u.min(5, ordering: .relaxed))
  let l = Atomic<Bool>(true); print(l.logicalXor(true, ordering: .relaxed), l.logicalAnd(true, ordering: .relaxed), l.logicalOr(true, ordering: .relaxed))
  atomicMemoryFence(ordering: .sequentiallyConsistent)
  print(MemoryLayout<Atomic<Int8>>.size, MemoryLayout<Atomic<WordPair>>.alignment, MemoryLayout<Mutex<Int8>>.size, MemoryLayout<Mutex<[Int]>>.stride, MemoryLayout<Atomic<Bool>?>.size, MemoryLayout<Mutex<Leaf>?>.size)
  let m = Mutex(1); m.withLock { _ in m.withLock { print($0) } }
}
run()
