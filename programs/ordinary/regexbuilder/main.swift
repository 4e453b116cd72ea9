// Regular expressions that result builders put together: components, captures with types of their own, references, classes of characters.

import RegexBuilder

let statement = "KIND: debit  AMOUNT: 12.50 USD; KIND: credit AMOUNT: 7 EUR"
let amount = Reference(Double.self), currency = Reference(Substring.self)
let entry = Regex {
  "KIND: "
  Capture { OneOrMore(.word) }
  OneOrMore(.whitespace)
  "AMOUNT: "
  TryCapture(as: amount) {
    OneOrMore(.digit)
    Optionally {
      "."
      Repeat(.digit, 1...2)
    }
  } transform: { Double($0) }
  One(.whitespace)
  Capture(as: currency) {
    ChoiceOf {
      "USD"
      "EUR"
    }
  }
}
for m in statement.matches(of: entry) { print(m.1, m[amount] + 1, m[currency], m.output) }

struct Level { let n: Int }
let line = Regex {
  Anchor.startOfLine
  Capture { CharacterClass("a"..."c", .digit).inverted } transform: { $0.uppercased() }
  ZeroOrMore(.any, .reluctant)
  Capture { One(.anyOf("!?")) }
  Optionally { Capture { Repeat(count: 2) { "-" } } transform: { Level(n: $0.count) } }
  NegativeLookahead { "x" }
  Anchor.endOfLine
}
for text in ["xyz?", "abc!", "hello world!--", "q!x"] {
  if let m = text.firstMatch(of: line) { print(m.1, m.2, m.3?.n ?? 0, m.0) } else { print(text, "does not match") }
}

let number = Regex { OneOrMore(.digit.union(.anyOf("_"))); Lookahead(.word.subtracting(.digit)) }
print("12_000kg 7".firstMatch(of: number)!.output, "12 7".contains(number))
let list = Regex { "["; Local { OneOrMore(.anyNonNewline, .eager) }; "]" }
print("[a]".wholeMatch(of: list) == nil, "no [x".contains { "["; CharacterClass.hexDigit }, "k=v".wholeMatch { Capture { One(.word) }; "="; Capture { #/(v)|w/# } }!.output)

// A component of the program's own.
struct Doubled: CustomConsumingRegexComponent {
  typealias RegexOutput = Int
  func consuming(_ input: String, startingAt index: String.Index, in bounds: Range<String.Index>) throws -> (upperBound: String.Index, output: Int)? {
    let digits = input[index..<bounds.upperBound].prefix { $0.isNumber }
    return digits.isEmpty ? nil : (digits.endIndex, Int(digits)! * 2)
  }
}
print("a21 b".firstMatch(of: Regex { "a"; Capture(Doubled()); " "; Capture(.word) })!.output, "21".wholeMatch(of: Doubled())!.output)

struct Failed: Error {}
do { _ = try Regex { TryCapture { OneOrMore(.word) } transform: { (s: Substring) throws -> Int? in throw Failed() } }.firstMatch(in: "word") } catch { print("threw", error) }
let r = Reference(Int.self)
let twice = Regex { Capture(as: r) { .digit } transform: { Int($0)! }; "-"; r }
print("1-2 3-3".firstMatch(of: twice)?.output ?? ("", 0))
