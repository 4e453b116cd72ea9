// Bits and unsigned arithmetic: a 256-bit digest of blocks of bytes, and a checksum by table.
let size = 1_500_000
var runtimeSize = size

struct Digest {
  var h: (UInt32, UInt32, UInt32, UInt32) = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  static func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { return x << n | x >> (32 - n) }
  mutating func add(_ words: UnsafeBufferPointer<UInt32>) {
    var (a, b, c, d) = h
    for k in 0..<words.count {
      let f = k % 2 == 0 ? (b & c) | (~b & d) : b ^ c ^ d
      let t = d
      d = c
      c = b
      b = b &+ Digest.rotate(a &+ f &+ words[k] &+ UInt32(truncatingIfNeeded: k &* 0x5bd1e995), UInt32(5 + k & 7))
      a = t
    }
    h = (h.0 &+ a, h.1 &+ b, h.2 &+ c, h.3 &+ d)
  }
}

@inline(never) func makeTable() -> [UInt32] {
  return (0..<256).map { n in
    var c = UInt32(n)
    for _ in 0..<8 { c = c & 1 != 0 ? 0xedb88320 ^ (c >> 1) : c >> 1 }
    return c
  }
}

@inline(never) func checksum(_ bytes: [UInt8], _ table: [UInt32]) -> UInt32 {
  var c: UInt32 = 0xffffffff
  for b in bytes { c = table[Int((c ^ UInt32(b)) & 255)] ^ (c >> 8) }
  return ~c
}

let bytes = (0..<runtimeSize).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ $0 >> 3) }
let words = (0..<64).map { UInt32(truncatingIfNeeded: $0 &* 0x9e3779b9) }
var digest = Digest()
for _ in 0..<runtimeSize / 64 { words.withUnsafeBufferPointer { digest.add($0) } }
print(checksum(bytes, makeTable()), digest.h.0, digest.h.3)
