// A linked list of class instances: built, walked, reversed and freed, several rounds.
let size = 100_000
let rounds = 40
var runtimeSize = size

final class Node {
  var value: Int
  var next: Node?
  init(_ value: Int, _ next: Node?) {
    self.value = value
    self.next = next
  }
}

@inline(never) func build(_ n: Int) -> Node? {
  var head: Node? = nil
  for i in 0..<n { head = Node(i, head) }
  return head
}

@inline(never) func sum(_ head: Node?) -> Int {
  var total = 0
  var node = head
  while let n = node {
    total = total &+ n.value
    node = n.next
  }
  return total
}

@inline(never) func reverse(_ head: Node?) -> Node? {
  var previous: Node? = nil
  var node = head
  while let n = node {
    node = n.next
    n.next = previous
    previous = n
  }
  return previous
}

@inline(never) func free(_ head: Node?) {
  var node = head
  while let n = node { node = n.next; n.next = nil }
}

var total = 0
for _ in 0..<rounds {
  var list = build(runtimeSize)
  total += sum(list)
  list = reverse(list)
  total -= list!.next!.value
  total += sum(list)
  free(list)
}
print(total)
