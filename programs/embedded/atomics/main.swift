// Atomics of every width, with every operation, in globals, in noncopyable structs, in classes and as arguments.
import Synchronization

let counter = Atomic<Int>(0)

struct Flags: ~Copyable {
  let small: Atomic<UInt8>
  let on: Atomic<Bool>
  let wide: Atomic<WordPair>
  init() {
    small = Atomic(3)
    on = Atomic(false)
    wide = Atomic(WordPair(first: 1, second: 2))
  }
}

final class Cell {
  let word = Atomic<UInt32>(7)
  let pointer = Atomic<UnsafeMutablePointer<Int>?>(nil)
  let name: Int
  init(_ name: Int) { self.name = name }
  deinit { show("cell", name, Int(word.load(ordering: .relaxed))) }
}

enum Mode: UInt8, AtomicRepresentable { case idle = 3, busy = 7 }

func show(_ name: StaticString, _ a: Int, _ b: Int) {
  print(name, terminator: " ")
  print(a, terminator: " ")
  print(b)
}

func show(_ name: StaticString, _ a: Bool, _ b: Int) {
  print(name, terminator: a ? " true " : " false ")
  print(b)
}

@inline(never)
func spin(_ a: borrowing Atomic<Int32>) -> Int32 {
  var v: Int32
  repeat { v = a.load(ordering: .relaxed) }
  while !a.weakCompareExchange(expected: v, desired: v &* 3 &+ 1, ordering: .acquiringAndReleasing).exchanged
  return v
}

for i in 0..<10 { counter.wrappingAdd(i, ordering: .relaxed) }
show("counter", counter.load(ordering: .acquiring), counter.subtract(5, ordering: .releasing).newValue)

let flags = Flags()
flags.small.store(200, ordering: .releasing)
let (swapped, seen) = flags.small.compareExchange(expected: 200, desired: 7, ordering: .sequentiallyConsistent)
show("small", swapped, Int(seen))
let failed = flags.small.compareExchange(expected: 1, desired: 9, successOrdering: .acquiring, failureOrdering: .relaxed)
show("small", failed.exchanged, Int(failed.original))
show("add", Int(flags.small.wrappingAdd(250, ordering: .relaxed).newValue), Int(flags.small.bitwiseXor(255, ordering: .relaxed).newValue))
show("and or", Int(flags.small.bitwiseAnd(0xF0, ordering: .relaxed).newValue), Int(flags.small.bitwiseOr(5, ordering: .relaxed).newValue))
show("min max", Int(flags.small.min(17, ordering: .relaxed).newValue), Int(flags.small.max(99, ordering: .relaxed).newValue))
show("on", flags.on.logicalOr(true, ordering: .relaxed).newValue, flags.on.exchange(false, ordering: .acquiringAndReleasing) ? 1 : 0)
show("xor", flags.on.logicalXor(true, ordering: .relaxed).newValue, flags.on.logicalAnd(false, ordering: .relaxed).oldValue ? 1 : 0)

let pair = flags.wide.load(ordering: .acquiring)
show("wide", Int(pair.first), Int(pair.second))
let won = flags.wide.compareExchange(expected: WordPair(first: 1, second: 2), desired: WordPair(first: 9, second: 8), ordering: .acquiringAndReleasing)
show("wide", won.exchanged, Int(flags.wide.load(ordering: .relaxed).second))
let lost = flags.wide.compareExchange(expected: WordPair(first: 9, second: 2), desired: WordPair(first: 0, second: 0), ordering: .relaxed)
show("wide", lost.exchanged, Int(lost.original.second))
show("wide", Int(flags.wide.exchange(WordPair(first: 4, second: 5), ordering: .releasing).first), Int(flags.wide.load(ordering: .relaxed).second))

let signed = Atomic<Int32>(5)
show("spin", Int(spin(signed)), Int(spin(signed)))
show("signed", Int(signed.min(-5, ordering: .relaxed).newValue), Int(signed.max(-7, ordering: .relaxed).newValue))

let mode = Atomic<Mode>(.idle)
show("mode", Int(mode.exchange(.busy, ordering: .relaxed).rawValue), Int(mode.load(ordering: .relaxed).rawValue))

func cells() {
  let cell = Cell(1)
  let other = Cell(2)
  let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  memory.initialize(to: 42)
  show("pointer", cell.pointer.load(ordering: .relaxed) == nil, 0)
  cell.pointer.store(memory, ordering: .releasing)
  if let p = cell.pointer.exchange(nil, ordering: .acquiringAndReleasing) { show("pointer", p.pointee, 1) }
  memory.deallocate()
  cell.word.wrappingSubtract(8, ordering: .relaxed)
  other.word.store(11, ordering: .relaxed)
  atomicMemoryFence(ordering: .sequentiallyConsistent)
}
cells()
show("sizes", MemoryLayout<Atomic<Int8>>.size, MemoryLayout<Atomic<WordPair>>.alignment)
signed.store(.max, ordering: .relaxed)
show("overflow", Int(signed.add(1, ordering: .relaxed).newValue), 0)
