// A singly linked list of 100,000 nodes: reversed, filtered, and freed without a stack
// overflow; then a doubly linked one with unmanaged back pointers.
final class Node {
  var value: Int
  var next: Node?
  init(_ value: Int, _ next: Node?) {
    self.value = value
    self.next = next
  }
}

struct List {
  var head: Node?
  var count = 0
  mutating func push(_ x: Int) {
    head = Node(x, head)
    count += 1
  }
  mutating func reverse() {
    var previous: Node? = nil
    var current = head
    while let n = current {
      current = n.next
      n.next = previous
      previous = n
    }
    head = previous
  }
  func sum() -> Int {
    var t = 0
    var n = head
    while let x = n {
      t += x.value
      n = x.next
    }
    return t
  }
  mutating func removeOdd() {
    while let h = head, h.value % 2 != 0 { head = h.next; count -= 1 }
    var n = head
    while let x = n {
      while let y = x.next, y.value % 2 != 0 { x.next = y.next; count -= 1 }
      n = x.next
    }
  }
  mutating func clear() {
    while let h = head { head = h.next }
    count = 0
  }
}

final class Link {
  let id: Int
  var next: Link?
  var back: Unmanaged<Link>?
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}

var list = List()
for i in 0..<100_000 { list.push(i) }
print(list.sum())
print(list.head!.value)
list.reverse()
print(list.head!.value)
list.removeOdd()
print(list.count)
print(list.sum())
list.clear()
print(list.head == nil)

do {
  let first = Link(1)
  var last = first
  for i in 2...4 {
    let l = Link(i)
    l.back = Unmanaged.passUnretained(last)
    last.next = l
    last = l
  }
  var walk: Link? = last
  while let l = walk {
    print(l.id)
    walk = l.back?.takeUnretainedValue()
  }
}
