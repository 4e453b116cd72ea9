// Regular expressions as literals and as texts: their matches, with typed and untyped captures, and what strings do with them.

let log = "2024-05-06 error 42: disk \"sda1\" full\n2023-11-30 info 7: cafe\u{301} open, naïve user\n"

let date = #/(?<year>\d{4})-(?<month>\d\d)-(\d+)/#
for m in log.matches(of: date) { print(m.year, m.month, m.3, m.0, m.output) }
if let m = log.firstMatch(of: #/(?<level>error|info)\s+(\d+)(?:: (.*?))?$/#.anchorsMatchLineEndings()) {
  print(m.level, m.2, m.3 ?? "nothing")
}
print("key = some value ".wholeMatch(of: #/\s*(\w+)\s*=\s*(.*?)\s*/#)?.output ?? ("", "", ""))
print("b".wholeMatch(of: #/(a)?b/#)!.1 as Any, "ab".prefixMatch(of: #/(a)?/#)!.1 as Any)

print(log.replacing(#/\d+/#, with: "#"), terminator: "")
print(log.replacing(#/(\w)(\w*)/#, maxReplacements: 3) { $0.1.uppercased() + $0.2 }, terminator: "")
print("one, two;three".split(separator: #/[,;]\s*/#), "  lead".trimmingPrefix(#/\s+/#), log.contains(#/dis[kc]/#), log.ranges(of: #/[aeiou]{2}/#).count)
var text = "aXbXXc"
text.replace(#/X+/#, with: "-")
print(text, text.starts(with: #/[a-c]-/#))

// Characters, and what stands for them in a pattern.
print("cafe\u{301}".contains(#/e/#), "cafe\u{301}".contains(#/é/#), "cafe\u{301}".contains(#/e/#.matchingSemantics(.unicodeScalar)))
print("🇩🇪🇫🇷🙂".matches(of: #/./#).count, "a\r\nb".matches(of: #/\R/#).count, "don't stop, 3.14".matches(of: #/\b\w.*?\b/#).map { $0.0 })
print("Straße HALLO hallo".matches(of: #/hallo|STRASSE/#.ignoresCase()).map(\.output))
print("the the cat".firstMatch(of: #/(\w+)\s\1/#)!.0, "foobar foobaz".matches(of: #/foo(?!bar)\w+/#).map { $0.0 }, "aaab".firstMatch(of: #/(?>a+)b|a++/#)!.0)
print("a1-b2_c3".matches(of: #/[[a-z]&&[^b]]\d|[\d_--3]/#).map { $0.0 }, "x = 0xFf".firstMatch(of: #/0x\p{Hex_Digit}+/#)!.0)
let spaced = #/
  (?<user> [\w.]+ ) @   # who
  (?<host> \w+ (?: \. \w+ )* )
/#
print("mail to ann.b@mail.example.org now".firstMatch(of: spaced)!.output)

// Patterns that are only known when the program runs.
for pattern in ["([a-z]+)([0-9]*)", "(?<n>\\d+)|(x)", "(open", "a{2,1}", "*", "[z-a]"] {
  do {
    let r = try Regex(pattern)
    guard let m = "abc x 42".firstMatch(of: r) else { continue }
    print(pattern, m.output.count, m.output.map { $0.substring ?? "-" }, m["n"]?.range == nil, r.contains(captureNamed: "n"))
  } catch {
    print(pattern, "error:", error)
  }
}
// Blanks in a quantity, octal numbers, an empty set, POSIX classes outside of sets, turned laziness, CR LF in a set.
for pattern in ["a{ 1 , 2 }", "\\0101", "[]a]", "[:upper:]+", "(?U)a+?", "[^\\r]", "[^\\n]", "[\\r\\n]"] {
  do { print(pattern, "aaA\r\nAB".matches(of: try Regex(pattern)).map { $0.output[0].substring! }) } catch { print(pattern, "error:", error) }
}
let labelled = try! Regex("(?<k>a)")
print(Regex(labelled, as: (Substring, k: Substring).self) != nil, Regex(labelled, as: (Substring, Substring).self) != nil)
if let typed = try? Regex("(\\w)(\\d)?", as: (Substring, Substring, Substring?).self) { print("a1".wholeMatch(of: typed)!.output) }
print(try! Regex("a.c").firstMatch(in: "xabcx")!.output[0].value as Any, Regex<Substring>(verbatim: "a.c").ignoresCase().firstMatchText("xA.C"))

extension Regex where Output == Substring {
  func firstMatchText(_ s: String) -> Substring { (try? firstMatch(in: s))??.output ?? "" }
}
