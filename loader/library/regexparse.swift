// The patterns of NSRegularExpression, as ICU reads them, made into a program for regexmatch.swift. What of ICU's syntax is not known here (grapheme
// clusters, names of characters, most properties, where words end by Unicode's rules) is refused when the pattern is read, never guessed.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

// A set of scalars.
indirect enum LibraryScalarSet {
  case ranges([ClosedRange<UInt32>])
  case categories(UInt32) // bits by Unicode.GeneralCategory
  case whitespace
  case alphabetic
  case not(LibraryScalarSet)
  case either([LibraryScalarSet])
  case folded(LibraryScalarSet) // and what differs from these in case alone
  case both(LibraryScalarSet, LibraryScalarSet)

  func has(_ c: UInt32) -> Bool {
    switch self {
    case .ranges(let all):
      for r in all where r.contains(c) { return true }
      return false
    case .categories(let bits): return bits >> category(c) & 1 != 0
    case .whitespace: return Unicode.Scalar(c)?.properties.isWhitespace ?? false
    case .alphabetic: return Unicode.Scalar(c)?.properties.isAlphabetic ?? false
    case .not(let s): return !s.has(c)
    case .either(let all):
      for s in all where s.has(c) { return true }
      return false
    case .folded(let s):
      for v in variants(c) where s.has(v) { return true }
      return false
    case .both(let a, let b): return a.has(c) && b.has(c)
    }
  }
}
// The place of a scalar's general category in the declaration of the enum.
func category(_ c: UInt32) -> UInt32 {
  guard let u = Unicode.Scalar(c) else { return 27 } // surrogates
  let n = UInt32(unsafeBitCast(u.properties.generalCategory, to: UInt8.self))
  if n == 29 && c & 0xfffe != 0xfffe && !(c >= 0xfdd0 && c <= 0xfdef) { refuse("a regular expression that asks what U+\(String(c, radix: 16, uppercase: true)) is, which has no meaning in all versions of Unicode") }
  return n
}
let categoryNames: [(String, UInt32)] = [
  ("lu", 1), ("ll", 1 << 1), ("lt", 1 << 2), ("lm", 1 << 3), ("lo", 1 << 4), ("mn", 1 << 5), ("mc", 1 << 6), ("me", 1 << 7), ("nd", 1 << 8), ("nl", 1 << 9), ("no", 1 << 10),
  ("pc", 1 << 11), ("pd", 1 << 12), ("ps", 1 << 13), ("pe", 1 << 14), ("pi", 1 << 15), ("pf", 1 << 16), ("po", 1 << 17), ("sm", 1 << 18), ("sc", 1 << 19), ("sk", 1 << 20),
  ("so", 1 << 21), ("zs", 1 << 22), ("zl", 1 << 23), ("zp", 1 << 24), ("cc", 1 << 25), ("cf", 1 << 26), ("co", 1 << 28),
  ("l", 0x1f), ("letter", 0x1f), ("lc", 7), ("m", 0xe0), ("mark", 0xe0), ("n", 0x700), ("number", 0x700), ("p", 0x3f800), ("punct", 0x3f800), ("punctuation", 0x3f800),
  ("s", 0x3c0000), ("symbol", 0x3c0000), ("z", 0x1c00000), ("separator", 0x1c00000), ("digit", 1 << 8), ("cntrl", 1 << 25), ("uppercaseletter", 1), ("lowercaseletter", 2),
]
let wordScalars = LibraryScalarSet.either([.alphabetic, .categories(0xe0 | 1 << 8 | 1 << 11), .ranges([0x200c...0x200d])])

// propertySet returns what \p{name} and [:name:] stand for.
func propertySet(_ name: String) -> LibraryScalarSet {
  var key = ""
  for u in name.unicodeScalars where u != " " && u != "_" && u != "-" { key.unicodeScalars.append(u.isASCII && u.value >= 65 && u.value <= 90 ? Unicode.Scalar(u.value + 32)! : u) }
  for prefix in ["generalcategory=", "gc="] where key.hasPrefix(prefix) { key = String(key.dropFirst(prefix.count)) }
  for (n, bits) in categoryNames where n == key { return .categories(bits) }
  switch key {
  case "alpha", "alphabetic": return .alphabetic
  case "alnum": return .either([.alphabetic, .categories(1 << 8)])
  case "space", "whitespace", "wspace": return .whitespace
  case "blank": return .either([.categories(1 << 22), .ranges([9...9])])
  case "ascii": return .ranges([0...0x7f])
  case "any": return .ranges([0...0x10ffff])
  case "word": return wordScalars
  case "xdigit", "hexdigit", "ahex": refuse("a regular expression with the property \(name)")
  default: refuse("a regular expression with the property \(name)")
  }
}

// What an operation of the program does with its numbers a and b.
enum LibraryRegexVerb: UInt8 {
  case char // matches the scalar a
  case fold // a scalar that folds to a
  case set // one of set a
  case any, anyLine, anyUnix // any scalar or CR LF; one that ends no line
  case lineBreak // \R
  case many // what the operation behind matches, between a and b times, giving back one by one; the limit of b is -1 when there is none
  case split // goes on, or from a
  case splitLazy // goes on from a, or here
  case jump
  case mark // notes the place in register a
  case close // group a matched from the place of register b to here
  case again // goes on from b, unless nothing was matched since register a was noted
  case enter // lookahead, and groups that give nothing back: notes the place in register a and the height of the stack in a+1
  case enterNot // the same, and if the inside does not match goes on from b
  case behind // the same as enter, for the inside from all places of widths[b] scalars before this
  case behindNot // and the jump behind it says where to go on
  case leave // the inside matched: back to the place of register a
  case leaveAtomic // the inside matched
  case leaveNot // the inside matched, and was not to
  case hereAgain // the inside of a lookbehind must end at the place of register a
  case start, lineStart, end, lineEnd, lastLine, unixLineStart, unixLineEnd, unixLastLine, wordEdge, noWordEdge
  case back, backFold // what group a matched
  case match
}
struct LibraryRegexOp {
  var verb: LibraryRegexVerb
  var a: Int32 = 0
  var b: Int32 = 0
}

// A piece of the pattern.
indirect enum LibraryRegexNode {
  case empty
  case char(UInt32, fold: Bool)
  case set(LibraryScalarSet)
  case verb(LibraryRegexVerb) // of no width, or any scalar
  case back(Int, fold: Bool)
  case sequence([LibraryRegexNode])
  case choice([LibraryRegexNode])
  case group(Int, LibraryRegexNode)
  case atomic(LibraryRegexNode)
  case look(LibraryRegexNode, ahead: Bool, not: Bool)
  case times(LibraryRegexNode, Int, Int, LibraryGreed)

  // How many scalars it matches at least and at most; nil for no limit.
  var widths: (Int, Int?) {
    switch self {
    case .empty, .look: return (0, 0)
    case .char, .set: return (1, 1)
    case .verb(let v):
      switch v {
      case .anyLine, .anyUnix: return (1, 1)
      case .any, .lineBreak: return (1, 2)
      default: return (0, 0)
      }
    case .back: return (0, nil)
    case .sequence(let all):
      var least = 0, most: Int? = 0
      for n in all {
        let w = n.widths
        least += w.0
        most = most.flatMap { m in w.1.map { m + $0 } }
      }
      return (least, most)
    case .choice(let all):
      var least = Int.max, most: Int? = 0
      for n in all {
        let w = n.widths
        least = min(least, w.0)
        most = most.flatMap { m in w.1.map { max(m, $0) } }
      }
      return (least, most)
    case .group(_, let n), .atomic(let n): return n.widths
    case .times(let n, let from, let to, _):
      let w = n.widths
      return (w.0 * from, to == Int.max ? nil : w.1.map { $0 * to })
    }
  }
  var isSingle: Bool {
    switch self {
    case .char, .set: true
    case .verb(let v): v == .anyLine || v == .anyUnix || v == .any
    default: false
    }
  }
}
enum LibraryGreed { case greedy, lazy, possessive }

// A pattern that ICU refuses: how, and where.
struct LibraryRegexFault: Error {}

struct LibraryRegexParser {
  let text: [UInt32]
  var at = 0
  var flags: UInt // as NSRegularExpression.Options
  var groups = 0
  var names: [String: Int] = [:]
  var isBare = false // an escape of no width was read just now
  var isBehind = false
  var backs: [(name: String, number: Int)] = []

  init(_ pattern: String, _ options: UInt) {
    text = pattern.unicodeScalars.map { $0.value }
    flags = options
  }
  var fold: Bool { flags & 1 != 0 }
  func fault() -> LibraryRegexFault { LibraryRegexFault() }
  func isNext(_ c: Unicode.Scalar) -> Bool { at < text.count && text[at] == c.value }
  mutating func take(_ s: StaticString) -> Bool {
    let n = s.utf8CodeUnitCount
    if at + n > text.count { return false }
    for i in 0..<n where text[at + i] != UInt32(s.utf8Start[i]) { return false }
    at += n
    return true
  }
  mutating func skip() {
    if flags & 2 == 0 { return }
    while at < text.count {
      if isBlank(text[at]) {
        at += 1
      } else if text[at] == 0x23 {
        while at < text.count, !(text[at] == 10 || text[at] == 13 || text[at] == 0x85 || text[at] == 0x2028 || text[at] == 0x2029) { at += 1 }
      } else {
        return
      }
    }
  }
  func isBlank(_ c: UInt32) -> Bool { c == 0x20 || c >= 9 && c <= 13 || c == 0x85 || c == 0x200e || c == 0x200f || c == 0x2028 || c == 0x2029 }

  mutating func whole() throws -> LibraryRegexNode {
    if flags & 64 != 0 { refuse("NSRegularExpression with useUnicodeWordBoundaries") }
    if flags & 4 != 0 { return .sequence(text.map { .char($0, fold: fold) }) }
    let node = try choice()
    if at < text.count { throw fault() }
    for b in backs where b.number == 0 ? names[b.name] == nil : b.number > groups { throw fault() }
    return node
  }
  // Flags that are set inside a group end with it; an option alone, as (?i), lasts to the end of the group it stands in.
  mutating func choice() throws -> LibraryRegexNode {
    var all: [LibraryRegexNode] = []
    repeat { all.append(try sequence()) } while take("|")
    return all.count == 1 ? all[0] : .choice(all)
  }
  mutating func sequence() throws -> LibraryRegexNode {
    var all: [LibraryRegexNode] = []
    while true {
      skip()
      if at == text.count || isNext("|") || isNext(")") { return all.count == 1 ? all[0] : .sequence(all) }
      guard var node = try item() else { continue }
      skip()
      if isBare { // \A and the like take no quantifier
        isBare = false
        all.append(node)
        continue
      }
      var n = 0
      while let (least, most) = try quantifier() {
        n += 1
        if n > 1 { throw fault() }
        if isBehind && isNext("?") { refuse("a regular expression with a lazy quantifier in a lookbehind") }
        node = .times(node, least, most, take("?") ? .lazy : take("+") ? .possessive : .greedy)
        skip()
      }
      all.append(node)
    }
  }
  mutating func quantifier() throws -> (Int, Int)? {
    if take("*") { return (0, .max) }
    if take("+") { return (1, .max) }
    if take("?") { return (0, 1) }
    if !take("{") { return nil }
    guard let least = decimal() else { throw fault() }
    var most = least
    if take(",") { most = isNext("}") ? .max : decimal() ?? -1 }
    if !take("}") || most < least { throw fault() }
    return (least, most)
  }
  mutating func decimal() -> Int? {
    let from = at
    var n = 0
    while at < text.count, text[at] >= 0x30, text[at] <= 0x39 {
      n = n * 10 + Int(text[at] - 0x30)
      at += 1
      if n > 0x7fff_ffff { return nil }
    }
    return at == from ? nil : n
  }
  mutating func item() throws -> LibraryRegexNode? {
    let c = text[at]
    at += 1
    switch Unicode.Scalar(c) {
    case "(": return try group()
    case "[": return .set(try set())
    case ".": return .verb(flags & 8 != 0 ? .any : flags & 32 != 0 ? .anyUnix : .anyLine)
    case "^": return .verb(flags & 16 == 0 ? .start : flags & 32 != 0 ? .unixLineStart : .lineStart)
    case "$": return .verb(flags & 16 == 0 ? flags & 32 != 0 ? .unixLastLine : .lastLine : flags & 32 != 0 ? .unixLineEnd : .lineEnd)
    case "\\": return try escape()
    case "*", "+", "?", "{", "}": throw fault()
    default: return .char(c, fold: fold)
    }
  }
  mutating func closed(_ n: LibraryRegexNode, _ was: UInt) throws -> LibraryRegexNode {
    if !take(")") { throw fault() }
    flags = was
    return n
  }
  mutating func group() throws -> LibraryRegexNode? {
    let was = flags
    if !take("?") {
      groups += 1
      let n = groups
      return try closed(.group(n, try choice()), was)
    }
    if take("#") {
      while at < text.count, !isNext(")") { at += 1 }
      if !take(")") { throw fault() }
      return nil
    }
    if take(":") { return try closed(try choice(), was) }
    if take(">") { return try closed(.atomic(try choice()), was) }
    if take("=") { return try closed(.look(try choice(), ahead: true, not: false), was) }
    if take("!") { return try closed(.look(try choice(), ahead: true, not: true), was) }
    if take("<=") || take("<!") {
      let not = text[at - 1] == 0x21
      let wasBehind = isBehind
      isBehind = true
      let inside = try choice()
      isBehind = wasBehind
      if inside.widths.1 == nil { throw fault() }
      return try closed(.look(inside, ahead: false, not: not), was)
    }
    if take("<") {
      groups += 1
      let n = groups, name = try groupName()
      if names[name] != nil { throw fault() }
      names[name] = n
      return try closed(.group(n, try choice()), was)
    }
    var to = flags, on = true
    while at < text.count {
      let c = text[at]
      at += 1
      var bit: UInt = 0
      switch Unicode.Scalar(c) {
      case "i": bit = 1
      case "x": bit = 2
      case "s": bit = 8
      case "m": bit = 16
      case "d": bit = 32
      case "w": refuse("a regular expression with the option w")
      case "-":
        if !on { throw fault() }
        on = false
      case ")":
        flags = to
        return nil
      case ":":
        flags = to
        return try closed(try choice(), was)
      default: throw fault()
      }
      to = on ? to | bit : to & ~bit
    }
    throw fault()
  }
  mutating func groupName() throws -> String {
    var name = ""
    while at < text.count, let u = Unicode.Scalar(text[at]), u.isASCII, u.value >= 65 && u.value <= 90 || u.value >= 97 && u.value <= 122 || !name.isEmpty && u.value >= 48 && u.value <= 57 {
      name.unicodeScalars.append(u)
      at += 1
    }
    if name.isEmpty || !take(">") { throw fault() }
    return name
  }
  mutating func escape() throws -> LibraryRegexNode? {
    if at == text.count { throw fault() }
    let c = text[at]
    switch Unicode.Scalar(c) {
    case "A": return verb(.start)
    case "Z": return verb(.lastLine)
    case "z": return verb(.end)
    case "b": return verb(.wordEdge)
    case "B": return verb(.noWordEdge)
    case "R": return verb(.lineBreak)
    case "G", "X": refuse("a regular expression with \\\(Unicode.Scalar(c)!)")
    case "Q":
      at += 1
      var all: [LibraryRegexNode] = []
      while at < text.count, !take("\\E") {
        all.append(.char(text[at], fold: fold))
        at += 1
      }
      // A quantifier goes with the last character alone.
      if all.count > 1, at < text.count, [0x2a, 0x2b, 0x3f, 0x7b].contains(text[at]) { refuse("a regular expression with a quantifier behind \\Q…\\E") }
      return all.isEmpty ? nil : all.count == 1 ? all[0] : .sequence(all)
    case "k":
      at += 1
      if !take("<") { throw fault() }
      let name = try groupName()
      guard let n = names[name] else { throw fault() }
      return .back(n, fold: fold)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9":
      at += 1
      var n = Int(c - 0x30)
      if at < text.count, text[at] >= 0x30, text[at] <= 0x39, n * 10 + Int(text[at] - 0x30) <= groups {
        n = n * 10 + Int(text[at] - 0x30)
        at += 1
      }
      backs.append(("", n))
      return .back(n, fold: fold)
    default: break
    }
    if let s = try escapedSet() { return .set(s) }
    return .char(try escapedScalar(), fold: fold)
  }
  mutating func verb(_ v: LibraryRegexVerb) -> LibraryRegexNode {
    at += 1
    isBare = v != .lineBreak
    return .verb(v)
  }
  // A set by its letter, behind a backslash.
  mutating func escapedSet() throws -> LibraryScalarSet? {
    let c = text[at]
    let vertical: LibraryScalarSet = .ranges([10...13, 0x85...0x85, 0x2028...0x2029])
    let horizontal: LibraryScalarSet = .either([.categories(1 << 22), .ranges([9...9])])
    let found: LibraryScalarSet
    switch Unicode.Scalar(c) {
    case "d": found = .categories(1 << 8)
    case "D": found = .not(.categories(1 << 8))
    case "w": found = wordScalars
    case "W": found = .not(wordScalars)
    case "s": found = .whitespace
    case "S": found = .not(.whitespace)
    case "h": found = horizontal
    case "H": found = .not(horizontal)
    case "v": found = vertical
    case "V": found = .not(vertical)
    case "p", "P":
      at += 1
      let name = try braced()
      let s: LibraryScalarSet = fold ? .folded(propertySet(name)) : propertySet(name)
      return c == 0x50 ? .not(s) : s
    default: return nil
    }
    at += 1
    return found
  }
  mutating func braced() throws -> String {
    if !take("{") { throw fault() }
    var s = ""
    while at < text.count, !isNext("}") {
      s.unicodeScalars.append(Unicode.Scalar(text[at]) ?? " ")
      at += 1
    }
    if !take("}") || s.isEmpty { throw fault() }
    if s.hasPrefix("^") { refuse("a regular expression with the property \(s)") }
    return s
  }
  mutating func hex(_ most: Int, _ least: Int) throws -> UInt32 {
    var n: UInt32 = 0, count = 0
    while count < most, at < text.count, let d = digit(text[at]) {
      n = n << 4 | d
      at += 1
      count += 1
    }
    if count < least || n > 0x10ffff { throw fault() }
    return n
  }
  func digit(_ c: UInt32) -> UInt32? { c >= 0x30 && c <= 0x39 ? c - 0x30 : c >= 0x41 && c <= 0x46 ? c - 55 : c >= 0x61 && c <= 0x66 ? c - 87 : nil }
  // One scalar behind a backslash.
  mutating func escapedScalar() throws -> UInt32 {
    let c = text[at]
    at += 1
    switch Unicode.Scalar(c) {
    case "a": return 7
    case "e": return 27
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "x":
      if take("{") {
        let n = try hex(6, 1)
        if !take("}") { throw fault() }
        return n
      }
      return try hex(2, 1)
    case "u": return try hex(4, 4)
    case "U": return try hex(8, 8)
    case "0":
      var n: UInt32 = 0, count = 0
      while count < 3, at < text.count, text[at] >= 0x30, text[at] <= 0x37, n * 8 + text[at] - 0x30 <= 0xff {
        n = n * 8 + text[at] - 0x30
        at += 1
        count += 1
      }
      if count == 0 { throw fault() }
      return n
    case "c", "N": refuse("a regular expression with \\\(Unicode.Scalar(c)!)")
    default:
      if c >= 0x41 && c <= 0x5a || c >= 0x61 && c <= 0x7a { throw fault() }
      return c
    }
  }
  // A set in brackets, behind the first.
  mutating func set() throws -> LibraryScalarSet {
    let isNot = take("^")
    var parts: [LibraryScalarSet] = [], ranges: [ClosedRange<UInt32>] = []
    var result: LibraryScalarSet? = nil, isMinus = false
    var first = true
    func joined() -> LibraryScalarSet {
      let own: LibraryScalarSet = .either(parts + (ranges.isEmpty ? [] : [.ranges(ranges)]))
      guard let r = result else { return own }
      return .both(r, isMinus ? .not(own) : own)
    }
    while true {
      if at == text.count { throw fault() }
      if flags & 2 != 0, isBlank(text[at]) || text[at] == 0x23 { refuse("a regular expression with comments and blanks in a set") }
      if take("[:") {
        let not = take("^")
        var name = ""
        while at < text.count, !isNext(":") {
          name.unicodeScalars.append(Unicode.Scalar(text[at]) ?? " ")
          at += 1
        }
        if !take(":]") { refuse("a regular expression with [: in a set that names no property") }
        parts.append(not ? .not(propertySet(name)) : propertySet(name))
      } else if take("[") {
        if fold { refuse("a regular expression that ignores case, with a set in a set") }
        parts.append(try set())
      } else if !first, take("]") {
        let s: LibraryScalarSet = fold ? .folded(joined()) : joined()
        return isNot ? .not(s) : s
      } else if take("&&") || take("--") {
        if first || fold { refuse("a regular expression with an operator in a set") }
        let now = joined()
        isMinus = text[at - 1] == 0x2d
        (result, parts, ranges) = (now, [], [])
      } else if let s = isNext("\\") ? try setEscape() : nil {
        parts.append(s)
        if isNext("-"), at + 1 < text.count, text[at + 1] != 0x5d { throw fault() }
      } else {
        let low = try setScalar()
        if isNext("-"), at + 1 < text.count, text[at + 1] != 0x5d {
          if text[at + 1] == 0x2d || text[at + 1] == 0x5b { refuse("a regular expression with an operator in a set") }
          at += 1
          let high = try setScalar()
          if high < low { throw fault() }
          ranges.append(low...high)
        } else {
          ranges.append(low...low)
        }
      }
      first = false
    }
  }
  mutating func setEscape() throws -> LibraryScalarSet? {
    at += 1
    if at == text.count { throw fault() }
    if isNext("Q") || isNext("R") || isNext("X") || isNext("b") || isNext("B") { refuse("a regular expression with \\\(Unicode.Scalar(text[at])!) in a set") }
    if let s = try escapedSet() { return s }
    at -= 1
    return nil
  }
  mutating func setScalar() throws -> UInt32 {
    if at == text.count { throw fault() }
    let c = text[at]
    at += 1
    if c != 0x5c { return c }
    if at == text.count { throw fault() }
    if isNext("d") || isNext("w") || isNext("s") || isNext("D") || isNext("W") || isNext("S") || isNext("p") || isNext("P") { throw fault() }
    return try escapedScalar()
  }
}
