// Closures: escaping and not, stored, capturing variables by reference, contexts that die.
final class Noisy {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}

func makeCounter(step: Int) -> () -> Int {
  var n = 0
  return {
    n += step
    return n
  }
}

func compose<A, B, C>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> C) -> (A) -> C {
  return { g(f($0)) }
}

func apply(_ n: Int, _ body: (Int) -> Void) {
  for i in 0..<n { body(i) }
}

struct Button {
  var handlers: [(Int) -> Void] = []
  mutating func on(_ h: @escaping (Int) -> Void) { handlers.append(h) }
  func press(_ x: Int) { for h in handlers { h(x) } }
}

func memoize(_ f: @escaping (Int) -> Int) -> (Int) -> Int {
  var cache = [Int](repeating: -1, count: 50)
  return { n in
    if cache[n] < 0 { cache[n] = f(n) }
    return cache[n]
  }
}

let a = makeCounter(step: 3)
let b = makeCounter(step: 10)
print(a())
print(a())
print(b())
print(a())

var sum = 0
apply(10) { sum += $0 * $0 }
print(sum)

let inc = compose({ (x: Int) in x + 1 }, { (x: Int) in x * 100 })
print(inc(4))
let isBig = compose(inc, { $0 > 450 })
print(isBig(3))
print(isBig(4))

var button = Button()
var log: [Int] = []
let noisy = Noisy(9)
button.on { log.append($0) }
button.on { x in log.append(x * noisy.id) }
button.press(2)
button.press(5)
for x in log { print(x) }
button.handlers.removeAll()

do {
  let n = Noisy(1)
  var f: (() -> Int)? = { n.id }
  print(f!())
  f = nil
  print("cleared")
}

var slow: (Int) -> Int = { _ in 0 }
slow = { n in n < 2 ? n : slow(n - 1) + slow(n - 2) }
let quick = memoize(slow)
print(quick(15))
print(quick(15))
let table: [(Int, Int) -> Int] = [(+), (-), (*), { $0 &<< $1 }]
for op in table { print(op(7, 3)) }
var autoclosureRan = false
func unless(_ c: Bool, _ v: @autoclosure () -> Int) -> Int { return c ? 0 : v() }
print(unless(true, { autoclosureRan = true; return 5 }()))
print(autoclosureRan)
print(unless(false, 6))
