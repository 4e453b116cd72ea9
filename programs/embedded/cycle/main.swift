// A graph with cycles: some are broken by hand, one leaks (its deinits never run).
final class Vertex {
  let id: Int
  var edges: [Vertex] = []
  var seen = false
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}

final class Graph {
  var vertices: [Vertex] = []
  init(count: Int) { for i in 1...count { vertices.append(Vertex(i)) } }
  func connect(_ a: Int, _ b: Int) { vertices[a - 1].edges.append(vertices[b - 1]) }
  func reachable(from start: Int) -> Int {
    for v in vertices { v.seen = false }
    var stack = [vertices[start - 1]]
    var n = 0
    while let v = stack.popLast() {
      if v.seen { continue }
      v.seen = true
      n += 1
      for w in v.edges { stack.append(w) }
    }
    return n
  }
  func clear() { for v in vertices { v.edges.removeAll() } }
  deinit { print("graph deinit") }
}

final class Cell {
  var me: Cell?
  var action: (() -> Int)?
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print("cell deinit") }
}

func broken() {
  let g = Graph(count: 5)
  g.connect(1, 2)
  g.connect(2, 3)
  g.connect(3, 1)
  g.connect(4, 5)
  print(g.reachable(from: 1))
  print(g.reachable(from: 4))
  g.clear()
}

func leaking() {
  let a = Vertex(10)
  let b = Vertex(11)
  a.edges.append(b)
  b.edges.append(a)
  let alone = Vertex(12)
  alone.edges.append(b)
  print(alone.edges[0].edges[0].id)
}

func closureCycle(_ fix: Bool) {
  let c = Cell(1)
  c.action = { c.id + 1 }
  print(c.action!())
  if fix { c.action = nil }
}

broken()
leaking()
closureCycle(true)
closureCycle(false)
let c = Cell(3)
c.me = c
print(c.me!.me!.id)
c.me = nil
print("end")
