// A mutating method with a callback that reads the same storage through a global.
struct Counter { var n = 0; mutating func bump(_ f: () -> Int) { n += f() } }
final class Meter {
  var counter = Counter()
  var limit = 3
  func tick() -> Int { counter.bump { self.step() }; return counter.n }
  func step() -> Int { limit > 2 ? 1 : counter.n }
}
func measure(_ m: Meter) {
  print(m.tick())
  m.limit = 1
  print(m.tick())
}
measure(Meter())
