// Variables that the optimizer keeps in registers: last goes to where each got its value, in its own call.
final class N { var next: N?; let v: Int; init(_ v: Int) { self.v = v } }

@inline(never) func sum(_ n: Int) -> Int {
  var total = 0
  var head: N? = nil
  for i in 1...n {
    let node = N(i * i)
    node.next = head
    head = node
    total += i * i
  }
  if n > 2 {
    var total = 100
    total += sum(n - 1)
    head = N(total)
  }
  var p = head
  while let q = p {
    total -= q.v
    p = q.next
  }
  return stop(total)
}

@inline(never) func stop(_ x: Int) -> Int { x &+ 1 }

print(sum(3))
