// Binary trees of class instances, made, counted and freed recursively.
let size = 15
let rounds = 60
var runtimeSize = size

final class Tree {
  let left: Tree?
  let right: Tree?
  init(_ left: Tree?, _ right: Tree?) {
    self.left = left
    self.right = right
  }
  func count() -> Int {
    return 1 + (left?.count() ?? 0) + (right?.count() ?? 0)
  }
}

@inline(never) func make(_ depth: Int) -> Tree {
  return depth == 0 ? Tree(nil, nil) : Tree(make(depth - 1), make(depth - 1))
}

var nodes = 0
let long = make(runtimeSize)
for _ in 0..<rounds { nodes += make(runtimeSize).count() }
nodes += long.count()
print(nodes)
