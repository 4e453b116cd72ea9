// Dijkstra on a grid with a generic binary heap ordered by a closure, and a topological sort.
struct PriorityQueue<T> {
  private var heap: [T] = []
  private let before: (T, T) -> Bool
  init(by before: @escaping (T, T) -> Bool) { self.before = before }
  var isEmpty: Bool { return heap.isEmpty }
  mutating func push(_ x: T) {
    heap.append(x)
    var i = heap.count - 1
    while i > 0, before(heap[i], heap[(i - 1) / 2]) {
      heap.swapAt(i, (i - 1) / 2)
      i = (i - 1) / 2
    }
  }
  mutating func pop() -> T? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let top = heap.removeLast()
    var i = 0
    while 2 * i + 1 < heap.count {
      var c = 2 * i + 1
      if c + 1 < heap.count, before(heap[c + 1], heap[c]) { c += 1 }
      if !before(heap[c], heap[i]) { break }
      heap.swapAt(i, c)
      i = c
    }
    return top
  }
}

struct Grid {
  let side: Int
  func cost(_ i: Int) -> Int { return (i * 7919 + 13) % 9 + 1 }
  func neighbours(_ i: Int) -> [Int] {
    var out: [Int] = []
    if i % side > 0 { out.append(i - 1) }
    if i % side < side - 1 { out.append(i + 1) }
    if i >= side { out.append(i - side) }
    if i < side * (side - 1) { out.append(i + side) }
    return out
  }
  func shortest(from: Int, to: Int) -> (cost: Int, path: [Int])? {
    var best = [Int?](repeating: nil, count: side * side)
    var via = [Int](repeating: -1, count: side * side)
    var queue = PriorityQueue<(Int, Int)>(by: { $0.0 < $1.0 })
    best[from] = 0
    queue.push((0, from))
    while let (d, i) = queue.pop() {
      if i == to {
        var path = [i]
        while let p = path.last, p != from { path.append(via[p]) }
        return (d, path.reversed())
      }
      if let b = best[i], b < d { continue }
      for n in neighbours(i) {
        let nd = d + cost(n)
        if let b = best[n], b <= nd { continue }
        best[n] = nd
        via[n] = i
        queue.push((nd, n))
      }
    }
    return nil
  }
}

final class Task {
  let id: Int
  var needs: [Task] = []
  var state: UInt8 = 0
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
func order(_ tasks: [Task]) -> [Int] {
  var out: [Int] = []
  func visit(_ t: Task) {
    if t.state == 2 { return }
    t.state = 1
    for n in t.needs { visit(n) }
    t.state = 2
    out.append(t.id)
  }
  for t in tasks { visit(t) }
  return out
}

let g = Grid(side: 12)
if let r = g.shortest(from: 0, to: 143) {
  print(r.cost)
  print(r.path.count)
  for i in r.path.prefix(4) { print(i) }
}
print(g.shortest(from: 5, to: 5)!.cost)
var q = PriorityQueue<Int>(by: >)
for x in [4, 8, 1, 9, 3] { q.push(x) }
while let x = q.pop() { print(x) }
var tasks = (1...5).map { Task($0) }
tasks[0].needs = [tasks[3], tasks[1]]
tasks[1].needs = [tasks[4]]
tasks[3].needs = [tasks[4], tasks[2]]
for i in order(tasks) { print(i) }
for t in tasks { t.needs.removeAll() }
tasks.removeAll()
print("end")
