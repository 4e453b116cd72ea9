// Bytes of static strings: integer parsing, Roman numerals, run lengths, edit distance, Luhn.
func bytes(_ s: StaticString) -> [UInt8] { return s.withUTF8Buffer { Array($0) } }

func parseInt(_ s: StaticString, radix: Int = 10) -> Int? {
  var n = 0
  var negative = false
  var digits = 0
  for (i, b) in bytes(s).enumerated() {
    if i == 0 && b == UInt8(ascii: "-") { negative = true; continue }
    let d: Int
    switch b {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): d = Int(b - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): d = Int(b - UInt8(ascii: "a")) + 10
    default: return nil
    }
    if d >= radix { return nil }
    let (m, o1) = n.multipliedReportingOverflow(by: radix)
    let (k, o2) = m.addingReportingOverflow(d)
    if o1 || o2 { return nil }
    n = k
    digits += 1
  }
  return digits == 0 ? nil : negative ? -n : n
}

func write(_ b: [UInt8]) {
  for x in b { print(StaticString.letters[Int(x) - 32], terminator: "") }
  print("")
}
extension StaticString {
  static let letters: [StaticString] = [
    " ", "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/", "0", "1", "2", "3", "4", "5", "6",
    "7", "8", "9", ":", ";", "<", "=", ">", "?", "@", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
    "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
  ]
}

func roman(_ n: Int) -> [UInt8] {
  let table: [(Int, StaticString)] = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
  ]
  var out: [UInt8] = []
  var n = n
  for (v, s) in table { while n >= v { out += bytes(s); n -= v } }
  return out
}

func runLengths(_ b: [UInt8]) -> [(UInt8, Int)] {
  var out: [(UInt8, Int)] = []
  for x in b {
    if let last = out.last, last.0 == x { out[out.count - 1].1 += 1 } else { out.append((x, 1)) }
  }
  return out
}

func distance(_ a: StaticString, _ b: StaticString) -> Int {
  let x = bytes(a)
  let y = bytes(b)
  var row = Array(0...y.count)
  for i in 1...x.count {
    var previous = row[0]
    row[0] = i
    for j in 1...y.count {
      let t = row[j]
      row[j] = x[i - 1] == y[j - 1] ? previous : 1 + min(previous, row[j], row[j - 1])
      previous = t
    }
  }
  return row[y.count]
}

func luhn(_ s: StaticString) -> Bool {
  var sum = 0
  for (i, b) in bytes(s).reversed().enumerated() {
    let d = Int(b) - 48
    sum += i % 2 == 0 ? d : d > 4 ? d * 2 - 9 : d * 2
  }
  return sum % 10 == 0
}

print(parseInt("12345")!)
print(parseInt("-ff", radix: 16)!)
print(parseInt("9223372036854775807")! == Int.max)
print(parseInt("9223372036854775808") == nil)
print(parseInt("12", radix: 2) == nil)
print(parseInt("-") ?? 0)
for n in [1, 4, 1994, 2024] { write(roman(n)) }
for (b, n) in runLengths(bytes("AAABCCDDDD")) {
  print(n, terminator: "")
  write([b])
}
print(distance("kitten", "sitting"))
print(distance("flaw", "lawn"))
print(luhn("4539578763621486"))
print(luhn("4539578763621487"))
print(("héllo €" as StaticString).utf8CodeUnitCount)
