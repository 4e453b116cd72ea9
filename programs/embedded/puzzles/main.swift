// Classic small computations: queens, sieve, hanoi, collatz, mandelbrot, life.
func queens(_ n: Int, _ row: Int, _ columns: UInt, _ left: UInt, _ right: UInt) -> Int {
  if row == n { return 1 }
  var free = ((1 << UInt(n)) - 1) & ~(columns | left | right)
  var found = 0
  while free != 0 {
    let bit = free & (~free &+ 1)
    free ^= bit
    found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
  }
  return found
}

func sieve(_ n: Int) -> [Int] {
  var composite = [Bool](repeating: false, count: n + 1)
  var primes: [Int] = []
  for i in 2...n where !composite[i] {
    primes.append(i)
    for j in stride(from: i * i, through: n, by: i) { composite[j] = true }
  }
  return primes
}

func hanoi(_ n: Int, _ a: Int, _ b: Int, _ c: Int, _ move: (Int, Int) -> Void) {
  if n == 0 { return }
  hanoi(n - 1, a, c, b, move)
  move(a, c)
  hanoi(n - 1, b, a, c, move)
}

func collatz(_ start: Int) -> Int {
  var n = start
  var steps = 0
  while n != 1 {
    n = n & 1 == 0 ? n / 2 : 3 * n + 1
    steps += 1
  }
  return steps
}

struct Complex {
  var re, im: Double
  static func * (a: Complex, b: Complex) -> Complex {
    return Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }
  static func + (a: Complex, b: Complex) -> Complex { return Complex(re: a.re + b.re, im: a.im + b.im) }
  var norm: Double { return re * re + im * im }
}
func mandelbrot(_ width: Int, _ height: Int) {
  for y in 0..<height {
    for x in 0..<width {
      let c = Complex(re: Double(x) * 3 / Double(width) - 2.1, im: Double(y) * 2.4 / Double(height) - 1.2)
      var z = c
      var n = 0
      while n < 50 && z.norm < 4 {
        z = z * z + c
        n += 1
      }
      print(n == 50 ? "#" : n > 5 ? "+" : ".", terminator: "")
    }
    print("")
  }
}

func life(_ cells: Set<Int>, width: Int) -> Set<Int> {
  var neighbours: [Int: Int] = [:]
  for c in cells {
    for d in [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1] { neighbours[c + d, default: 0] += 1 }
  }
  var next = Set<Int>()
  for (c, n) in neighbours where n == 3 || n == 2 && cells.contains(c) { next.insert(c) }
  return next
}

print(queens(8, 0, 0, 0, 0))
let primes = sieve(1000)
print(primes.count)
print(primes.last!)
var moves = 0
var hash = 0
hanoi(8, 1, 2, 3) { from, to in moves += 1; hash = (hash * 7 + from * 3 + to) % 10_007 }
print(moves)
print(hash)
print((1...300).map(collatz).max()!)
mandelbrot(40, 16)
var glider: Set<Int> = [1001, 1102, 1200, 1201, 1202]
for _ in 0..<20 { glider = life(glider, width: 100) }
print(glider.sorted()[0])
print(glider.count)
