// Closures: stored in arrays, capturing by reference and by value, composed, called much.
let size = 6_000_000
var runtimeSize = size

final class Pipeline {
  var stages: [(Int) -> Int] = []
  func add(_ f: @escaping (Int) -> Int) { stages.append(f) }
  @inline(never) func run(_ x: Int) -> Int {
    var v = x
    for s in stages { v = s(v) }
    return v
  }
}

@inline(never) func compose(_ f: @escaping (Int) -> Int, _ g: @escaping (Int) -> Int) -> (Int) -> Int {
  return { g(f($0)) }
}

@inline(never) func counter(_ step: Int) -> () -> Int {
  var n = 0
  return {
    n = n &+ step
    return n
  }
}

@inline(never) func setUp(_ p: Pipeline, _ k: Int) {
  p.add { $0 &+ k }
  p.add(compose({ $0 &* 3 }, { $0 & 0xFFFF }))
  p.add { $0 ^ (k &* 5) }
}

let pipeline = Pipeline()
setUp(pipeline, runtimeSize % 91)
let tick = counter(7)
var total = 0
for i in 0..<runtimeSize {
  total = total &+ pipeline.run(i) &+ tick()
  if i % 8 == 0 {
    let local = compose({ $0 &+ i }, { $0 >> 1 })
    total = total &+ local(total & 1023)
  }
}
print(total)
