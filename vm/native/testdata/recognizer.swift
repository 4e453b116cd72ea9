func walk(_ s: String) -> (String, Unicode._CharacterRecognizer) {
  var c = Unicode._CharacterRecognizer()
  var r = ""
  for u in s.unicodeScalars { r += c.hasBreak(before: u) ? "|" : "." }
  return (r, c)
}
for s in ["abc", "e\u{301}a\r\n\nb", "🇩🇪🇫🇷🇺", "👨‍👩‍👧‍👦x👩🏽‍🚀", "한글\u{1112}\u{1161}\u{11ab}", "क्षत्रिय", "क्\u{200D}ष", "\u{600}a", "👩\u{300}\u{200D}👩", "👩a\u{200D}👩", "क\u{300}\u{94d}\u{301}त", "\r\u{301}", "🇩\u{301}🇪🇫", "ำก"] {
  let (r, c) = walk(s)
  print(r, "\(c)".isEmpty ? "" : "", s.count)
}
for t in ["🇩🇪🇫🇷🇺", "👨‍👩‍👧‍👦x👩🏽‍🚀", "क्षत्रिय", "क्\u{200D}ष", "👩\u{300}\u{200D}👩", "👩a\u{200D}👩", "क\u{300}\u{94d}\u{301}त", "क\u{200d}\u{94d}\u{200d}त","क\u{300}त", "a\u{94d}\u{301}त", "🇩\u{301}🇪🇫", "👩\u{900}\u{903}\u{200d}👩", "क\u{903}\u{94d}त", "a\u{200d}b", "👩\u{200d}\u{200d}👩"] {
  var c = Unicode._CharacterRecognizer(); var r = ""
  for u in t.unicodeScalars { r += c.hasBreak(before: u) ? "|" : "."; r += "\(c) " }
  print(r)
}
print(walk("ab").1 == walk("xb").1, walk("🇩🇪").1 == walk("🇪").1, MemoryLayout<Unicode._CharacterRecognizer>.stride)
print(walk("ab").1 == walk("xb").1, walk("🇩🇪").1 == walk("🇪").1); print(Unicode._CharacterRecognizer())
let alphabet: [Unicode.Scalar] = ["a", "\r", "\n", "\u{300}", "\u{200D}", "👩", "🏽", "🇩", "🇪", "क", "\u{94D}", "त", "\u{903}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{AC01}", "\u{600}", "\u{200C}", "©", "\u{FE0F}", "\u{E33}", "\u{9CD}", "\u{995}", "\u{93C}", "\u{1F3FB}", "\u{1F468}", "\u{0}", "é"]
var seed: UInt64 = 12345
func next(_ n: Int) -> Int { seed = seed &* 6364136223846793005 &+ 1442695040888963407; return Int((seed >> 33) % UInt64(n)) }
for _ in 0..<200 {
  var c = Unicode._CharacterRecognizer(); var r = ""
  for _ in 0..<12 { let u = alphabet[next(alphabet.count)]; r += c.hasBreak(before: u) ? "|" : "."; r += String(u.value, radix: 16) + "\(c) " }
  print(r)
}
