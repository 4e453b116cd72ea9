// Generic matrices in one flat array, multiplied, transposed and summed, of integers and of doubles.
let size = 60
let rounds = 40
var runtimeSize = size

struct Matrix<T: Numeric> {
  let rows: Int
  let columns: Int
  var cells: [T]
  init(_ rows: Int, _ columns: Int, _ f: (Int, Int) -> T) {
    self.rows = rows
    self.columns = columns
    cells = []
    cells.reserveCapacity(rows * columns)
    for r in 0..<rows { for c in 0..<columns { cells.append(f(r, c)) } }
  }
  subscript(r: Int, c: Int) -> T {
    get { return cells[r * columns + c] }
    set { cells[r * columns + c] = newValue }
  }
  @inline(never) func times(_ m: Matrix<T>) -> Matrix<T> {
    var out = Matrix(rows, m.columns) { _, _ in 0 }
    for i in 0..<rows {
      for j in 0..<m.columns {
        var sum: T = 0
        for k in 0..<columns { sum += self[i, k] * m[k, j] }
        out[i, j] = sum
      }
    }
    return out
  }
  @inline(never) func transposed() -> Matrix<T> { return Matrix(columns, rows) { self[$1, $0] } }
  @inline(never) func trace() -> T {
    var sum: T = 0
    for i in 0..<min(rows, columns) { sum += self[i, i] }
    return sum
  }
}

let n = runtimeSize
var whole = 0
var real = 0.0
for k in 0..<rounds {
  let a = Matrix(n, n) { ($0 * 7 + $1 * 3 + k) % 10 }
  whole += a.times(a.transposed()).trace()
  let b = Matrix(n, n) { Double(($0 + $1 * 5 + k) % 8) * 0.5 }
  real += b.times(b.transposed()).trace()
}
print(whole, real)
