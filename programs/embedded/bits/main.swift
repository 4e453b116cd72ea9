// Bit tricks: population count, reversal, rotation, a CRC and a random generator.
struct Xorshift {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

func crc32(_ bytes: [UInt8]) -> UInt32 {
  var table = [UInt32](repeating: 0, count: 256)
  for i in 0..<256 {
    var c = UInt32(i)
    for _ in 0..<8 {
      c = c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1
    }
    table[i] = c
  }
  var crc = ~UInt32(0)
  for b in bytes {
    crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ b)] ^ (crc >> 8)
  }
  return ~crc
}

func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 {
  return x << n | x >> (32 - n)
}

func bitReverse(_ x: UInt16) -> UInt16 {
  var v = x
  var r: UInt16 = 0
  for _ in 0..<16 {
    r = r << 1 | v & 1
    v >>= 1
  }
  return r
}

var rng = Xorshift(state: 88172645463325252)
var ones = 0
for _ in 0..<100 {
  let v = rng.next()
  ones += v.nonzeroBitCount
}
print(ones)
print(rng.state)
print(rng.state.leadingZeroBitCount)
print(rng.state.trailingZeroBitCount)
print(rng.state.byteSwapped)
print(crc32([49, 50, 51, 52, 53, 54, 55, 56, 57]))
print(rotate(0x8000_0001, 4))
print(bitReverse(0x1234))
var shift = 70
print(1 << shift == 0)
print(-1 >> shift)
print(UInt8(1) << (shift - 63))
print((0xFF00FF00 as UInt32).byteSwapped.bigEndian == 0xFF00FF00)
