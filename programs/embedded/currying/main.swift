// Generic functions that give closures over closures: what each captures lies in memory or in registers, and lives as long as the last closure.
final class Log { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("log", terminator: " "); print(n) } }
func compose<A, B, C>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> C) -> (A) -> C { return { g(f($0)) } }
func curry<A, B, C>(_ f: @escaping (A, B) -> C) -> (A) -> (B) -> C { { a in { b in f(a, b) } } }
func flip<A, B, C>(_ f: @escaping (A) -> (B) -> C) -> (B) -> (A) -> C { { b in { a in f(a)(b) } } }
func twice<T>(_ f: @escaping (T) -> T) -> (T) -> T { { f(f($0)) } }

let f = compose({ (x: Int) in x * 2 }, compose({ $0 + 1 }, { $0 > 10 }))
print(f(4)); print(f(5))
print(curry({ (a: Int, b: UInt8) in a - Int(b) })(10)(3))
print(flip(curry { (a: Int, b: UInt8) in a - Int(b) })(3)(20))
print(twice(twice { $0 * 3 })(1)); print(twice { !$0 }(true))
func choose(_ b: Bool) -> (Int) -> Int {
  let l = Log(b ? 1 : 2)
  let g = curry { (l: Log, n: Int) in l.n + n }(l)
  print("made")
  if b { return twice(g) }
  print(g(5))
  return g
}
print(choose(true)(10))
print(choose(false)(10))
func recurse(_ n: Int, _ k: @escaping (Int) -> Int) -> Int { n == 0 ? k(0) : recurse(n - 1) { k($0 + n) } }
print(recurse(20) { $0 })
