// Matrices: multiplication, Gaussian elimination, a generic matrix over a ring.
struct Matrix<Element: Numeric> {
  let rows, columns: Int
  var storage: [Element]
  init(rows: Int, columns: Int, _ f: (Int, Int) -> Element) {
    self.rows = rows
    self.columns = columns
    storage = []
    storage.reserveCapacity(rows * columns)
    for r in 0..<rows { for c in 0..<columns { storage.append(f(r, c)) } }
  }
  subscript(r: Int, c: Int) -> Element {
    get { return storage[r * columns + c] }
    set { storage[r * columns + c] = newValue }
  }
  var transposed: Matrix { return Matrix(rows: columns, columns: rows) { self[$1, $0] } }
  static func * (a: Matrix, b: Matrix) -> Matrix {
    precondition(a.columns == b.rows)
    return Matrix(rows: a.rows, columns: b.columns) { r, c in
      var s: Element = 0
      for k in 0..<a.columns { s += a[r, k] * b[k, c] }
      return s
    }
  }
  static func identity(_ n: Int) -> Matrix { return Matrix(rows: n, columns: n) { $0 == $1 ? 1 : 0 } }
}
extension Matrix where Element == Double {
  mutating func determinant() -> Double {
    var d = 1.0
    for k in 0..<rows {
      var p = k
      for r in k..<rows where self[r, k].magnitude > self[p, k].magnitude { p = r }
      if self[p, k] == 0 { return 0 }
      if p != k {
        d = -d
        for c in 0..<columns { (self[p, c], self[k, c]) = (self[k, c], self[p, c]) }
      }
      d *= self[k, k]
      for r in (k + 1)..<max(rows, k + 1) {
        let f = self[r, k] / self[k, k]
        for c in k..<columns { self[r, c] -= f * self[k, c] }
      }
    }
    return d
  }
}
func power<T>(_ m: Matrix<T>, _ n: Int) -> Matrix<T> {
  var result = Matrix<T>.identity(m.rows)
  var base = m
  var n = n
  while n > 0 {
    if n & 1 == 1 { result = result * base }
    base = base * base
    n >>= 1
  }
  return result
}

let fib = power(Matrix<Int>(rows: 2, columns: 2) { r, c in r + c < 2 ? 1 : 0 }, 40)
print(fib[0, 1])
let a = Matrix<Int>(rows: 8, columns: 5) { $0 * 3 - $1 }
let b = a * a.transposed
print(b.storage.reduce(0, +))
print(b[7, 7])
var h = Matrix<Double>(rows: 4, columns: 4) { 1 / Double($0 + $1 + 1) }
print(Int(1 / h.determinant() + 0.5))
var singular = Matrix<Double>(rows: 3, columns: 3) { Double($0 * 3 + $1) }
print(singular.determinant().magnitude < 1e-9)
let small = Matrix<UInt8>(rows: 2, columns: 2) { UInt8($0 + $1) }
print((small * small)[1, 1])
