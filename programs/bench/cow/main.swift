// Copy-on-write arrays: shared, copied when written, appended to, sorted in part.
let size = 1_000
let rounds = 240_000
var runtimeSize = size

struct Row {
  var cells: [Int]
  var edits = 0
  init(_ n: Int) { cells = [Int](repeating: 1, count: n) }
  mutating func set(_ i: Int, _ x: Int) {
    cells[i] = x
    edits += 1
  }
}

@inline(never) func edit(_ row: Row, _ k: Int) -> Row {
  var r = row
  var i = k % 7
  while i < r.cells.count {
    r.set(i, r.cells[i] &+ k)
    i += 5
  }
  return r
}

@inline(never) func sum(_ row: Row) -> Int {
  var total = 0
  for x in row.cells { total = total &+ x }
  return total
}

var rows = [Row](repeating: Row(runtimeSize), count: 8)
var total = 0
for k in 0..<rounds {
  let kept = rows[k % 8]
  rows[(k + 3) % 8] = edit(rows[k % 8], k)
  rows[k % 8].cells.append(k)
  rows[k % 8].cells.removeLast()
  if k % 16 == 0 { total = total &+ sum(kept) &+ sum(rows[(k + 3) % 8]) }
}
print(total)
