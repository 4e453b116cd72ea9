// Words of a text that is made up, counted in a dictionary of strings, sorted by count.
let size = 120_000
var runtimeSize = size

let syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "so", "tu"]

@inline(never) func text(_ n: Int) -> String {
  var out = ""
  var state = 12345
  for _ in 0..<n {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    for k in 0...(state >> 8) % 3 { out += syllables[(state >> (10 + 3 * k)) & 7] }
    out += state % 11 == 0 ? ".\n" : " "
  }
  return out
}

@inline(never) func count(_ text: String) -> [String: Int] {
  var counts: [String: Int] = [:]
  var word = ""
  for c in text.utf8 {
    if c >= 97 && c <= 122 {
      word.unicodeScalars.append(Unicode.Scalar(c))
    } else if !word.isEmpty {
      counts[word, default: 0] += 1
      word = ""
    }
  }
  return counts
}

let counts = count(text(runtimeSize))
let sorted = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
for (word, n) in sorted.prefix(5) { print(word, n) }
print(counts.count, counts.values.reduce(0, +))
