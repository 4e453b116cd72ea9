// Objects: a cache with a list of nodes and a table of chains, visitors, observers as closures, optionals, protocols with generics.
let size = 60_000
var runtimeSize = size

final class Entry {
  let key: Int
  var value: Int
  var next: Entry?
  unowned(unsafe) var before: Entry?
  var chain: Entry?
  init(_ key: Int, _ value: Int) {
    self.key = key
    self.value = value
  }
}

final class Cache {
  var slots = [Entry?](repeating: nil, count: 64)
  var first: Entry?
  var last: Entry?
  var count = 0
  func get(_ key: Int) -> Int? {
    var e = slots[key & 63]
    while let at = e {
      if at.key == key {
        unlink(at)
        push(at)
        return at.value
      }
      e = at.chain
    }
    return nil
  }
  func unlink(_ e: Entry) {
    if let b = e.before { b.next = e.next } else { first = e.next }
    if let n = e.next { n.before = e.before } else { last = e.before }
    e.next = nil
    e.before = nil
  }
  func push(_ e: Entry) {
    e.next = first
    first?.before = e
    first = e
    if last == nil { last = e }
  }
  func put(_ key: Int, _ value: Int) {
    let e = Entry(key, value)
    e.chain = slots[key & 63]
    slots[key & 63] = e
    push(e)
    count += 1
    if count > 100, let old = last {
      unlink(old)
      count -= 1
      var at = slots[old.key & 63]
      if at === old { slots[old.key & 63] = old.chain } else {
        while let a = at, a.chain !== old { at = a.chain }
        at?.chain = old.chain
      }
    }
  }
}

class Expression {
  func value(_ x: Int) -> Int { return 0 }
  func accept<V: Visitor>(_ v: inout V) {}
}
final class Constant: Expression {
  let n: Int
  init(_ n: Int) { self.n = n }
  override func value(_ x: Int) -> Int { return n }
  override func accept<V: Visitor>(_ v: inout V) { v.constant(n) }
}
final class Variable: Expression {
  override func value(_ x: Int) -> Int { return x }
}
final class Binary: Expression {
  let left: Expression
  let right: Expression
  let apply: (Int, Int) -> Int
  init(_ left: Expression, _ right: Expression, _ apply: @escaping (Int, Int) -> Int) {
    self.left = left
    self.right = right
    self.apply = apply
  }
  override func value(_ x: Int) -> Int { return apply(left.value(x), right.value(x)) }
  override func accept<V: Visitor>(_ v: inout V) {
    left.accept(&v)
    right.accept(&v)
  }
}
protocol Visitor {
  mutating func constant(_ n: Int)
}
struct Sum: Visitor {
  var total = 0
  mutating func constant(_ n: Int) { total += n }
}

@inline(never) func build(_ depth: Int, _ seed: Int) -> Expression {
  if depth == 0 { return seed % 3 == 0 ? Variable() : Constant(seed & 15) }
  let l = build(depth - 1, seed &* 5 &+ 1), r = build(depth - 1, seed &* 3 &+ 2)
  return Binary(l, r, seed & 1 == 0 ? { ($0 &+ $1) & 0xffff } : { ($0 &* 3) ^ $1 })
}

protocol Stack {
  associatedtype Element
  mutating func push(_ x: Element)
  mutating func pop() -> Element?
}
struct ArrayStack<Element>: Stack {
  var items: [Element] = []
  mutating func push(_ x: Element) { items.append(x) }
  mutating func pop() -> Element? { return items.popLast() }
}
indirect enum Chain<Element> {
  case end
  case link(Element, Chain)
}
struct ChainStack<Element>: Stack {
  var top = Chain<Element>.end
  mutating func push(_ x: Element) { top = .link(x, top) }
  mutating func pop() -> Element? {
    guard case .link(let x, let rest) = top else { return nil }
    top = rest
    return x
  }
}
@inline(never) func drain<S: Stack>(_ s: inout S, _ n: Int) -> Int where S.Element == Int {
  for k in 0..<n { s.push(k) }
  var total = 0
  while let x = s.pop() { total = total &+ x }
  return total
}

let n = runtimeSize
let cache = Cache()
var hits = 0
for k in 0..<n {
  let key = (k &* k) % 181
  if let v = cache.get(key) { hits += v & 1 } else { cache.put(key, k) }
}
let tree = build(8, 1)
var total = 0
for x in 0..<n / 300 { total = (total &+ tree.value(x)) & 0xffffff }
var sum = Sum()
for _ in 0..<50 { tree.accept(&sum) }
var a = ArrayStack<Int>()
var b = ChainStack<Int>()
var observers: [(Int) -> Void] = []
var seen = 0
for k in 0..<5 { observers.append { seen = seen &+ $0 &* k } }
for k in 0..<n / 10 { for o in observers { o(k) } }
print(hits, total, sum.total, drain(&a, n / 2), drain(&b, n / 4), seen)
