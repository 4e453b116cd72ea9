// The game of life on a torus of rows in rows of bytes.
let size = 48
let rounds = 400
var runtimeSize = size

struct World {
  var cells: [[UInt8]]
  let n: Int
  init(_ n: Int) {
    self.n = n
    cells = (0..<n).map { y in (0..<n).map { x in (x * y + x * 3 + y * 7) % 5 == 0 ? 1 : 0 } }
  }
  func neighbours(_ x: Int, _ y: Int) -> Int {
    var sum = 0
    for dy in -1...1 {
      let row = cells[(y + dy + n) % n]
      for dx in -1...1 where dx != 0 || dy != 0 { sum += Int(row[(x + dx + n) % n]) }
    }
    return sum
  }
  @inline(never) func next() -> World {
    var out = self
    for y in 0..<n {
      for x in 0..<n {
        let k = neighbours(x, y)
        out.cells[y][x] = k == 3 || k == 2 && cells[y][x] == 1 ? 1 : 0
      }
    }
    return out
  }
  var alive: Int { return cells.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1) } } }
}

var world = World(runtimeSize)
for _ in 0..<rounds { world = world.next() }
print(world.alive)
