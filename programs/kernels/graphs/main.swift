// Graphs: breadth first over lists of neighbours, components with sets joined, strong components by recursion, nodes of classes.
let size = 3_000
let rounds = 6
var runtimeSize = size

final class Vertex {
  let number: Int
  var edges: [Vertex] = []
  var index = -1
  var low = 0
  var onStack = false
  init(_ number: Int) { self.number = number }
}

struct Sets {
  var parent: [Int]
  init(_ n: Int) { parent = Array(0..<n) }
  mutating func root(_ k: Int) -> Int {
    var k = k
    while parent[k] != k {
      parent[k] = parent[parent[k]]
      k = parent[k]
    }
    return k
  }
  mutating func join(_ a: Int, _ b: Int) -> Bool {
    let x = root(a), y = root(b)
    if x == y { return false }
    parent[x] = y
    return true
  }
}

final class Strong {
  var next = 0
  var stack: [Vertex] = []
  var found = 0
  func visit(_ v: Vertex) {
    v.index = next
    v.low = next
    next += 1
    stack.append(v)
    v.onStack = true
    for w in v.edges {
      if w.index < 0 {
        visit(w)
        v.low = min(v.low, w.low)
      } else if w.onStack {
        v.low = min(v.low, w.index)
      }
    }
    if v.low == v.index {
      found += 1
      while let w = stack.popLast() {
        w.onStack = false
        if w === v { break }
      }
    }
  }
}

@inline(never) func distances(_ edges: [[Int]], _ from: Int) -> [Int] {
  var out = [Int](repeating: -1, count: edges.count)
  var queue = [from]
  var at = 0
  out[from] = 0
  while at < queue.count {
    let v = queue[at]
    at += 1
    for w in edges[v] where out[w] < 0 {
      out[w] = out[v] + 1
      queue.append(w)
    }
  }
  return out
}

let n = runtimeSize
var total = 0
for round in 0..<rounds {
  let edges = (0..<n).map { k in (1...4).map { (k &* $0 &* 31 &+ round &* 7 &+ $0) % n } }
  total += distances(edges, round).reduce(0, +)
  var sets = Sets(n)
  for (k, list) in edges.enumerated() { for w in list where sets.join(k, w) { total += 1 } }
  let vertices = (0..<n).map { Vertex($0) }
  for v in vertices { v.edges = edges[v.number].prefix(2).map { vertices[$0] } }
  let strong = Strong()
  for v in vertices where v.index < 0 { strong.visit(v) }
  total += strong.found
  var seen = Set<Int>()
  for v in vertices where v.low & 3 == 0 { seen.insert(v.low) }
  total += seen.count
  for v in vertices { v.edges = [] }
}
print(total)
