// Finding and capitalizing text that is not ASCII: what a mark follows is not found, and components are split between Characters.
import Foundation

func place(_ text: String, _ what: String, _ options: String.CompareOptions = []) -> String {
  text.range(of: what, options: options).map { "\($0.lowerBound.utf16Offset(in: text))-\($0.upperBound.utf16Offset(in: text))" } ?? "none"
}

let marks = ["\u{200D}", "\u{FE0F}", "\u{1F1E9}\u{1F1EA}", "\u{1F3FB}", "\u{E0067}", "\u{1F600}", "👨‍👩‍👧", "\u{301}", "\u{1E17}", "\u{304C}", "\u{3099}", "\u{20E3}", "\u{5B4}"]
for m in marks {
  for text in ["a" + m, "a" + m + "b", m + "a " + m + "a", "👨" + m + "👨"] {
    print(["a", "b", "👨"].map { place(text, $0) + " \(text.contains($0)) \(text.components(separatedBy: $0).count) \(text.replacingOccurrences(of: $0, with: "").unicodeScalars.count)" })
  }
}
for text in ["café CAFÉ", "İstanbul istanbul", "🇩🇪 Flag fLAG", "naïve NAÏVE naive", "日本 abc ABC", "x\u{FE0F}X x"] {
  print(["caf", "i", "flag", "naive", "abc", "x"].map { place(text, $0, .caseInsensitive) + " " + place(text, $0, [.caseInsensitive, .backwards]) + " " + place(text, $0, .literal) })
}

var seed: UInt64 = 42
func random(_ n: Int) -> Int {
  seed = seed &* 6364136223846793005 &+ 1442695040888963407
  return Int(seed >> 33) % n
}
func text(_ parts: [String], _ n: Int) -> String { (0..<n).map { _ in parts[random(parts.count)] }.joined() }
let parts = ["a", "b", "A", "\u{E9}", "\u{1F468}", "\u{200D}", "\u{FE0F}", "\u{1F1E9}", "\u{1F3FB}", "\u{65E5}", " ", "\r", "\n", "\u{1E17}", "\u{301}", "\u{20E3}"]
for _ in 0..<40 {
  let t = text(parts, 2 + random(8)), n = text(["a", "b", "A", "\u{1F468}", "\u{1F1E9}", "\r", "\n", "\u{FE0F}"], 1 + random(2))
  print(place(t, n), place(t, n, .caseInsensitive), place(t, n, .backwards), t.components(separatedBy: n).map(\.unicodeScalars.count))
}
for s in ["hello wORLD", "it's o'clock", "it’s", "école ÉCOLE ßtrasse", "a^b a`b c", "ǆabc Ǆ ǅx", "ﬁne", "жук ЖУК", "x-y_z.w", "a\u{301}b éa", "3rd 4TH", "日本go", "ŉa İx ıx", "αβγ ς"] { print(s.capitalized) }
