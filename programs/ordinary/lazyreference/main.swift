// AtomicLazyReference: set once, its object goes with it.
import Synchronization
final class D: Sendable { let k: Int; init(_ k: Int) { self.k = k }; deinit { print("D", k, "goes") } }
final class S: Sendable { let l = AtomicLazyReference<D>(); let n = AtomicLazyReference<D>() }
func one() {
  let s = S()
  print(s.l.load() == nil, s.l.storeIfNil(D(1)).k)
  print(s.l.storeIfNil(D(2)).k, s.l.load()!.k, s.n.load() == nil)
}
one()
func two() async -> Bool {
  let s = S()
  return await withTaskGroup(of: ObjectIdentifier.self) { g in
    for i in 10..<14 { g.addTask { ObjectIdentifier(s.l.storeIfNil(D(i > 0 ? 7 : 8))) } }
    var seen = Set<ObjectIdentifier>()
    for await x in g { seen.insert(x) }
    return seen == [ObjectIdentifier(s.l.load()!)]
  }
}
print(await two())
