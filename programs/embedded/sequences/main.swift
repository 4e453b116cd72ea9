// Custom sequences, iterators and collections, lazy chains, zip, stride.
struct Fibonacci: Sequence, IteratorProtocol {
  var a = 0
  var b = 1
  let limit: Int
  init(limit: Int) { self.limit = limit }
  mutating func next() -> Int? {
    guard a <= limit else { return nil }
    defer { (a, b) = (b, a + b) }
    return a
  }
}

struct Countdown: Sequence {
  let start: Int
  func makeIterator() -> AnyCountdown { return AnyCountdown(n: start) }
  struct AnyCountdown: IteratorProtocol {
    var n: Int
    mutating func next() -> Int? {
      if n == 0 { return nil }
      n -= 1
      return n
    }
  }
}

struct Ring<Element>: RandomAccessCollection {
  var base: [Element]
  var offset: Int
  var startIndex: Int { return 0 }
  var endIndex: Int { return base.count }
  subscript(i: Int) -> Element { return base[(i + offset) % base.count] }
}

func sum<S: Sequence>(_ s: S) -> Int where S.Element == Int {
  var t = 0
  for x in s { t += x }
  return t
}

print(sum(Fibonacci(limit: 100)))
for x in Fibonacci(limit: 50) where x % 2 == 0 { print(x) }
print(Countdown(start: 5).map { $0 * $0 }.reduce(0, +))
print(sum(Countdown(start: 10).dropFirst(3)))
for (i, x) in zip(1..., Countdown(start: 4)) { print(i * 100 + x) }
print(stride(from: 0, to: 30, by: 7).map { $0 }.count)
print(sum(stride(from: 10, through: 0, by: -5)))
print((1...10).lazy.map { $0 * $0 }.filter { $0 % 3 == 0 }.first!)
let ring = Ring(base: [1, 2, 3, 4, 5], offset: 3)
print(ring.first!)
print(ring.last!)
print(ring.firstIndex(of: 2)!)
print(sum(ring.reversed().prefix(2)))
print(ring.min()!)
print(Array(ring.indices).count)
outer: for i in 2... {
  for j in 2..<i where i % j == 0 {
    if i == 25 { break outer }
    continue outer
  }
  print(i)
}
var it = [10, 20, 30].makeIterator()
while let x = it.next() { print(x) }
print(Array(repeating: 3, count: 4).elementsEqual([3, 3, 3, 3]))
print([3, 1, 2].sorted().lexicographicallyPrecedes([1, 2, 4]))
