// not at -Onone: the compiler itself fails on it there
// Parameter packs: forwarding values and references through a pack.
func forward<each T>(_ x: repeat each T) -> (repeat each T) { return (repeat each x) }
final class Noisy {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
let t = forward(1, true, UInt8(3))
print(t.0)
print(t.1)
print(t.2)
let b = forward(10, Noisy(4), (5, false))
print(b.0)
print(b.1.id)
print(b.2.0)
do {
  let n = forward(Noisy(1), Noisy(2))
  print(n.1.id)
}
print("end")
