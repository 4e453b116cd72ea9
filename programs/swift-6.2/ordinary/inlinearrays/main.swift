// InlineArray: value generics, elements of several kinds, copies and deinits.
final class Tracked { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("deinit", n) } }
struct Unique: ~Copyable { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("unique deinit", n) } }
struct Matrix<let rows: Int, let columns: Int> {
  var storage: [Double]
  init() { storage = Array(repeating: 0, count: rows * columns) }
  subscript(r: Int, c: Int) -> Double {
    get { storage[r * columns + c] }
    set { storage[r * columns + c] = newValue }
  }
  static var shape: String { "\(rows)x\(columns)" }
}
func sum<let n: Int>(_ a: InlineArray<n, Int>) -> Int {
  var s = 0
  for i in a.indices { s += a[i] }
  return s
}
func describe<let n: Int, T>(_ a: InlineArray<n, T>) -> String {
  var s = "\(n):"
  for i in 0..<a.count { s += " \(a[i])" }
  return s
}
@inline(never) func replace() {
  var t: InlineArray<1, Tracked> = [Tracked(1)]
  t[0] = Tracked(3)
  let u = t
  t[0] = u[0]
  print(u[0].n, t[0].n, u[0] === t[0])
}
@inline(never) func optional() {
  let o: InlineArray<2, Tracked?> = [nil, Tracked(5)]
  print(o[0] == nil, o[1]!.n)
}
func run() {
  let a: InlineArray<4, Int> = [1, 2, 3, 4]
  print(sum(a), a.count, a[2])
  var b: [3 of String] = ["x", "y", "z"]
  b[1] = "a longer string that is on the heap"
  print(describe(b))
  let c = b
  b[0] = "changed"
  print(c[0], b[0])
  let squares = InlineArray<5, Int> { $0 * $0 }
  print(describe(squares))
  replace()
  var m = Matrix<2, 3>()
  m[1, 2] = 7.5
  print(m[1, 2], Matrix<4, 4>.shape, m.storage.count)
  print(MemoryLayout<InlineArray<3, UInt8>>.size, MemoryLayout<InlineArray<3, UInt16>>.stride, MemoryLayout<InlineArray<0, Int>>.size,
    MemoryLayout<InlineArray<2, String>>.size, MemoryLayout<InlineArray<3, (Int, Bool)>>.size, MemoryLayout<InlineArray<2, String>?>.size,
    MemoryLayout<InlineArray<2, UInt8>?>.size, MemoryLayout<InlineArray<2, Bool>?>.size)
  let nested: InlineArray<2, InlineArray<2, Int>> = [[1, 2], [3, 4]]
  print(nested[1][0], sum(nested[0]))
  do {
    let v: InlineArray<2, Unique> = [Unique(10), Unique(11)]
    print(v[0].n + v[1].n)
  }
  var w = InlineArray<3, Int>(repeating: 9)
  w.swapAt(0, 2)
  w[0] += 1
  print(describe(w))
  optional()
}
run()
print("end")
