final class Node {
  var value: Int
  var name: String
  init(_ v: Int) { value = v; name = "node \(v)" }
  deinit { print("deinit", value) }
}

func keep(_ n: Node) -> Unmanaged<Node> {
  return Unmanaged.passRetained(n)
}

func work() {
  let a = Node(1)
  let b = Node(2)
  let kept = keep(a)
  print(kept.takeUnretainedValue().value + b.value)
}

work()
print("done")
