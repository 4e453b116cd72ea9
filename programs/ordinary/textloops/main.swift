// Strings compared, hashed and read by Characters in loops: in the two words and in storage, with NUL, with what is no ASCII, of equal and other lengths.
@inline(never) func opaque<T>(_ x: T) -> T { x }

func texts() -> [String] {
  var list = ["", "a", "b", "ab", "a\0", "a\0b", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnp",
    "abcdefghijklmnop", "abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwxyz0123456789", "\r\n", "\r", "\n\r", "a\r\nb",
    "x\r\ny\r\nz and more than fifteen\r\n", "é", "e\u{301}", "ee\u{301}e", "naïve", "abcdefghijklmno\u{301}", "日本語", "👩‍👩‍👧", "abc👩‍👩‍👧def ghi jkl mno pqr", "\u{301}a"]
  for n in [6, 7, 8, 9, 14, 15, 16, 17, 23, 24, 25] {
    list.append(opaque(String(repeating: "q", count: n)))
    list.append(opaque(String(repeating: "q", count: n - 1)) + "r")
    list.append(opaque(String(repeating: "q", count: n - 1)) + "\0")
  }
  var roomy = opaque("")
  roomy.reserveCapacity(100)
  list.append(roomy)
  roomy += "abc"
  list.append(roomy)
  return list
}

func order(_ all: [String]) -> (Int, Int, Int) {
  var less = 0, equal = 0, mixed = 0
  for (i, x) in all.enumerated() {
    for (k, y) in all.enumerated() {
      if x < y { less += 1; mixed = mixed &* 31 &+ i &* 100 &+ k }
      if x == y { equal += 1 }
    }
  }
  return (less, equal, mixed)
}

func counts(_ all: [String]) -> Int {
  var found: [String: Int] = [:]
  for round in 0..<40 { for s in all { found[s, default: 0] += round } }
  var sum = found.count
  for s in all { sum = sum &* 7 &+ found[s]! }
  return sum
}

func characters(_ all: [String]) -> (Int, Int, Int) {
  var n = 0, special = 0, places = 0
  for s in all {
    for c in s {
      n += 1
      if c == "a" || c == "\r\n" || c == "é" { special += 1 }
    }
    var i = s.startIndex
    while i < s.endIndex {
      let c = s[i]
      if c > "b" { special += 100 }
      i = s.index(after: i)
      places = places &* 3 &+ s.utf8.distance(from: s.startIndex, to: i) &+ c.utf8.count
    }
    for u in s.unicodeScalars.indices where s[u] == "q" { places &+= 1 } // indices that may be inside a Character
    for u in s.utf8.indices { places = places &* 5 &+ s[u].utf8.count &+ s.utf8.distance(from: u, to: s.endIndex) }
  }
  return (n, special, places)
}

func kinds(_ all: [String]) -> Int {
  var found: [Character: Int] = [:]
  for s in all { for c in s { found[c, default: 0] += 1 } }
  return found.count &* 1000 &+ found["q"]! &+ found["\r\n"]!
}

let all = texts()
print(order(all), counts(all))
for _ in 0..<20 { _ = opaque(characters(all)) }
print(characters(all), kinds(all))
print(all.sorted().map { $0.utf8.count })
