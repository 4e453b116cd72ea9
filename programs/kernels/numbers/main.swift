// Numbers: primes, greatest common divisors, elimination on doubles, a Fourier transform, sums of particles, big numbers in words.
let size = 400
var runtimeSize = size

@inline(never) func gcd(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

@inline(never) func primes(_ n: Int) -> [Int] {
  var out = [2]
  var k = 3
  while out.count < n {
    var prime = true
    for p in out {
      if p * p > k { break }
      if k % p == 0 {
        prime = false
        break
      }
    }
    if prime { out.append(k) }
    k += 2
  }
  return out
}

@inline(never) func solve(_ n: Int) -> Double {
  var a = (0..<n).map { i in (0..<n).map { j in 1 / Double(i + j + 1) + (i == j ? 1 : 0) } }
  var b = (0..<n).map { Double($0 % 7) }
  for i in 0..<n {
    for k in i + 1..<n {
      let f = a[k][i] / a[i][i]
      for j in i..<n { a[k][j] -= f * a[i][j] }
      b[k] -= f * b[i]
    }
  }
  var x = [Double](repeating: 0, count: n)
  for i in stride(from: n - 1, through: 0, by: -1) {
    var s = b[i]
    for j in i + 1..<max(n, i + 1) { s -= a[i][j] * x[j] }
    x[i] = s / a[i][i]
  }
  return x.reduce(0, +)
}

struct Vector {
  var x, y: Float
  static func - (a: Vector, b: Vector) -> Vector { return Vector(x: a.x - b.x, y: a.y - b.y) }
  static func += (a: inout Vector, b: Vector) { a = Vector(x: a.x + b.x, y: a.y + b.y) }
  static func * (a: Vector, f: Float) -> Vector { return Vector(x: a.x * f, y: a.y * f) }
  var square: Float { return x * x + y * y }
}

struct Particle {
  var place: Vector
  var speed: Vector
}

@inline(never) func move(_ particles: inout [Particle], _ steps: Int) {
  for _ in 0..<steps {
    for i in particles.indices {
      var force = Vector(x: 0, y: 0)
      for j in particles.indices where i != j {
        let d = particles[j].place - particles[i].place
        force += d * (1 / (d.square + 0.01))
      }
      particles[i].speed += force * 0.001
    }
    for i in particles.indices { particles[i].place += particles[i].speed * 0.1 }
  }
}

struct Big {
  var words: [UInt32]
  mutating func multiply(_ k: UInt32) {
    var carry: UInt64 = 0
    for i in words.indices {
      let t = UInt64(words[i]) * UInt64(k) + carry
      words[i] = UInt32(truncatingIfNeeded: t)
      carry = t >> 32
    }
    if carry != 0 { words.append(UInt32(carry)) }
  }
  mutating func add(_ b: Big) {
    var carry = false
    for i in words.indices {
      var (s, o) = words[i].addingReportingOverflow(i < b.words.count ? b.words[i] : 0)
      if carry {
        let (t, p) = s.addingReportingOverflow(1)
        s = t
        o = o || p
      }
      words[i] = s
      carry = o
    }
    if carry { words.append(1) }
  }
}

let n = runtimeSize
var common = 0
for a in 1..<n { for b in stride(from: 1, to: a, by: 7) where gcd(a, b) == 1 { common += 1 } }
var particles = (0..<24).map { Particle(place: Vector(x: Float($0 * 7 % 24), y: Float($0)), speed: Vector(x: 0, y: 0)) }
move(&particles, n / 4)
var big = Big(words: [1])
var sum = Big(words: [0])
for k in 1...UInt32(n) {
  big.multiply(k)
  sum.add(big)
}
print(common, primes(n * 5).last!, solve(n / 6) > 0, particles[3].place.x.isFinite, big.words.count, sum.words[0])
