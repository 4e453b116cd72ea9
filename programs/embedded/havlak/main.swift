// Loops found in a control flow graph: union-find over arrays, nested functions that capture, classes in arrays.
final class Node { var number = -1; var preds: [Int] = [], succs: [Int] = []; let name: Int; init(_ n: Int) { name = n } }
final class Graph {
  var nodes: [Node] = []
  func node(_ i: Int) -> Node { while nodes.count <= i { nodes.append(Node(nodes.count)) }; return nodes[i] }
  func edge(_ a: Int, _ b: Int) { node(a).succs.append(b); node(b).preds.append(a) }
}
final class UnionFind {
  var parent: [Int]
  init(_ n: Int) { parent = Array(0..<n) }
  func find(_ x: Int) -> Int { var r = x; while parent[r] != r { r = parent[r] }; var y = x; while parent[y] != r { (parent[y], y) = (r, parent[y]) }; return r }
  func union(_ a: Int, _ b: Int) { parent[find(a)] = find(b) }
}
struct Loop { var header: Int; var blocks: [Int]; var isReducible = true; var parent = -1 }
func diamond(_ g: Graph, _ s: Int) -> Int { g.edge(s, s+1); g.edge(s, s+2); g.edge(s+1, s+3); g.edge(s+2, s+3); return s + 3 }
func straight(_ g: Graph, _ s: Int, _ n: Int) -> Int { for i in 0..<n { g.edge(s+i, s+i+1) }; return s + n }
func base(_ g: Graph, _ from: Int) -> Int {
  let head = straight(g, from, 1)
  let d1 = diamond(g, head); let d2 = straight(g, d1, 1); let d3 = diamond(g, d2); let foot = straight(g, d3, 1)
  g.edge(d3, d2); g.edge(d1, head); g.edge(foot, from)
  return straight(g, foot, 1)
}
func dfs(_ g: Graph, _ n: Int, _ number: inout [Int], _ last: inout [Int], _ order: inout [Int]) {
  number[n] = order.count; order.append(n)
  for s in g.nodes[n].succs where number[s] < 0 { dfs(g, s, &number, &last, &order) }
  last[number[n]] = order.count - 1
}
func find(_ g: Graph) -> [Loop] {
  let n = g.nodes.count
  var number = Array(repeating: -1, count: n), last = Array(repeating: 0, count: n), order: [Int] = []
  dfs(g, 0, &number, &last, &order)
  let uf = UnionFind(order.count)
  var loops: [Loop] = []
  func isAnc(_ w: Int, _ v: Int) -> Bool { w <= v && v <= last[w] }
  for w in stride(from: order.count - 1, through: 0, by: -1) {
    var body: [Int] = [], work: [Int] = []
    var reducible = true
    for p in g.nodes[order[w]].preds where number[p] >= 0 && isAnc(w, number[p]) {
      let r = uf.find(number[p])
      if number[p] != w { if !body.contains(r) { body.append(r); work.append(r) } } else { loops.append(Loop(header: w, blocks: [w])) }
    }
    while let x = work.popLast() {
      for p in g.nodes[order[x]].preds where number[p] >= 0 {
        let y = uf.find(number[p])
        if !isAnc(w, y) { reducible = false } else if y != w && !body.contains(y) { body.append(y); work.append(y) }
      }
    }
    if !body.isEmpty { for b in body { uf.union(b, w) }; loops.append(Loop(header: w, blocks: body, isReducible: reducible)) }
  }
  return loops
}
let g = Graph()
var n = 0
for _ in 0..<10 { n = base(g, n) }
let ls = find(g)
print(ls.count)
print(ls.reduce(0) { $0 + $1.blocks.count })
print(ls.filter { $0.isReducible }.count)
print(g.nodes.count)
