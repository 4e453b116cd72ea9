// A balanced tree of shared nodes with weak parents: inserted into, looked up, taken apart.
let size = 6_000
var runtimeSize = size

final class Node<Key: Comparable, Value> {
  let key: Key
  var value: Value
  var priority: UInt32
  var left: Node?
  var right: Node?
  weak var parent: Node?
  init(_ key: Key, _ value: Value, _ priority: UInt32) {
    self.key = key
    self.value = value
    self.priority = priority
  }
}

struct Treap<Key: Comparable, Value> {
  var root: Node<Key, Value>?
  var count = 0
  var state: UInt32 = 1
  mutating func random() -> UInt32 {
    state = state &* 1664525 &+ 1013904223
    return state
  }
  func find(_ key: Key) -> Value? {
    var n = root
    while let at = n {
      if key == at.key { return at.value }
      n = key < at.key ? at.left : at.right
    }
    return nil
  }
  mutating func insert(_ key: Key, _ value: Value) {
    root = insert(root, key, value)
    root?.parent = nil
  }
  private mutating func insert(_ n: Node<Key, Value>?, _ key: Key, _ value: Value) -> Node<Key, Value> {
    guard let n = n else {
      count += 1
      return Node(key, value, random())
    }
    if key == n.key {
      n.value = value
    } else if key < n.key {
      let l = insert(n.left, key, value)
      n.left = l
      l.parent = n
      if l.priority > n.priority {
        n.left = l.right
        l.right?.parent = n
        l.right = n
        n.parent = l
        return l
      }
    } else {
      let r = insert(n.right, key, value)
      n.right = r
      r.parent = n
      if r.priority > n.priority {
        n.right = r.left
        r.left?.parent = n
        r.left = n
        n.parent = r
        return r
      }
    }
    return n
  }
}

@inline(never) func depth<K, V>(_ n: Node<K, V>) -> Int {
  var d = 0
  var at: Node<K, V>? = n
  while let p = at?.parent {
    d += 1
    at = p
  }
  return d
}

let rounds = 8
var found = 0
var deepest = 0
var count = 0
for round in 1...rounds {
  var tree = Treap<Int, Int>()
  for k in 0..<runtimeSize { tree.insert(k &* 7919 % 10007, k &* round) }
  for k in 0..<10007 { if let v = tree.find(k) { found = found &+ v } }
  var n = tree.root
  while let at = n {
    deepest = max(deepest, depth(at))
    n = at.right ?? at.left
  }
  count += tree.count
}
print(count, found, deepest)
