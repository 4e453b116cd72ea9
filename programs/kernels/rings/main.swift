// Bytes and small indices that wrap: a ring buffer, a stream cipher, runs packed and unpacked, a sliding window, base 64, check digits,
// a queue through a maze, a roulette of survivors, a move-to-front code.
let size = 3_000
let rounds = 60
var runtimeSize = size

struct Ring<Element> {
  private var slots: [Element?]
  private var head = 0
  private(set) var count = 0
  init(_ capacity: Int) { slots = [Element?](repeating: nil, count: capacity) }
  mutating func push(_ e: Element) -> Bool {
    if count == slots.count { return false }
    slots[(head + count) % slots.count] = e
    count += 1
    return true
  }
  mutating func pop() -> Element? {
    if count == 0 { return nil }
    defer {
      slots[head] = nil
      head = (head + 1) % slots.count
      count -= 1
    }
    return slots[head]
  }
}

@inline(never) func cipher(_ text: [UInt8], _ key: [UInt8]) -> [UInt8] {
  var s = [UInt8](0...255)
  var j = 0
  for i in 0..<256 {
    j = (j + Int(s[i]) + Int(key[i % key.count])) % 256
    s.swapAt(i, j)
  }
  var out = text
  var i = 0
  j = 0
  for k in text.indices {
    i = (i + 1) & 255
    j = (j + Int(s[i])) & 255
    s.swapAt(i, j)
    out[k] ^= s[Int(s[i] &+ s[j])]
  }
  return out
}

@inline(never) func packed(_ bytes: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  var i = 0
  while i < bytes.count {
    var n = 1
    while i + n < bytes.count && bytes[i + n] == bytes[i] && n < 255 { n += 1 }
    out.append(UInt8(n))
    out.append(bytes[i])
    i += n
  }
  return out
}

@inline(never) func unpacked(_ runs: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  for k in stride(from: 0, to: runs.count, by: 2) { for _ in 0..<runs[k] { out.append(runs[k + 1]) } }
  return out
}

@inline(never) func highest(_ values: [Int], _ width: Int) -> Int {
  var sum = 0, best = Int.min
  for (k, v) in values.enumerated() {
    sum += v
    if k >= width { sum -= values[k - width] }
    if k >= width - 1 && sum > best { best = sum }
  }
  return best
}

let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

@inline(never) func base64(_ bytes: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  out.reserveCapacity((bytes.count + 2) / 3 * 4)
  var bits: UInt32 = 0, have = 0
  for b in bytes {
    bits = bits << 8 | UInt32(b)
    have += 8
    while have >= 6 {
      have -= 6
      out.append(letters[Int(bits >> UInt32(have) & 63)])
    }
  }
  return out
}

@inline(never) func digit(_ number: [UInt8]) -> Int {
  var sum = 0
  for (k, d) in number.reversed().enumerated() {
    let v = Int(d) * (k % 2 == 0 ? 2 : 1)
    sum += v > 9 ? v - 9 : v
  }
  return (10 - sum % 10) % 10
}

@inline(never) func survivor(_ n: Int, _ step: Int) -> Int {
  var next = (0..<n).map { ($0 + 1) % n }
  var at = n - 1
  for _ in 1..<n {
    for _ in 1..<step { at = next[at] }
    next[at] = next[next[at]]
  }
  return at
}

@inline(never) func front(_ bytes: [UInt8]) -> Int {
  var order = [UInt8](0..<64)
  var sum = 0
  for b in bytes {
    let v = b & 63
    var k = 0
    while order[k] != v { k += 1 }
    sum += k
    while k > 0 {
      order[k] = order[k - 1]
      k -= 1
    }
    order[0] = v
  }
  return sum
}

@inline(never) func maze(_ n: Int, _ k: Int) -> Int {
  var seen = [Bool](repeating: false, count: n * n)
  var queue = Ring<(Int, Int, Int)>(4 * n)
  _ = queue.push((0, 0, 0))
  var far = 0
  while let (x, y, d) = queue.pop() {
    let at = y * n + x
    if seen[at] || (x * 7 + y * 3 + k) % 5 == 1 { continue }
    seen[at] = true
    far = max(far, d)
    for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
      let u = x + dx, v = y + dy
      if u >= 0 && u < n && v >= 0 && v < n && !seen[v * n + u] { _ = queue.push((u, v, d + 1)) }
    }
  }
  return far
}

let n = runtimeSize
var total = 0
for k in 0..<rounds {
  let text = (0..<n).map { UInt8(truncatingIfNeeded: $0 / (k + 3)) }
  let secret = cipher(text, [UInt8(k), 17, 99])
  let runs = packed(text)
  total += runs.count + (unpacked(runs) == text ? 1 : 0) + base64(secret).count
  total += highest(secret.map { Int($0) - 128 }, 31)
  total += digit(secret.map { $0 % 10 }) + survivor(n / 10, 7) + front(Array(secret[0..<n / 4])) + maze(24, k)
}
print(total)
