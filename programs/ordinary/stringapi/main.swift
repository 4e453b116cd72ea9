var s = "Hello, World"
print(s.count, s.uppercased(), s.lowercased(), s.isEmpty, s.hasPrefix("Hell"), s.hasSuffix("ld"), s.contains("o"), s.contains("World"), s.contains("wOrld"))
s.append("!")
s.append(contentsOf: "?!")
s += " x"
print(s, s.first!, s.last!, s.startIndex == s.endIndex)
print(s.reversed().map(String.init).joined(), String(s.reversed()), s.split(separator: " " as Character), s.split { $0 == "," }.map(\.count))
let i = s.firstIndex(of: "W")!
print(s[i], s[..<i], s[i...], s[s.index(after: i)], s.distance(from: s.startIndex, to: i))
print(s.replacing("o", with: "0"), s.prefix(5), s.suffix(3), s.dropFirst(7), s.dropLast(2), s.prefix(while: { $0 != "," }))
s.insert("*", at: s.startIndex)
s.insert(contentsOf: "<<", at: s.startIndex)
print(s, s.remove(at: s.startIndex), s.removeLast(), s.removeFirst(), s)
s.removeSubrange(s.startIndex..<s.index(s.startIndex, offsetBy: 3))
print(s)
s.replaceSubrange(s.startIndex...s.startIndex, with: "JJ")
print(s)
s.removeAll { $0 == "l" }
print(s)
print(s.filter { $0.isLetter }, s.map { $0 }.count, s.sorted().count, String(s.sorted()))
for c in "añ👍🏽e\u{301}" { print(c, c.unicodeScalars.count, c.utf8.count, c.isASCII, c.isLetter, c.isEmoji) }
extension Character { var isEmoji: Bool { unicodeScalars.first!.properties.isEmojiPresentation } }
print("e\u{301}" == "é", "e\u{301}".count, "e\u{301}".unicodeScalars.count, "é".utf8.count, "👨‍👩‍👧".count, "👨‍👩‍👧".utf16.count, "🇩🇪🇫🇷".count)
print(Array("é".utf8), Array("é👍".utf16), "añ".unicodeScalars.map { $0.value }, String(decoding: [72, 105, 0xff], as: UTF8.self), String(validatingUTF8: [72, 105, 0])!)
print("abc" < "abd", "abc" < "ab", "a" < "B", "Z" < "a", "" < "a", "abc".compare("abd"))
extension String { func compare(_ o: String) -> Int { self < o ? -1 : self == o ? 0 : 1 } }
print("a,b,,c".split(separator: ","), "a,b,,c".split(separator: ",", omittingEmptySubsequences: false), "a b c".split(separator: " ", maxSplits: 1), "x".split(separator: ","))
print("line1\nline2\r\nline3".split(whereSeparator: \.isNewline), "tab\tq\"uote'\\ \u{1F600}", "\u{7}x".debugDescription, "é\u{200d}".debugDescription)
print(String(repeating: "ab", count: 3), String(repeating: "é" as Character, count: 2), String(123), String(255, radix: 16), String(255, radix: 2), String(-35, radix: 36, uppercase: true), String(1.5), String(true), String("c" as Character))
print(Int("42") as Any, Int("4x") as Any, Int("-7")!, Int("+7")!, Int("ff", radix: 16)!, UInt8("256") as Any, Double("1e3")!, Double("x") as Any, Bool("true")!, Bool("True") as Any, Float("0.1")!)
let multi = """
  Two lines
    indented \(1 + 1) "quotes" \
  joined
  """
print(multi)
print(#"raw \(x) \n"#, #"interp \#(1 + 2)"#)
print("swift".randomElement() != nil, "swift".max()!, "swift".min()!, "swift".enumerated().map { "\($0)\($1)" }, "swift".indices.count, Set("aab").count)
print("a-b_c".map { $0 == "-" ? "+" : $0 }, "abc".contains { $0 == "b" }, "abc".firstIndex { $0 > "a" }! == "abc".index(after: "abc".startIndex), "abc".allSatisfy { $0.isLowercase })
var t = "abc"
let u = t
t += "d"
print(t, u, t.hashValue == "abcd".hashValue, t == "ab" + "cd", t != u)
print("ABC".lowercased() == "abc", "straße".uppercased(), "İ".lowercased().unicodeScalars.count, "ﬁ".uppercased(), "ΑΣ".lowercased())
print(String(describing: "q"), String(reflecting: "q"), "\("q")", ["q"], Optional("q") as Any, "a\0b".utf8.count)
print("abc".withCString { $0[1] }, "abc".utf8CString, String(cString: [65, 66, 0] as [UInt8]), "abc".utf8.withContiguousStorageIfAvailable { $0.count } as Any)
print("ab" ~= "ab", "hello world foo".split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " "))
print("abc".elementsEqual("abc"), "abc".starts(with: "ab"), zip("ab", "cd").map { String($0) + String($1) }, "abcabc".lastIndex(of: "b")!.utf16Offset(in: "abcabc"))
