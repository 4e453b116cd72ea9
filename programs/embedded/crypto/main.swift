// Checksums and ciphers: RC4, SHA-256, Adler, FNV.
struct RC4 {
  var s = [UInt8](0...255)
  var i: UInt8 = 0
  var j: UInt8 = 0
  init(key: [UInt8]) {
    var k: UInt8 = 0
    for n in 0..<256 {
      k = k &+ s[n] &+ key[n % key.count]
      s.swapAt(n, Int(k))
    }
  }
  mutating func next() -> UInt8 {
    i &+= 1
    j &+= s[Int(i)]
    s.swapAt(Int(i), Int(j))
    return s[Int(s[Int(i)] &+ s[Int(j)])]
  }
}

struct SHA256 {
  static let k: [UInt32] = {
    var primes: [UInt32] = []
    var n: UInt32 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ n % $0 != 0 }) { primes.append(n) }
      n += 1
    }
    return primes.map { fraction(cubeRoot(Double($0))) }
  }()
  static func cubeRoot(_ x: Double) -> Double {
    var g = x / 3 + 1
    for _ in 0..<60 { g = (2 * g + x / (g * g)) / 3 }
    return g
  }
  static func fraction(_ d: Double) -> UInt32 {
    let f = d - d.rounded(.down)
    return UInt32(f * 4294967296)
  }
  static func rotr(_ x: UInt32, _ n: UInt32) -> UInt32 { return x >> n | x << (32 - n) }
  static func hash(_ message: [UInt8]) -> [UInt32] {
    var h = [2, 3, 5, 7, 11, 13, 17, 19].map { fraction(Double($0).squareRoot()) }
    var m = message
    m.append(0x80)
    while m.count % 64 != 56 { m.append(0) }
    let bits = UInt64(message.count * 8)
    for i in 0..<8 { m.append(UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * i))) }
    var w = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: m.count, by: 64) {
      for t in 0..<16 {
        w[t] = 0
        for b in 0..<4 { w[t] = w[t] << 8 | UInt32(m[block + t * 4 + b]) }
      }
      for t in 16..<64 {
        let a = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3
        let b = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10
        w[t] = w[t - 16] &+ a &+ w[t - 7] &+ b
      }
      var v = h
      for t in 0..<64 {
        let s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)
        let ch = (v[4] & v[5]) ^ (~v[4] & v[6])
        let t1 = v[7] &+ s1 &+ ch &+ k[t] &+ w[t]
        let s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)
        let maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
        for i in (1..<8).reversed() { v[i] = v[i - 1] }
        v[0] = t1 &+ s0 &+ maj
        v[4] = v[4] &+ t1
      }
      for i in 0..<8 { h[i] = h[i] &+ v[i] }
    }
    return h
  }
}

func adler(_ b: [UInt8]) -> UInt32 {
  var x: UInt32 = 1
  var y: UInt32 = 0
  for c in b {
    x = (x + UInt32(c)) % 65521
    y = (y + x) % 65521
  }
  return y << 16 | x
}
func fnv(_ b: [UInt8]) -> UInt64 { return b.reduce(0xcbf29ce484222325) { ($0 ^ UInt64($1)) &* 0x100000001b3 } }

let text: [UInt8] = ("The quick brown fox jumps over the lazy dog" as StaticString).withUTF8Buffer { Array($0) }
var rc4 = RC4(key: [75, 101, 121])
for _ in 0..<4 { print(rc4.next()) }
var total = 0
for _ in 0..<5000 { total += Int(rc4.next()) }
print(total)
for x in SHA256.hash([97, 98, 99]) { print(x) }
print(SHA256.hash(text)[0])
print(SHA256.hash([UInt8](repeating: 97, count: 200))[7])
print(adler(text))
print(fnv(text))
