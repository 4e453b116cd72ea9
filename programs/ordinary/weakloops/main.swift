final class Node { var id: Int; weak var peer: Node?; unowned(safe) var owner: Root; init(_ i: Int, _ o: Root) { id = i; owner = o }
  deinit { seen &+= id; if let p = peer { seen &+= p.id &* 3 } } }
final class Root { var count = 1; var kids: [Node] = []; weak var me: Root?; deinit { if me != nil { seen = -1 } else { seen &+= 1000 } } }
nonisolated(unsafe) var seen = 0
nonisolated(unsafe) var keep: Node?
@inline(never) func sum(_ list: [Node]) -> Int { var s = 0; for n in list { if let p = n.peer { s &+= p.id } else { s &+= 7 }; s &+= n.owner.count }; return s }
@inline(never) func churn(_ rounds: Int) -> Int {
  var total = 0
  for r in 0..<rounds {
    let root = Root(); root.me = root; root.count = r % 5
    for i in 0..<8 { root.kids.append(Node(i + r, root)) }
    for i in 0..<8 { root.kids[i].peer = root.kids[(i * 3 + r) % 8] }
    total &+= sum(root.kids)
    root.kids.remove(at: r % 8)
    total &+= sum(root.kids)
    keep = root.kids[r % 7]
    if r % 3 == 0 { root.kids.removeAll(); total &+= sum([keep!]) }
    if let m = root.me { total &+= m.count }
    root.kids.removeAll()
    keep = nil
    withExtendedLifetime(root) { }
  }
  return total
}
struct Box { weak var a: Root?; unowned var b: Root; weak var c: Root? }
@inline(never) func copies(_ rounds: Int) -> Int {
  var t = 0; let keep = Root()
  for r in 0..<rounds {
    var tmp: Root? = Root(); tmp!.count = r & 15
    let x = Box(a: tmp, b: keep, c: keep)
    let list = [x, x, x]
    if r & 1 == 0 { tmp = nil }
    for y in list { t &+= (y.a?.count ?? -1) &+ y.b.count &+ (y.c === keep ? 1 : 0) }
    if tmp != nil { t &+= 1 }
  }
  return t
}
print(churn(3000), seen)
print(copies(4000), seen)
