// Dynamic programming over bytes: edit distance of generated words, two rows of a table.
let size = 90
let rounds = 700
var runtimeSize = size

struct Random {
  var state: UInt32
  mutating func next() -> UInt32 {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return state
  }
}

@inline(never) func word(_ n: Int, _ r: inout Random) -> [UInt8] {
  return (0..<n).map { _ in UInt8(97 + r.next() % 6) }
}

@inline(never) func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before = Array(0...b.count)
  var row = before
  for (i, x) in a.enumerated() {
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      row[j + 1] = x == y ? before[j] : 1 + min(before[j], min(before[j + 1], row[j]))
    }
    swap(&before, &row)
  }
  return before[b.count]
}

var r = Random(state: 2463534242)
var total = 0
for _ in 0..<rounds {
  total += distance(word(runtimeSize, &r), word(runtimeSize + 7, &r))
}
print(total)
