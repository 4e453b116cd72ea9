// What a pattern of Swift's Regex says, as a tree. Patterns are read by Characters, as the library's module _RegexParser reads them.

@_spi(_Unicode) import Swift

@_silgen_name("library_composedText") func composed(_ s: String) -> String
@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

// A pattern that the library rejects, by what is wrong with it.
struct PatternError: Error, CustomStringConvertible {
  let description: String
  init(_ s: String) { description = s }
}

enum PatternClass { case digit, horizontal, newline, vertical, space, word, cluster, any }
enum PatternAnchor { case start, endBeforeNewline, end, first, segment, notSegment, startOfLine, endOfLine, caret, dollar, word, notWord }
enum PatternKind {
  case eager, reluctant, possessive
  case other // what a ? behind a quantifier asks for: reluctant, or eager where reluctant is the rule
}

// What the options of a pattern are where one of its parts stands.
struct PatternOptions {
  var ignoresCase = false, dotAll = false, lines = false
  var scalars = false, simpleWords = false, asciiDigits = false, asciiSpaces = false, asciiWords = false, asciiPOSIX = false
  var kind = PatternKind.eager // of a repetition that says nothing
  var namedOnly = false, spaced = false
}

indirect enum PatternProperty {
  case category([Unicode.GeneralCategory])
  case scalar((Unicode.Scalar) -> Bool)
  case single((Unicode.Scalar) -> Bool) // of a character that is one scalar
  case all
  case not(PatternProperty)
}

indirect enum PatternMember {
  case char(Character)
  case scalar(Unicode.Scalar)
  case range(Unicode.Scalar, Unicode.Scalar)
  case builtin(PatternClass, Bool)
  case property(PatternProperty)
  case set(PatternSet)
  case intersection(PatternSet, PatternSet)
  case subtraction(PatternSet, PatternSet)
  case difference(PatternSet, PatternSet)
}
struct PatternSet {
  var members: [PatternMember]
  var inverted = false
}

typealias PatternMatcher = (String, String.Index, Range<String.Index>) throws -> (String.Index, Any)?
typealias PatternTransform = (Any) throws -> Any?

// What a capture yields when nothing makes something else of it, and what it is called.
struct PatternCapture {
  var name: String? = nil
  var reference: Int? = nil
  var type: Any.Type? = nil // of what is made of the text
  var transform: PatternTransform? = nil
}

indirect enum PatternNode {
  case empty
  case char(Character)
  case scalar(Unicode.Scalar)
  case dot
  case any
  case anyButNewline
  case builtin(PatternClass, Bool)
  case set(PatternSet)
  case property(PatternProperty)
  case anchor(PatternAnchor)
  case sequence([PatternNode])
  case choice([PatternNode])
  case capture(PatternCapture, PatternNode)
  case group(PatternNode)
  case atomic(PatternNode)
  case ahead(PatternNode, negative: Bool)
  case quantity(Int, Int?, PatternKind?, PatternNode)
  case backreference(Int)
  case namedReference(String)
  case reference(Int)
  case options((inout PatternOptions) -> Void, PatternNode) // of the node
  case change((inout PatternOptions) -> Void) // of what follows
  case silent(PatternNode) // its captures are not in the typed output
  case literal(PatternNode) // a pattern as written: its captures are optional once, however deep they are
  case matcher(Any.Type, PatternMatcher)
}

struct PatternParser {
  let text: [Character]
  var at = 0
  var spaced: Bool // whitespace and comments are left out
  var multiline: Bool
  var namedOnly = false
  var names: Set<String> = []
  var captures = 0
  var references: [(Int, String?)] = []
  var depth = 0

  init(_ s: Substring, multiline: Bool = false) {
    text = Array(s)
    self.multiline = multiline
    spaced = multiline
  }

  var peek: Character? { at < text.count ? text[at] : nil }
  func next(_ n: Int) -> Character? { at + n < text.count ? text[at + n] : nil }
  mutating func eat(_ c: Character) -> Bool {
    if at < text.count, text[at] == c {
      at += 1
      return true
    }
    return false
  }
  mutating func eat(_ s: String) -> Bool {
    var i = at
    for c in s {
      guard i < text.count, text[i] == c else { return false }
      i += 1
    }
    at = i
    return true
  }
  mutating func expect(_ c: Character) throws { if !eat(c) { throw PatternError("expected '\(c)'") } }

  // A literal with its delimiters.
  static func literal(_ s: String) throws -> PatternNode {
    var hashes = 0, rest = s[...]
    while rest.first == "#" {
      rest.removeFirst()
      hashes += 1
    }
    guard rest.first == "/", rest.count >= 2 + hashes else { refuse("a regular expression literal with other delimiters than slashes") }
    rest = rest.dropFirst().dropLast(1 + hashes)
    let multiline = hashes > 0 && rest.first(where: { $0 != " " && $0 != "\t" })?.isNewline == true
    var p = PatternParser(rest, multiline: multiline)
    return try p.whole()
  }

  mutating func whole() throws -> PatternNode {
    let n = try alternation()
    if at < text.count { throw PatternError("closing ')' does not balance any groups openings") }
    for (i, name) in references {
      if let name {
        if !names.contains(name) { throw PatternError("no capture named '\(name)'") }
      } else if i > captures {
        throw PatternError("no capture numbered \(i)")
      }
    }
    return .literal(n)
  }

  mutating func alternation() throws -> PatternNode {
    depth += 1
    if depth > 64 { throw PatternError("group is too deeply nested") }
    defer { depth -= 1 }
    var all = [try concatenation()]
    while eat("|") { all.append(try concatenation()) }
    return all.count == 1 ? all[0] : .choice(all)
  }

  // Whether whitespace or a comment was passed over.
  mutating func trivia() throws -> Bool {
    let from = at
    while true {
      if eat("(?#") {
        while peek != nil && peek != ")" { at += 1 }
        try expect(")")
      } else if spaced, let c = peek, isPatternSpace(c) {
        at += 1
      } else if spaced, peek == "#" {
        while let c = peek, !c.isNewline { at += 1 }
      } else {
        return at > from
      }
    }
  }

  mutating func concatenation() throws -> PatternNode {
    var all: [PatternNode] = []
    while true {
      _ = try trivia()
      guard let c = peek, c != "|", c != ")" else { break }
      if eat("\\Q") {
        while at < text.count, !(text[at] == "\\" && next(1) == "E") {
          if multiline && text[at].isNewline { throw PatternError("quoted sequence may not span multiple lines in multi-line literal") }
          all.append(.char(text[at]))
          at += 1
        }
        _ = eat("\\E")
        continue
      }
      let atom = try quantifiable()
      var operand = atom.0
      let from = at
      _ = try trivia()
      if let (low, high) = try quantifier() {
        if !atom.1 { throw PatternError("expression is not quantifiable") }
        _ = try trivia()
        let kind: PatternKind? = eat("?") ? .other : eat("+") ? .possessive : nil
        operand = .quantity(low, high, kind, operand)
      } else {
        at = from
      }
      all.append(operand)
    }
    return all.count == 1 ? all[0] : all.isEmpty ? .empty : .sequence(all)
  }

  mutating func number() throws -> Int? {
    let from = at
    while let c = peek, c.isASCII, c.isNumber { at += 1 }
    if at == from { return nil }
    let digits = String(text[from..<at])
    guard let n = Int(digits) else { throw PatternError("number overflow: \(digits)") }
    return n
  }

  mutating func blanks() { while let c = peek, isPatternSpace(c) { at += 1 } }

  // A number of repetitions. Releases differ in what becomes of more.
  mutating func times() throws -> Int? {
    let n = try number()
    if let n, n > 65535 { refuse("a regular expression with more than 65535 repetitions") }
    return n
  }

  mutating func quantifier() throws -> (Int, Int?)? {
    if eat("*") { return (0, nil) }
    if eat("+") { return (1, nil) }
    if eat("?") { return (0, 1) }
    let from = at
    if eat("{") {
      blanks()
      let low = try times(), end = at
      blanks()
      if eat(",") {
        blanks()
        let high = try times()
        blanks()
        if eat("}"), low != nil || high != nil {
          if let low, let high, low > high { throw PatternError("range lower bound '\(low)' must be less than or equal to upper bound '\(high)'") }
          return (low ?? 0, high)
        }
      } else if at == end, eat("..") {
        let open = eat("<")
        if open || eat(".") {
          let high = try number().map { open ? $0 - 1 : $0 }
          if eat("}"), low != nil || high != nil { return (low ?? 0, high) }
        }
      } else if let low, eat("}") {
        return (low, low)
      }
    }
    at = from
    return nil
  }

  // An atom or a group, and whether it may be repeated.
  mutating func quantifiable() throws -> (PatternNode, Bool) {
    let c = text[at]
    switch c {
    case "(": return try group()
    case "[":
      at += 1
      if peek == ":", let m = try posix() { return (.set(PatternSet(members: [m], inverted: false)), true) }
      return (.set(try set()), true)
    case "\\":
      at += 1
      return try escape()
    case ".":
      at += 1
      return (.dot, true)
    case "^":
      at += 1
      return (.anchor(.caret), false)
    case "$":
      at += 1
      return (.anchor(.dollar), false)
    case "*", "+", "?": throw PatternError("quantifier '\(c)' must appear after expression")
    default:
      at += 1
      return (.char(c), true)
    }
  }

  mutating func name(_ end: Character) throws -> String {
    var s = ""
    if let c = peek, c.isNumber { throw PatternError("group name must not start with number") }
    while let c = peek, c != end {
      if !(c.isLetter || c.isNumber || c == "_") { throw PatternError("group name must only contain alphanumeric characters") }
      s.append(c)
      at += 1
    }
    if s.isEmpty { throw PatternError("expected group name") }
    try expect(end)
    return s
  }

  mutating func group() throws -> (PatternNode, Bool) {
    at += 1
    let outer = (spaced, namedOnly)
    func capture(_ name: String?, _ p: inout PatternParser) throws -> (PatternNode, Bool) {
      p.captures += 1
      if let name, !p.names.insert(name).inserted { throw PatternError("group named '\(name)' already exists") }
      let n = try p.body(outer)
      return (.capture(PatternCapture(name: name), n), true)
    }
    guard peek == "?" else {
      if peek == "*" { refuse("a regular expression with a group that begins with (*") }
      return namedOnly ? (.group(try body(outer)), true) : try capture(nil, &self)
    }
    at += 1
    if eat(":") { return (.group(try body(outer)), true) }
    if eat("=") { return (.ahead(try body(outer), negative: false), false) }
    if eat("!") { return (.ahead(try body(outer), negative: true), false) }
    if eat(">") { return (.atomic(try body(outer)), true) }
    if eat("|") { throw PatternError("branch reset group is not currently supported") }
    if eat("<=") || eat("<!") { throw PatternError("lookbehind is not currently supported") }
    if eat("P<") || eat("<") { return try capture(try name(">"), &self) }
    if eat("'") { return try capture(try name("'"), &self) }
    if eat("P=") {
      let n = try name(")")
      references.append((0, n))
      return (.namedReference(n), true)
    }
    if eat("P>") || eat("&") || eat("(") || eat("~") || eat("R") { refuse("a regular expression with a subpattern, a condition or an absent function") }
    // Options of the group, or of what follows.
    guard let kind = peek else { throw PatternError("expected group specifier") }
    if !"^-ismUnxDSWPJwybuX".contains(kind) { throw PatternError("unknown group kind '(?\(kind)'") }
    var changes: [(inout PatternOptions) -> Void] = [], on = true
    if eat("^") { changes.append { let s = $0.scalars; $0 = PatternOptions(); $0.scalars = s }; spaced = multiline; namedOnly = false }
    while let c = peek, c != ":", c != ")" {
      at += 1
      let v = on
      switch c {
      case "-": on = false
      case "i": changes.append { $0.ignoresCase = v }
      case "s": changes.append { $0.dotAll = v }
      case "m": changes.append { $0.lines = v }
      case "U": changes.append { $0.kind = v ? .reluctant : .eager }
      case "n": namedOnly = v
      case "x":
        _ = eat("x")
        if !v && multiline { throw PatternError("extended syntax may not be disabled in multi-line mode") }
        spaced = v
      case "D": changes.append { $0.asciiDigits = v }
      case "S": changes.append { $0.asciiSpaces = v }
      case "W": changes.append { $0.asciiWords = v }
      case "P": changes.append { $0.asciiDigits = v; $0.asciiSpaces = v; $0.asciiWords = v; $0.asciiPOSIX = v }
      default:
        if "J,w,y,b,u,X".contains(c) { throw PatternError("unicode or text segment mode is not currently supported") }
        throw PatternError("invalid matching option '\(c)'")
      }
    }
    let all = changes
    let apply: (inout PatternOptions) -> Void = { o in for c in all { c(&o) } }
    if eat(":") { return (.options(apply, try body(outer)), true) }
    if !eat(")") { throw PatternError("expected ')'") }
    return (.change(apply), false)
  }

  // The rest of a group, around which the syntax is what it was before.
  mutating func body(_ outer: (Bool, Bool)) throws -> PatternNode {
    let n = try alternation()
    try expect(")")
    (spaced, namedOnly) = outer
    return n
  }

  mutating func digits(_ count: ClosedRange<Int>, _ radix: Int) throws -> Unicode.Scalar {
    var s = ""
    while s.count < count.upperBound, let c = peek, c.isASCII, Int(String(c), radix: radix) != nil {
      s.append(c)
      at += 1
    }
    if s.count < count.lowerBound { throw PatternError("expected \(count.lowerBound) digits in '\(s)'") }
    return try scalar(s, radix)
  }
  func scalar(_ s: String, _ radix: Int) throws -> Unicode.Scalar {
    guard let v = UInt32(s, radix: radix), let u = Unicode.Scalar(v) else { throw PatternError("number overflow: \(s)") }
    return u
  }
  mutating func braced(_ radix: Int) throws -> [Unicode.Scalar] {
    var all: [Unicode.Scalar] = [], s = ""
    while let c = peek, c != "}" {
      at += 1
      if c.isWhitespace {
        if !s.isEmpty { all.append(try scalar(s, radix)) }
        s = ""
      } else {
        if !c.isASCII || Int(String(c), radix: radix) == nil { throw PatternError(radix == 8 ? "expected octal number in '\(s)\(c)'" : "expected hexadecimal number in '\(s)\(c)'") }
        s.append(c)
      }
    }
    try expect("}")
    if !s.isEmpty { all.append(try scalar(s, radix)) }
    if all.isEmpty { throw PatternError(radix == 8 ? "expected octal number" : "expected hexadecimal number") }
    return all
  }

  // The scalars of an escape by number, nil if it is none.
  mutating func escapedScalars(_ c: Character) throws -> [Unicode.Scalar]? {
    switch c {
    case "u": return eat("{") ? try braced(16) : [try digits(4...4, 16)]
    case "x": return eat("{") ? try braced(16) : [try digits(0...2, 16)]
    case "U": return [try digits(8...8, 16)]
    case "o":
      try expect("{")
      return try braced(8)
    case "0": return [peek.map { "01234567".contains($0) } == true ? try digits(1...3, 8) : "\0"]
    case "a": return ["\u{7}"]
    case "e": return ["\u{1b}"]
    case "f": return ["\u{c}"]
    case "n": return ["\n"]
    case "r": return ["\r"]
    case "t": return ["\t"]
    default: return nil
    }
  }
  func escapedClass(_ c: Character) -> (PatternClass, Bool)? {
    switch c {
    case "d": return (.digit, false)
    case "D": return (.digit, true)
    case "w": return (.word, false)
    case "W": return (.word, true)
    case "s": return (.space, false)
    case "S": return (.space, true)
    case "h": return (.horizontal, false)
    case "H": return (.horizontal, true)
    case "v": return (.vertical, false)
    case "V": return (.vertical, true)
    case "R": return (.newline, false)
    case "X": return (.cluster, false)
    default: return nil
    }
  }
  func checkEscape(_ c: Character) throws {
    if c.isASCII ? c.isLetter || c.isNumber : !c.isWhitespace { throw PatternError("invalid escape sequence '\\\(c)'") }
  }

  mutating func escape() throws -> (PatternNode, Bool) {
    guard let c = peek else { throw PatternError("expected escape sequence") }
    if c == "N", next(1) == "{" { refuse("a regular expression with a character by its name") }
    if c == "p" || c == "P", next(1) == "{" {
      at += 2
      return (.property(try property("}", c == "P")), true)
    }
    if c == "c" || c == "C" || c == "M" { throw PatternError("control sequence is not currently supported") }
    if c == "g" || c == "k" {
      at += 1
      let end: Character
      if eat("{") { end = "}" } else if c == "k", eat("<") { end = ">" } else if c == "k", eat("'") { end = "'" } else {
        guard c == "g", let n = try number() else { throw PatternError("invalid escape sequence '\\\(c)'") }
        references.append((n, nil))
        return (.backreference(n), true)
      }
      if let d = peek, d.isASCII, d.isNumber, let n = try number() {
        try expect(end)
        references.append((n, nil))
        return (.backreference(n), true)
      }
      if peek == "-" || peek == "+" { throw PatternError("relative capture reference is not currently supported") }
      let n = try name(end)
      references.append((0, n))
      return (.namedReference(n), true)
    }
    if c.isASCII, c.isNumber, c != "0" {
      let n = try number()!
      references.append((n, nil))
      return (.backreference(n), true)
    }
    at += 1
    if let u = try escapedScalars(c) { return (u.count == 1 ? .scalar(u[0]) : .sequence(u.map { .scalar($0) }), true) }
    if let (k, inverted) = escapedClass(c) { return (.builtin(k, inverted), true) }
    switch c {
    case "b": return (.anchor(.word), false)
    case "B": return (.anchor(.notWord), false)
    case "A": return (.anchor(.start), false)
    case "z": return (.anchor(.end), false)
    case "Z": return (.anchor(.endBeforeNewline), false)
    case "G": return (.anchor(.first), false)
    case "y": return (.anchor(.segment), false)
    case "Y": return (.anchor(.notSegment), false)
    case "K", "C", "O", "N": throw PatternError("'\\\(c)' is not currently supported")
    default:
      try checkEscape(c)
      return (.char(c), true)
    }
  }

  // What is in brackets, after the opening one.
  mutating func set() throws -> PatternSet {
    depth += 1
    if depth > 64 { throw PatternError("group is too deeply nested") }
    defer { depth -= 1 }
    let inverted = eat("^")
    var members: [PatternMember] = [], left: (PatternSet, String)? = nil
    func flush(_ left: (PatternSet, String)?, _ members: [PatternMember]) throws -> [PatternMember] {
      if members.isEmpty { throw PatternError("expected custom character class members") }
      guard let (l, op) = left else { return members }
      let r = PatternSet(members: members)
      return [op == "&&" ? .intersection(l, r) : op == "--" ? .subtraction(l, r) : .difference(l, r)]
    }
    var first = true
    while true {
      if spaced { while let c = peek, isPatternSpace(c) { at += 1 } }
      guard let c = peek else { throw PatternError(first ? "expected custom character class members" : "expected ']'") }
      if c == "]" && !first {
        at += 1
        break
      }
      if !members.isEmpty || !first, let op = ["&&", "--", "~~"].first(where: { eat($0) }) {
        members = try flush(left, members)
        left = (PatternSet(members: members), op)
        members = []
        continue
      }
      if c == "]" && first { throw PatternError("expected custom character class members") }
      first = false
      if c == "[" {
        at += 1
        if peek == ":", let m = try posix() { members.append(m) } else { members.append(.set(try set())) }
        continue
      }
      if eat("\\Q") {
        while at < text.count, !(text[at] == "\\" && next(1) == "E") {
          members.append(.char(text[at]))
          at += 1
        }
        _ = eat("\\E")
        continue
      }
      let low = try member()
      if peek == "-", let d = next(1), d != "]", d != "-" {
        at += 1
        if spaced { while let c = peek, isPatternSpace(c) { at += 1 } }
        guard let a = bound(low) else { throw PatternError("invalid bound for character class range") }
        if peek == "[" { throw PatternError("invalid bound for character class range") }
        guard let b = bound(try member()) else { throw PatternError("invalid bound for character class range") }
        if a > b { throw PatternError("character '\(a)' must compare less than or equal to '\(b)'") }
        members.append(.range(try single(a), try single(b)))
      } else {
        members.append(low)
      }
    }
    return PatternSet(members: try flush(left, members), inverted: inverted)
  }
  func bound(_ m: PatternMember) -> Character? {
    switch m {
    case .char(let c): return c
    case .scalar(let u): return Character(u)
    default: return nil
    }
  }
  func single(_ c: Character) throws -> Unicode.Scalar {
    guard let u = nfc(c) else { throw PatternError("invalid bound for character class range") }
    return u
  }

  mutating func member() throws -> PatternMember {
    guard let c = peek else { throw PatternError("expected ']'") }
    at += 1
    guard c == "\\" else { return .char(c) }
    guard let e = peek else { throw PatternError("expected escape sequence") }
    if e == "p" || e == "P", next(1) == "{" {
      at += 2
      return .property(try property("}", e == "P"))
    }
    if e == "N", next(1) == "{" { refuse("a regular expression with a character by its name") }
    if e == "c" || e == "C" || e == "M" { throw PatternError("control sequence is not currently supported") }
    at += 1
    if e == "b" { return .scalar("\u{8}") }
    if let u = try escapedScalars(e) {
      if u.count != 1 { throw PatternError("scalar sequence in custom character class is not currently supported") }
      return .scalar(u[0])
    }
    if e == "R" || e == "X" { throw PatternError("invalid escape sequence '\\\(e)'") }
    if let (k, inverted) = escapedClass(e) { return .builtin(k, inverted) }
    try checkEscape(e)
    return .char(e)
  }
}

func isPatternSpace(_ c: Character) -> Bool {
  guard let u = c.unicodeScalars.first else { return false }
  switch u.value {
  case 9...13, 0x20, 0x85, 0x200e, 0x200f, 0x2028, 0x2029: return true
  default: return false
  }
}

// The one scalar of a character in normalization form C, if it is one.
func nfc(_ c: Character) -> Unicode.Scalar? {
  let u = c.unicodeScalars
  if u.count == 1, u.first!.value < 0x300 { return u.first }
  let all = Array(composed(String(c)).unicodeScalars)
  return all.count == 1 ? all[0] : nil
}
