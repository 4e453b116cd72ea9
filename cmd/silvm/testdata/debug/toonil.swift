final class Worker { let n: Int; init(_ n: Int) { self.n = n }
  deinit { print("worker \(n) gone") }
  func work() -> Int { n * 2 } }
final class Pool { weak var best: Worker?
  func hire() { let w = Worker(21); best = w; print(best == nil ? "none" : "hired") }
  func run() -> Int { best?.work() ?? -1 } }
let pool = Pool()
pool.hire()
print(pool.run())
