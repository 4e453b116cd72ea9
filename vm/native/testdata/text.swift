// Characters, quoting, order and editing of strings.
let samples = ["", "abc", "it's", "tab\tnew\nline\r\n", "q\"uote\\", "\u{0}\u{1}\u{1b}\u{7f}\u{80}\u{9f}", "é", "e\u{301}", "\u{301}", "a\u{300}\"\u{302}b", "🇩🇪🇫🇷🇮", "👨‍👩‍👧‍👦👋🏽", "x\u{200d}", "\u{200d}x", "한국어", "각", "नमस्ते", "ก็", "\r\n\n\r", "ß İ ŉ ﬀ Σς", "\u{e000}\u{10ffff}", "日本語テキスト、もっと長い"]
for s in samples { print(s.count, s.utf8.count, s.utf16.count, s.unicodeScalars.count, s.debugDescription, s.uppercased(), s.lowercased(), s.map { String($0).debugDescription }.joined(separator: "|"), String(s.reversed()).debugDescription) }
for c in "aZ5 \né٣½_-+$€²🎉ñªⅣ" as String { print(c.debugDescription, c.isLetter, c.isNumber, c.isWhitespace, c.isNewline, c.isUppercase, c.isLowercase, c.isCased, c.isPunctuation, c.isSymbol, c.isMathSymbol, c.isCurrencySymbol, c.isASCII, c.asciiValue as Any, c.isHexDigit, c.hexDigitValue as Any, c.uppercased(), c.lowercased()) }
for s in ["a", "\n", "é", "\u{1F600}", "'"] as [Unicode.Scalar] { debugPrint(s, [s]) ; print(s, s.value, s.isASCII) }
let words = ["b", "a", "B", "é", "e\u{301}", "f", "z", "ä", "", "aa", "日", "\u{1F600}", "\u{FFFD}"]
print(words.sorted(), words.max()!, words.min()!, "é" == "e\u{301}", "é" < "f", "a" < "B", "\u{FFFD}" < "\u{1F600}", Set(words).count)
print("é".hasPrefix("e"), "e\u{301}a".hasPrefix("é"), "abc".hasPrefix(""), "abc".hasSuffix("bc"), "\r\n".hasPrefix("\r"), "abé".hasSuffix("e\u{301}"), "".hasPrefix("a"))
var s = "Hello, Wörld! 👋🏽"
let i = s.index(s.startIndex, offsetBy: 8), j = s.index(before: s.endIndex)
print(s[i], s[j], s[i..<j], s[...i], s.distance(from: i, to: j), s.index(s.startIndex, offsetBy: 99, limitedBy: s.endIndex) as Any, s[s.index(after: i)...])
s.insert("X", at: i); s.remove(at: s.startIndex); s.append(contentsOf: "yz".reversed()); s.replaceSubrange(s.startIndex..<s.index(s.startIndex, offsetBy: 2), with: "[é]"); print(s, s.utf8.count)
s.removeFirst(3); s.removeLast(); s.insert(contentsOf: "abc", at: s.startIndex); s.removeSubrange(s.startIndex..<s.index(after: s.startIndex)); print(s, s.prefix(3), s.suffix(2), s.dropFirst().dropLast())
print(s.firstIndex(of: "W") != nil, s.split(separator: " " as Character), s.contains("W" as Character), s.filter { $0.isLetter }, s.lowercased().uppercased(), String(repeating: "ab", count: 3), String(repeating: "é" as Character, count: 2))
var t = ""; for k in 0..<40 { t += String(k); if k % 7 == 0 { t.removeAll(keepingCapacity: k % 2 == 0) } }; print(t, t.utf8.count, t.isEmpty)
print(s.unicodeScalars.map { $0.value }.reduce(0, &+), s.utf16.map { Int($0) }.reduce(0, +), Array(s.utf8).count, String(decoding: [72, 105, 0xff, 0xe2, 0x82, 65], as: UTF8.self))
switch s.prefix(1) { case "b": print("b") ; case "x", "y": print("xy"); default: print("default") }
print("x=\(s.count) \(s.first!) \([s.last!]) \(Substring("sub")) \(("a" as Character, "b" as Unicode.Scalar))", #"raw \(1)"#)
