// Flat tables of numbers: shortest ways between all, polynomials multiplied, sums of rectangles, a filter over samples, histograms,
// counting sort, a Fourier transform over pairs, binomials, statistics of columns.
let size = 96
let rounds = 24
var runtimeSize = size

@inline(never) func shortest(_ n: Int, _ d: inout [Int32]) {
  for k in 0..<n {
    for i in 0..<n {
      let through = d[i * n + k]
      for j in 0..<n where through + d[k * n + j] < d[i * n + j] { d[i * n + j] = through + d[k * n + j] }
    }
  }
}

@inline(never) func product<T: Numeric>(_ a: [T], _ b: [T]) -> [T] {
  var out = [T](repeating: 0, count: a.count + b.count - 1)
  for i in a.indices { for j in b.indices { out[i + j] += a[i] * b[j] } }
  return out
}

struct Sums {
  let width: Int
  private var table: [Int]
  init(_ width: Int, _ height: Int, _ f: (Int, Int) -> Int) {
    self.width = width + 1
    table = [Int](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = 0
      for x in 0..<width {
        row += f(x, y)
        table[(y + 1) * self.width + x + 1] = table[y * self.width + x + 1] + row
      }
    }
  }
  func sum(_ x: Range<Int>, _ y: Range<Int>) -> Int {
    return table[y.upperBound * width + x.upperBound] - table[y.lowerBound * width + x.upperBound]
      - table[y.upperBound * width + x.lowerBound] + table[y.lowerBound * width + x.lowerBound]
  }
}

@inline(never) func filtered(_ samples: [Double], _ taps: [Double]) -> [Double] {
  var out: [Double] = []
  for i in 0...samples.count - taps.count {
    var v = 0.0
    for k in 0..<taps.count { v += samples[i + k] * taps[k] }
    out.append(v)
  }
  return out
}

@inline(never) func transform(_ a: inout [(Double, Double)]) {
  let n = a.count
  var j = 0
  for i in 1..<n {
    var bit = n >> 1
    while j & bit != 0 {
      j ^= bit
      bit >>= 1
    }
    j |= bit
    if i < j { a.swapAt(i, j) }
  }
  var half = 1
  while half < n {
    let c = half == 1 ? -1.0 : half == 2 ? 0.0 : 0.7, s = half == 1 ? 0.0 : half == 2 ? 1.0 : 0.7
    for start in stride(from: 0, to: n, by: 2 * half) {
      var w = (1.0, 0.0)
      for k in start..<start + half {
        let (x, y) = a[k], (u, v) = a[k + half]
        let t = (u * w.0 - v * w.1, u * w.1 + v * w.0)
        a[k] = (x + t.0, y + t.1)
        a[k + half] = (x - t.0, y - t.1)
        w = (w.0 * c - w.1 * s, w.0 * s + w.1 * c)
      }
    }
    half *= 2
  }
}

@inline(never) func sorted(_ keys: [UInt16]) -> [UInt16] {
  var counts = [Int](repeating: 0, count: 257)
  for k in keys { counts[Int(k & 255) + 1] += 1 }
  for k in 0..<256 { counts[k + 1] += counts[k] }
  var out = [UInt16](repeating: 0, count: keys.count)
  for k in keys {
    out[counts[Int(k & 255)]] = k
    counts[Int(k & 255)] += 1
  }
  return out
}

@inline(never) func binomials(_ n: Int) -> [UInt64] {
  var row: [UInt64] = [1]
  for _ in 0..<n {
    row.append(1)
    for k in stride(from: row.count - 2, to: 0, by: -1) { row[k] = (row[k] + row[k - 1]) % 1_000_003 }
  }
  return row
}

@inline(never) func spread(_ table: [Float], _ columns: Int) -> Float {
  var out: Float = 0
  for c in 0..<columns {
    var sum: Float = 0, squares: Float = 0
    let rows = table.count / columns
    for r in 0..<rows {
      let v = table[r * columns + c]
      sum += v
      squares += v * v
    }
    let mean = sum / Float(rows)
    out += squares / Float(rows) - mean * mean
  }
  return out
}

let n = runtimeSize
var total = 0
for k in 0..<rounds {
  var d = (0..<n * n / 4).map { Int32(truncatingIfNeeded: ($0 &* 7919 &+ k) % 97 + 1) }
  shortest(n / 2, &d)
  total += d.reduce(0) { $0 + Int($1) }
  total += product((0..<n).map { $0 % 7 - k }, (0..<n).map { $0 % 5 }).max()!
  total += Int(product((0..<n).map { Double($0 % 3) }, [0.5, 0.25, Double(k)])[n / 2])
  let sums = Sums(n, n) { ($0 ^ $1) % 10 }
  for i in 1..<n / 4 { total += sums.sum(i..<i * 2, i / 2..<i * 3) }
  total += Int(filtered((0..<n * 8).map { Double($0 % 13) }, [0.1, 0.2, 0.4, 0.2, 0.1])[n])
  var a = (0..<256).map { (Double($0 % (k + 2)), 0.0) }
  transform(&a)
  total += Int(a[0].0)
  let keys = sorted((0..<n * 16).map { UInt16(truncatingIfNeeded: $0 &* 40503) })
  total += Int(keys[n]) + Int(binomials(n)[n / 3])
  total += Int(spread((0..<n * 32).map { Float($0 % 11) }, 8))
}
print(total)
