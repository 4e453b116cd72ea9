// A priority queue of class instances, ordered by a closure: shortest ways in a grid.
let size = 70
let rounds = 25
var runtimeSize = size

final class Visit {
  let cost: Int
  let place: Int
  init(_ cost: Int, _ place: Int) {
    self.cost = cost
    self.place = place
  }
}

struct Queue<T> {
  var items: [T] = []
  let before: (T, T) -> Bool
  init(_ before: @escaping (T, T) -> Bool) { self.before = before }
  mutating func push(_ x: T) {
    items.append(x)
    var k = items.count - 1
    while k > 0 && before(items[k], items[(k - 1) / 2]) {
      items.swapAt(k, (k - 1) / 2)
      k = (k - 1) / 2
    }
  }
  mutating func pop() -> T? {
    if items.isEmpty { return nil }
    items.swapAt(0, items.count - 1)
    let first = items.removeLast()
    var k = 0
    while true {
      var least = k
      if 2 * k + 1 < items.count && before(items[2 * k + 1], items[least]) { least = 2 * k + 1 }
      if 2 * k + 2 < items.count && before(items[2 * k + 2], items[least]) { least = 2 * k + 2 }
      if least == k { return first }
      items.swapAt(k, least)
      k = least
    }
  }
}

@inline(never) func shortest(_ n: Int, _ seed: Int) -> Int {
  var best = [Int](repeating: Int.max, count: n * n)
  var queue = Queue<Visit> { $0.cost < $1.cost }
  queue.push(Visit(0, 0))
  best[0] = 0
  while let v = queue.pop() {
    if v.cost > best[v.place] { continue }
    if v.place == n * n - 1 { return v.cost }
    let x = v.place % n, y = v.place / n
    for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
      let a = x + dx, b = y + dy
      if a < 0 || b < 0 || a >= n || b >= n { continue }
      let cost = v.cost + 1 + (a * 31 + b * 17 + seed * 13) % 9
      if cost < best[b * n + a] {
        best[b * n + a] = cost
        queue.push(Visit(cost, b * n + a))
      }
    }
  }
  return -1
}

var total = 0
for k in 0..<rounds { total += shortest(runtimeSize, k) }
print(total)
