// Whether a reference is the only one, where the object's count does not say so: of objects that weak variables name, whose counts lie aside,
// and of the storage that all empty arrays share, which is never unique.
final class Node {
  var n: Int
  init(_ n: Int) { self.n = n }
  deinit { ended &+= n }
}
var ended = 0

struct Holder {
  var node: Node
  var copies = 0
  mutating func add(_ k: Int) {
    if !isKnownUniquelyReferenced(&node) {
      node = Node(node.n)
      copies += 1
    }
    node.n &+= k
  }
}

@inline(never) func edit(_ rounds: Int) -> (Int, Int, Int) {
  var holder = Holder(node: Node(1))
  weak var seen = holder.node
  var kept: Node? = nil
  var lost = 0
  for k in 0..<rounds {
    holder.add(k)
    if k % 5 == 0 { kept = holder.node }
    if k % 7 == 0 { kept = nil }
    if seen == nil { lost += 1 }
    if k % 3 == 0 { seen = holder.node }
  }
  return (holder.node.n, holder.copies, lost &+ (kept?.n ?? 0))
}

@inline(never) func fill(_ rounds: Int) -> Int {
  var total = 0
  for k in 0..<rounds {
    var list: [Int] = []
    if k & 1 == 0 { list.append(k) }
    var same = list
    same.append(1)
    total &+= list.count &+ same.count &+ same[0]
  }
  return total
}

print(edit(60_000), fill(60_000), ended)
