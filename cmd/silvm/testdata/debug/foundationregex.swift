import Foundation
func show(_ pattern: String, _ s: String, _ options: NSRegularExpression.Options = []) {
  let r = try! NSRegularExpression(pattern: pattern, options: options)
  let all = r.matches(in: s, range: NSRange(location: 0, length: s.utf16.count))
  print(pattern.debugDescription, r.numberOfCaptureGroups, all.map { m in (0..<m.numberOfRanges).map { m.range(at: $0).location == NSNotFound ? "-" : "\(m.range(at: $0).location)+\(m.range(at: $0).length)" }.joined(separator: ",") })
}
show("([a-z]+)(\\d+)?", "abc12 de f3")
show("(a|ab)(c|bcd)(d*)", "abcd")
show("^\\s*(\\w+)\\s*=\\s*(.*?)\\s*$", "one = 1 \r\n two=  2\n", .anchorsMatchLines)
show("(?<!\\$)\\b\\d{2,3}\\b", "$12 34 567 8910")
show("(?<year>\\d{4})-(?<month>\\d\\d)", "on 2024-05, not 24-5")
show("(['\"])(.*?)\\1", "say \"it's\" or 'so'")
show("[^\\s,]+(?=,)", "a, bc d,")
show("STRASSE|ÄRGER", "Strasse ärger", .caseInsensitive)
show("(?>a+)b|a++c", "aab aac aa")
show("a # comment\n  [bc]", "ab ac a", .allowCommentsAndWhitespace)
show("a.b", "a.b axb", .ignoreMetacharacters)
show(".\u{301}?", "e\u{301}😀\r\nx", .dotMatchesLineSeparators)
show("(?:(a)|b)*", "aab")
show("\\p{Lu}\\p{Ll}+|[[:punct:]&&[^.]]", "Ab. C, Éa")
let name = try! NSRegularExpression(pattern: "(\\w+) (\\w+)"), s = "ada lovelace, alan turing"
let whole = NSRange(location: 0, length: s.utf16.count)
print(name.stringByReplacingMatches(in: s, range: whole, withTemplate: "$2 \\$ $1$3"), name.numberOfMatches(in: s, range: whole))
if let m = name.firstMatch(in: s, options: .anchored, range: NSRange(location: 14, length: 11)) { print(m.range.location, m.range(at: 2).length, m.regularExpression === name, m.resultType == .regularExpression) }
print(name.rangeOfFirstMatch(in: "x", range: NSRange(location: 0, length: 1)).location == NSNotFound, NSRegularExpression.escapedPattern(for: "a.b*[c]"))
name.enumerateMatches(in: s, range: whole) { m, flags, stop in
  print(m!.range.length, name.replacementString(for: m!, in: s, offset: 0, template: "<$0>"), flags.contains(.hitEnd))
  stop.pointee = true
}
