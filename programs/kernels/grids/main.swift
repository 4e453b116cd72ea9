// Grids: filling by a stack, a puzzle solved with masks, knapsacks, paths counted, an image blurred in bytes and in floats.
let size = 64
let rounds = 8
var runtimeSize = size

struct Grid<Cell> {
  let width: Int
  let height: Int
  private(set) var cells: [Cell]
  init(_ width: Int, _ height: Int, _ f: (Int, Int) -> Cell) {
    self.width = width
    self.height = height
    cells = (0..<width * height).map { f($0 % width, $0 / width) }
  }
  subscript(x: Int, y: Int) -> Cell {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height)
      return cells[y * width + x]
    }
    set { cells[y * width + x] = newValue }
  }
}

@inline(never) func fill(_ g: inout Grid<UInt8>, _ x: Int, _ y: Int, _ color: UInt8) -> Int {
  let old = g[x, y]
  if old == color { return 0 }
  var stack = [(x, y)]
  var filled = 0
  while let (x, y) = stack.popLast() {
    if x < 0 || y < 0 || x >= g.width || y >= g.height || g[x, y] != old { continue }
    g[x, y] = color
    filled += 1
    stack.append((x + 1, y))
    stack.append((x - 1, y))
    stack.append((x, y + 1))
    stack.append((x, y - 1))
  }
  return filled
}

@inline(never) func blur(_ g: Grid<Float>) -> Grid<Float> {
  var out = g
  for y in 1..<g.height - 1 {
    for x in 1..<g.width - 1 {
      out[x, y] = (g[x - 1, y] + g[x + 1, y] + g[x, y - 1] + g[x, y + 1] + 4 * g[x, y]) / 8
    }
  }
  return out
}

struct Puzzle {
  var rows = [Int](repeating: 0, count: 9)
  var columns = [Int](repeating: 0, count: 9)
  var boxes = [Int](repeating: 0, count: 9)
  var cells = [[Int]](repeating: [Int](repeating: 0, count: 9), count: 9)
  var tried = 0
  mutating func set(_ r: Int, _ c: Int, _ d: Int, _ on: Bool) {
    let bit = 1 << d
    if on {
      rows[r] |= bit
      columns[c] |= bit
      boxes[r / 3 * 3 + c / 3] |= bit
    } else {
      rows[r] &= ~bit
      columns[c] &= ~bit
      boxes[r / 3 * 3 + c / 3] &= ~bit
    }
    cells[r][c] = on ? d : 0
  }
  mutating func solve(_ k: Int) -> Bool {
    if k == 81 { return true }
    let r = k / 9, c = k % 9
    if cells[r][c] != 0 { return solve(k + 1) }
    for d in 1...9 where (rows[r] | columns[c] | boxes[r / 3 * 3 + c / 3]) & (1 << d) == 0 {
      tried += 1
      set(r, c, d, true)
      if solve(k + 1) { return true }
      set(r, c, d, false)
    }
    return false
  }
}

@inline(never) func knapsack(_ weights: [Int], _ values: [Int], _ room: Int) -> Int {
  var best = [[Int]](repeating: [Int](repeating: 0, count: room + 1), count: weights.count + 1)
  for i in 1...weights.count {
    for w in 0...room {
      best[i][w] = best[i - 1][w]
      if weights[i - 1] <= w { best[i][w] = max(best[i][w], best[i - 1][w - weights[i - 1]] + values[i - 1]) }
    }
  }
  return best[weights.count][room]
}

@inline(never) func paths(_ n: Int, _ open: (Int, Int) -> Bool) -> Int {
  var row = [Int](repeating: 0, count: n)
  row[0] = 1
  for y in 0..<n {
    for x in 0..<n {
      if !open(x, y) { row[x] = 0 } else if x > 0 { row[x] = (row[x] + row[x - 1]) % 1_000_007 }
    }
  }
  return row[n - 1]
}

let n = runtimeSize
var total = 0
for k in 0..<rounds {
  var g = Grid<UInt8>(n, n) { x, y in (x &* y &+ k) % 7 == 3 ? 1 : 0 }
  total += fill(&g, n / 2, n / 2, 9)
  var image = Grid<Float>(n, n) { x, y in Float((x ^ y) & 31) }
  for _ in 0..<3 { image = blur(image) }
  total += Int(image[n / 3, n / 4])
  let weights = (0..<20).map { $0 * 7 % 13 + 1 }, values = (0..<20).map { $0 * 11 % 17 + k }
  total += knapsack(weights, values, n)
  total += paths(n) { ($0 * 3 + $1 * 5 + k) % 11 != 4 }
}
var puzzle = Puzzle()
for (k, d) in [5, 3, 0, 0, 7, 0, 0, 0, 0, 6, 0, 0, 1, 9, 5, 0, 0, 0, 0, 9, 8].enumerated() where d != 0 { puzzle.set(k / 9, k % 9, d, true) }
print(total, puzzle.solve(0), puzzle.tried)
