// Text: bytes searched with a rolling hash, numbers parsed and printed, characters counted, runs of letters packed, lines split.
let size = 40_000
var runtimeSize = size

enum Failure: Error { case digit(UInt8), empty }

@inline(never) func parse(_ s: Substring.UTF8View) throws -> Int {
  var value = 0
  var any = false
  for c in s {
    guard c >= 48 && c <= 57 else { throw Failure.digit(c) }
    value = value * 10 + Int(c - 48)
    any = true
  }
  if !any { throw Failure.empty }
  return value
}

@inline(never) func find(_ needle: [UInt8], _ text: [UInt8]) -> Int {
  let n = needle.count
  var want: UInt32 = 0
  var have: UInt32 = 0
  var power: UInt32 = 1
  for k in 0..<n {
    want = want &* 31 &+ UInt32(needle[k])
    have = have &* 31 &+ UInt32(text[k])
    if k > 0 { power = power &* 31 }
  }
  var found = 0
  for k in 0...(text.count - n) {
    if have == want && Array(text[k..<k + n]) == needle { found += 1 }
    if k + n < text.count { have = (have &- UInt32(text[k]) &* power) &* 31 &+ UInt32(text[k + n]) }
  }
  return found
}

@inline(never) func pack(_ text: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  var k = 0
  while k < text.count {
    var n = 1
    while k + n < text.count && text[k + n] == text[k] && n < 255 { n += 1 }
    out.append(UInt8(n))
    out.append(text[k])
    k += n
  }
  return out
}

@inline(never) func palindrome(_ s: [Character]) -> Bool {
  var i = 0, j = s.count - 1
  while i < j {
    if s[i] != s[j] { return false }
    i += 1
    j -= 1
  }
  return true
}

var text = ""
var k = 1
while text.utf8.count < runtimeSize {
  text += String(k)
  text += k % 5 == 0 ? "x\n" : "\n"
  k = k &* 13 % 100_003
}
var sum = 0
var wrong = 0
for line in text.split(separator: "\n") {
  do { sum += try parse(line.utf8) } catch { wrong += 1 }
}
let bytes = Array(text.utf8)
var frequency: [Character: Int] = [:]
for c in text.prefix(4_000) { frequency[c, default: 0] += 1 }
let palindromes = (0..<2_000).filter { palindrome(Array(String($0))) }.count
print(sum, wrong, find(Array("37".utf8), bytes), pack(bytes).count, frequency["7"]!, palindromes)
