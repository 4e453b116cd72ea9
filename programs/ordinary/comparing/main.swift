// Comparisons of indices behind wrappers, and what is left of broken UTF-8.
let numbers = [5, 3, 8, 1, 9]
func tail<C: Collection>(_ c: C, _ n: Int) -> [C.Element] { Array(c[c.index(c.startIndex, offsetBy: n)...]) }
func ordered<C: Collection>(_ c: C) -> [Bool] {
  let i = c.startIndex, j = c.index(after: i)
  return [i < j, i <= j, i > j, i >= j, i == j, i <= i, i >= i]
}
print(tail(numbers.reversed(), 2), tail([[1, 2], [3]].joined(), 1), ordered(numbers.reversed()), ordered([[1], [2]].joined()), ordered("añb".reversed()))
var text = String.UnicodeScalarView()
text.append(contentsOf: Array("abc".unicodeScalars).reversed().prefix(2))
print(String(text), ordered(AnyCollection(numbers)), ordered(Set([1, 2])))
var state: UInt64 = 5
for _ in 0..<40 {
  var bytes: [UInt8] = []
  for _ in 0..<8 {
    state = state &* 6364136223846793005 &+ 1442695040888963407
    let r = UInt8(truncatingIfNeeded: state >> 40)
    bytes.append(state >> 60 < 5 ? [0xE0, 0xED, 0xF0, 0xF4, 0xE1, 0xF1][Int(r) % 6] : state >> 60 < 12 ? 0x80 | r & 0x3F : r)
  }
  var decoder = UTF8(), all = bytes.makeIterator(), line = ""
  loop: while true {
    switch decoder.decode(&all) {
    case .scalarValue(let u): line += String(u.value, radix: 16) + " "
    case .emptyInput: break loop
    case .error: line += "! "
    }
  }
  print(line, String(decoding: bytes, as: UTF8.self).unicodeScalars.count)
}
