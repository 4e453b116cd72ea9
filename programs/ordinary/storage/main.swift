// What the storage of the standard library's classes holds dies with it: arrays, dictionaries, sets, ManagedBuffer, boxes, slices.
final class Buf<T>: ManagedBuffer<Int, T> {
  deinit { withUnsafeMutablePointers { h, e in _ = e.deinitialize(count: h.pointee); print("buf", h.pointee) } }
}
final class Tracked { let n: Int; static var live = 0; init(_ n: Int) { self.n = n; Tracked.live += 1 }; deinit { Tracked.live -= 1 } }
extension Tracked: Hashable { static func == (a: Tracked, b: Tracked) -> Bool { a.n == b.n }; func hash(into h: inout Hasher) { h.combine(n) } }
func test() {
  let b = Buf<Tracked>.create(minimumCapacity: 4) { _ in 3 } as! Buf<Tracked>
  b.withUnsafeMutablePointerToElements { p in for i in 0..<3 { (p + i).initialize(to: Tracked(i)) } }
  print(Tracked.live, b.header)
}
test(); print(Tracked.live)
func arrays() { var a: [Tracked?] = []; for i in 0..<10 { a.append(i % 2 == 0 ? Tracked(i) : nil) }; print(Tracked.live); let b = a; a.removeAll(); print(Tracked.live, b.count) }
arrays(); print(Tracked.live)
func anys() { var a: [Any] = []; for i in 0..<6 { a.append(i % 2 == 0 ? Tracked(i) as Any : (Tracked(i), [Tracked(i), Tracked(i)]) as Any) }; print(Tracked.live) }
anys(); print(Tracked.live)
func dicts() { var d: [Int: [Tracked]] = [:]; for i in 0..<20 { d[i % 5, default: []].append(Tracked(i)) }; print(Tracked.live); d[3] = nil; print(Tracked.live, d.count); let e = d.mapValues { $0.count }; print(e.values.reduce(0, +)) }
dicts(); print(Tracked.live)
func sets() { var s: Set<Tracked> = []; for i in 0..<12 { s.insert(Tracked(i % 7)) }; print(Tracked.live, s.count); s.remove(Tracked(3)); print(Tracked.live, s.contains(Tracked(4))) }
sets(); print(Tracked.live)
indirect enum L { case nil_, cons(Tracked, L) }
func list() { var l = L.nil_; for i in 0..<1000 { l = .cons(Tracked(i), l) }; print(Tracked.live); _ = l }
list(); print(Tracked.live)
struct Box { var e: (any Error)?; var c: (any Hashable); var f: () -> Int }
func boxes() { let t = Tracked(1); var b: [Box] = []; for i in 0..<3 { b.append(Box(e: i == 1 ? E.t(Tracked(9)) : nil, c: i == 2 ? t : "s", f: { t.n + i })) }; print(Tracked.live, b.map { $0.f() }.reduce(0, +)) }
enum E: Error { case t(Tracked) }
boxes(); print(Tracked.live)
func slices() { let a = (0..<8).map(Tracked.init); let s = a[2..<5]; let m = s.map { $0.n }; print(m, Array(s.reversed()).count, zip(a, s).map { $0.n + $1.n }); var c = Array(a.dropFirst(3)); c.swapAt(0, 1); c.insert(Tracked(50), at: 2); c.removeFirst(); c.reverse(); print(c.map { $0.n }, Tracked.live) }
slices(); print(Tracked.live)
