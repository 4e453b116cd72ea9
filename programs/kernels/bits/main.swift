// Bits: a table of open addressing, random numbers, shuffles, population counts, codes of variable length, checks of 16 bits.
let size = 30_000
var runtimeSize = size

struct Generator: RandomNumberGenerator {
  var a: UInt64
  var b: UInt64
  mutating func next() -> UInt64 {
    var s = a
    let t = b
    a = t
    s ^= s << 23
    s ^= s >> 18 ^ t ^ t >> 5
    b = s
    return s &+ t
  }
}

struct Table {
  var keys: [UInt64]
  var values: [Int]
  var used: [Bool]
  var count = 0
  init(_ bits: Int) {
    keys = [UInt64](repeating: 0, count: 1 << bits)
    values = [Int](repeating: 0, count: 1 << bits)
    used = [Bool](repeating: false, count: 1 << bits)
  }
  static func hash(_ k: UInt64) -> Int { return Int(truncatingIfNeeded: (k &* 0x9e3779b97f4a7c15) >> 33) }
  subscript(key: UInt64) -> Int {
    get {
      var k = Table.hash(key) & (keys.count - 1)
      while used[k] {
        if keys[k] == key { return values[k] }
        k = (k + 1) & (keys.count - 1)
      }
      return -1
    }
    set {
      var k = Table.hash(key) & (keys.count - 1)
      while used[k] && keys[k] != key { k = (k + 1) & (keys.count - 1) }
      if !used[k] { count += 1 }
      used[k] = true
      keys[k] = key
      values[k] = newValue
    }
  }
}

struct Writer {
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var filled: UInt32 = 0
  mutating func write(_ value: UInt32, _ width: UInt32) {
    bits |= value << filled
    filled += width
    while filled >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      filled -= 8
    }
  }
}

@inline(never) func decode(_ bytes: [UInt8]) -> Int {
  var total = 0
  var value: UInt32 = 0
  var shift: UInt32 = 0
  for b in bytes {
    value |= UInt32(b & 0x7f) << shift
    if b & 0x80 == 0 {
      total = total &+ Int(value)
      value = 0
      shift = 0
    } else {
      shift = (shift + 7) % 28
    }
  }
  return total
}

@inline(never) func check(_ bytes: [UInt8]) -> UInt16 {
  var a: UInt16 = 0xffff
  for b in bytes {
    a ^= UInt16(b) << 8
    for _ in 0..<8 { a = a & 0x8000 != 0 ? a << 1 ^ 0x1021 : a << 1 }
  }
  return a
}

@inline(never) func mix(_ block: UnsafeMutableBufferPointer<UInt32>) {
  for round in 0..<8 {
    for k in stride(from: 0, to: block.count, by: 4) {
      var (a, b, c, d) = (block[k], block[k + 1], block[k + 2], block[k + 3])
      a = a &+ b
      d = (d ^ a) << 16 | (d ^ a) >> 16
      c = c &+ d
      b = (b ^ c) << 12 | (b ^ c) >> 20
      block[k] = a
      block[k + 1] = b
      block[k + 2] = c &+ UInt32(round)
      block[k + 3] = d
    }
  }
}

let n = runtimeSize
var g = Generator(a: 1, b: 2)
var table = Table(14)
for k in 0..<n { table[g.next() % 9001] = k }
var found = 0
for k in 0..<UInt64(n) where table[k] >= 0 { found += 1 }
var order = Array(0..<n / 2)
for k in stride(from: order.count - 1, to: 0, by: -1) { order.swapAt(k, Int(g.next() % UInt64(k + 1))) }
var ones = 0
for _ in 0..<n { ones += g.next().nonzeroBitCount }
var w = Writer()
for k in 0..<UInt32(n) { w.write(k & 0x1f, 5) }
var block = (0..<64).map { UInt32($0) &* 0x9e3779b9 }
for _ in 0..<n / 600 { block.withUnsafeMutableBufferPointer { mix($0) } }
print(table.count, found, order[3] & 1, ones > n * 20, w.bytes.count, decode(w.bytes), check(w.bytes), block[5])
