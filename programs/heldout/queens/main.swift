// Backtracking: all ways to put queens on a board, with three arrays of flags.
let size = 12
var runtimeSize = size

struct Board {
  var columns: [Bool]
  var rising: [Bool]
  var falling: [Bool]
  let n: Int
  init(_ n: Int) {
    self.n = n
    columns = [Bool](repeating: false, count: n)
    rising = [Bool](repeating: false, count: 2 * n)
    falling = [Bool](repeating: false, count: 2 * n)
  }
  mutating func place(_ row: Int) -> Int {
    if row == n { return 1 }
    var found = 0
    for c in 0..<n where !columns[c] && !rising[row + c] && !falling[row - c + n] {
      columns[c] = true
      rising[row + c] = true
      falling[row - c + n] = true
      found += place(row + 1)
      columns[c] = false
      rising[row + c] = false
      falling[row - c + n] = false
    }
    return found
  }
}

var board = Board(runtimeSize)
print(board.place(0))
