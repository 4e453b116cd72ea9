// removeAll(keepingCapacity:) empties a dictionary or set that nobody else has in place, its elements destroyed.
final class E: Hashable { let i: Int; init(_ i: Int) { self.i = i }; deinit { log.append(i) }
  static func == (a: E, b: E) -> Bool { a.i == b.i }; func hash(into h: inout Hasher) { h.combine(i) } }
nonisolated(unsafe) var log: [Int] = []
func flush(_ s: String) { print(s, log.sorted()); log = [] }
func id<T>(_ t: T) -> UInt { unsafeBitCast(t, to: UInt.self) }
var s = Set((1...5).map { E($0) })
var a = id(s); let c0 = s.capacity
s.removeAll(keepingCapacity: true); flush("unique"); print(id(s) == a, s.capacity == c0, s.count, s.contains(E(1))); flush("probe")
s = Set((1...5).map { E($0) }); var copy: Set<E>? = s; a = id(s)
s.removeAll(keepingCapacity: true); flush("shared"); print(id(s) == a, s.capacity == c0, copy!.count); copy = nil; flush("copy gone")
var d = Dictionary(uniqueKeysWithValues: (1...4).map { (E($0), E($0 * 10)) })
let b = id(d)
d.removeAll(keepingCapacity: true); flush("dictionary"); print(id(d) == b, d.count, d.isEmpty)
d[E(7)] = E(70); print(d.count, d[E(7)]!.i); d.removeAll(keepingCapacity: true); flush("again"); d.removeAll(keepingCapacity: true); d.removeAll(); flush("none")
var big = Set((0..<3000).map { "number \($0) of many" }); let bc = big.capacity, bi = id(big)
big.removeAll(keepingCapacity: true); print(big.count, big.capacity == bc, id(big) == bi, big.contains("number 3 of many")); big.insert("x"); print(big)
var ints = Set(1...100); ints.removeAll(keepingCapacity: true); print(ints, ints.insert(5).inserted, ints)
var mixed: [String: E] = ["a": E(1)]; mixed.removeAll(keepingCapacity: true); flush("mixed")
var trivial = [1: 2, 3: 4]; trivial.removeAll(keepingCapacity: true); print(trivial)
final class Nosy { deinit { print("nosy sees", other.count) } }
nonisolated(unsafe) var other = Set([1, 2])
var nosy = [1: Nosy(), 2: Nosy()]; nosy.removeAll(keepingCapacity: true); print(nosy.count)
