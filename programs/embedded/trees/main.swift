// Binary search trees three ways: a class, an indirect enum, indices into an array.
final class Tree {
  var key: Int
  var left: Tree?
  var right: Tree?
  init(_ key: Int) { self.key = key }
  func insert(_ k: Int) {
    if k < key {
      if let l = left { l.insert(k) } else { left = Tree(k) }
    } else if k > key {
      if let r = right { r.insert(k) } else { right = Tree(k) }
    }
  }
  var depth: Int { return 1 + max(left?.depth ?? 0, right?.depth ?? 0) }
  func visit(_ f: (Int) -> Void) {
    left?.visit(f)
    f(key)
    right?.visit(f)
  }
  deinit { if key % 25 == 0 { print(-key) } }
}

indirect enum Search<T: Comparable> {
  case leaf
  case node(Search<T>, T, Search<T>)
  func inserting(_ x: T) -> Search<T> {
    switch self {
    case .leaf: return .node(.leaf, x, .leaf)
    case let .node(l, y, r):
      if x < y { return .node(l.inserting(x), y, r) }
      if x > y { return .node(l, y, r.inserting(x)) }
      return self
    }
  }
  func contains(_ x: T) -> Bool {
    var t = self
    while case let .node(l, y, r) = t {
      if x == y { return true }
      t = x < y ? l : r
    }
    return false
  }
  var count: Int {
    guard case let .node(l, _, r) = self else { return 0 }
    return l.count + 1 + r.count
  }
}

struct Heap {
  var items: [Int] = []
  mutating func push(_ x: Int) {
    items.append(x)
    var i = items.count - 1
    while i > 0 && items[(i - 1) / 2] > items[i] {
      items.swapAt(i, (i - 1) / 2)
      i = (i - 1) / 2
    }
  }
  mutating func pop() -> Int? {
    guard let top = items.first else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return top }
    items[0] = last
    var i = 0
    while true {
      var small = i
      for c in [2 * i + 1, 2 * i + 2] where c < items.count && items[c] < items[small] { small = c }
      if small == i { return top }
      items.swapAt(i, small)
      i = small
    }
  }
}

var x = 37
func random() -> Int {
  x = (x * 61 + 17) % 101
  return x
}
let root = Tree(50)
var persistent = Search<Int>.leaf
var heap = Heap()
for _ in 0..<80 {
  let k = random()
  root.insert(k)
  persistent = persistent.inserting(k)
  heap.push(k)
}
var sum = 0
var ordered = true
var previous = -1
root.visit {
  sum = sum &* 31 &+ $0
  if $0 <= previous { ordered = false }
  previous = $0
}
print(sum)
print(ordered)
print(root.depth)
print(persistent.count)
print(persistent.contains(x))
print(persistent.contains(1000))
var h = 0
while let k = heap.pop() { h = (h * 31 + k) % 1_000_003 }
print(h)
root.left = nil
print("left gone")
root.right = nil
print("right gone")
