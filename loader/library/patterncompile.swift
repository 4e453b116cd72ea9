// Patterns as programs that patternmatch.swift runs.

enum PatternVerb: UInt8 {
  case char, charAnyCase, character, characterAnyCase, scalar, scalarAnyCase, any, dot, builtin, set, property
  case many // of the unit that follows: a to b times
  case branch // goes on at a, then at b
  case jump, enter, loop, clear
  case start, end, value, transform, anchor, backreference, ahead, atomic, done, matcher, fail
}

// a and b are what the verb needs: an ASCII character, a scalar, a place in a table, a register, an operation.
struct PatternOp {
  var verb: PatternVerb
  var scalars = false // steps by scalars and not by characters
  var flag = false // inverted, of any line, possessive or negative
  var strict = false // matches ASCII alone
  var a = 0, b = 0, c = 0
}

struct PatternLoop {
  var low: Int, high: Int, kind: PatternKind
  var enter = 0, exit = 0
  var count: Int, position: Int // registers
}

// A set as it is asked: what it says of ASCII is noted.
final class PatternTable {
  let set: PatternSet
  let options: PatternOptions
  var known: (UInt64, UInt64) = (0, 0), yes: (UInt64, UInt64) = (0, 0)
  init(_ s: PatternSet, _ o: PatternOptions) {
    set = s
    options = o
  }
}

struct PatternGroup {
  var name: String?
  var reference: Int?
  var depth: Int // how often its value is wrapped in an Optional
  var type: Any.Type?
  var visible: Bool
}

final class PatternCode {
  var ops: [PatternOp] = []
  var characters: [Character] = []
  var tables: [PatternTable] = []
  var properties: [PatternProperty] = []
  var loops: [PatternLoop] = []
  var matchers: [PatternMatcher] = []
  var transforms: [PatternTransform] = []
  var groups: [PatternGroup] = []
  var registers = 0
  var values = false // whether a capture has a value of its own
  var wholeType: Any.Type? = nil
  var wholeValue = false
  var scalars = false // searches step by scalars
}

struct PatternCompiler {
  let code = PatternCode()
  var options = PatternOptions()
  var hasUnit = false
  var unresolved: [(Int, PatternNode)] = []

  static func compile(_ node: PatternNode) -> PatternCode {
    var c = PatternCompiler()
    c.code.wholeType = wholeType(node)
    c.collect(node, outer: 0, inner: 0, nests: true, visible: true)
    c.code.wholeValue = c.code.wholeType != nil
    let value = c.emit(node)
    if c.code.wholeValue && value == nil { c.code.wholeValue = false }
    c.put(.done)
    for (at, n) in c.unresolved {
      let found: Int?
      switch n {
      case .namedReference(let name): found = c.code.groups.firstIndex { $0.name == name }
      case .reference(let r): found = c.code.groups.firstIndex { $0.reference == r }
      default: found = nil
      }
      guard let found else { refuse("a regular expression with a reference to no capture of it") }
      c.code.ops[at].a = found
    }
    return c.code
  }

  // The type that a pattern's match is when it is made by a component of the program.
  static func wholeType(_ n: PatternNode) -> Any.Type? {
    switch n {
    case .matcher(let t, _): return t
    case .group(let n), .silent(let n), .literal(let n), .options(_, let n): return wholeType(n)
    default: return nil
    }
  }

  // The captures in the order of their parentheses.
  mutating func collect(_ n: PatternNode, outer: Int, inner: Int, nests: Bool, visible: Bool) {
    switch n {
    case .choice(let all): for n in all { collect(n, outer: outer, inner: nests ? inner + 1 : 1, nests: nests, visible: visible) }
    case .sequence(let all): for n in all { collect(n, outer: outer, inner: inner, nests: nests, visible: visible) }
    case .capture(let c, let n):
      code.groups.append(PatternGroup(name: c.name, reference: c.reference, depth: outer + inner, type: c.type ?? PatternCompiler.wholeType(n), visible: visible))
      collect(n, outer: outer, inner: inner, nests: nests, visible: visible)
    case .quantity(let low, _, _, let n): collect(n, outer: outer, inner: low == 0 ? nests ? inner + 1 : 1 : inner, nests: nests, visible: visible)
    case .silent(let n): collect(n, outer: outer, inner: inner, nests: nests, visible: false)
    case .literal(let n): collect(n, outer: outer + inner, inner: 0, nests: false, visible: visible)
    case .group(let n), .atomic(let n), .ahead(let n, _), .options(_, let n): collect(n, outer: outer, inner: inner, nests: nests, visible: visible)
    default: break
    }
  }

  mutating func put(_ verb: PatternVerb, _ a: Int = 0, _ b: Int = 0, flag: Bool = false, strict: Bool = false) {
    code.ops.append(PatternOp(verb: verb, scalars: options.scalars, flag: flag, strict: strict, a: a, b: b))
  }
  var here: Int { code.ops.count }
  mutating func unit() {
    if !hasUnit { code.scalars = options.scalars }
    hasUnit = true
  }
  mutating func register() -> Int {
    code.registers += 1
    return code.registers - 1
  }

  // Characters of the text, which two that stand beside each other may make up.
  mutating func literal(_ s: String) {
    unit()
    if options.scalars {
      for u in s.unicodeScalars { put(options.ignoresCase && u.properties.isCased ? .scalarAnyCase : .scalar, Int(u.value)) }
      return
    }
    for c in s {
      let anyCase = options.ignoresCase && c.isCased
      if c != "\r\n", let a = c.asciiValue {
        put(anyCase ? .charAnyCase : .char, anyCase ? Int(a | 0x20) : Int(a))
      } else {
        code.characters.append(c)
        put(anyCase ? .characterAnyCase : .character, code.characters.count - 1)
      }
    }
  }

  func text(_ n: PatternNode) -> String? {
    switch n {
    case .char(let c): return String(c)
    case .scalar(let u): return String(Character(u))
    case .sequence(let all):
      var s = ""
      for n in all {
        guard let t = text(n) else { return nil }
        s.unicodeScalars.append(contentsOf: t.unicodeScalars)
      }
      return s
    default: return nil
    }
  }

  // Whether n is one unit of the text in one operation.
  func isUnit(_ n: PatternNode) -> Bool {
    switch n {
    case .char(let c): return !options.scalars || c.unicodeScalars.count == 1
    case .scalar, .dot, .any, .anyButNewline, .set, .property: return true
    case .builtin(let k, _): return k != .newline && k != .cluster || !options.scalars
    case .group(let n), .literal(let n): return isUnit(n)
    default: return false
    }
  }

  mutating func scoped(_ f: (inout PatternCompiler) -> Int?) -> Int? {
    let saved = options
    let v = f(&self)
    options = saved
    return v
  }

  // Emits n, and returns the register of what its component made, nil when there is none.
  @discardableResult mutating func emit(_ n: PatternNode) -> Int? {
    switch n {
    case .empty: break
    case .char, .scalar: literal(text(n)!)
    case .dot:
      unit()
      put(options.dotAll ? .any : .dot)
    case .any:
      unit()
      put(.any)
    case .anyButNewline:
      unit()
      put(.dot)
    case .builtin(let k, let inverted):
      unit()
      put(.builtin, k.number, flag: inverted, strict: options.isStrict(k))
    case .set(let s):
      unit()
      code.tables.append(PatternTable(withLineEnds(joined(s)), options))
      put(.set, code.tables.count - 1)
    case .property(let p):
      unit()
      code.properties.append(p)
      put(.property, code.properties.count - 1)
    case .anchor(let a):
      put(.anchor, a.number, options.simpleWords ? 1 : 0, flag: options.lines, strict: options.asciiWords)
    case .sequence(let all):
      var run = ""
      for n in all {
        if let t = text(n) {
          run.unicodeScalars.append(contentsOf: t.unicodeScalars)
          continue
        }
        if !run.isEmpty { literal(run) }
        run = ""
        emit(n)
      }
      if !run.isEmpty { literal(run) }
    case .choice(let all):
      var ends: [Int] = []
      for n in all.dropLast() {
        let at = here
        put(.branch, here + 1)
        emit(n)
        ends.append(here)
        put(.jump)
        code.ops[at].b = here
      }
      emit(all.last!)
      for e in ends { code.ops[e].a = here }
    case .capture(let c, let n):
      let g = nextGroup
      nextGroup += 1
      return scoped { s in
        s.put(.start, g)
        let v = s.emit(n)
        s.put(.end, g)
        if let v {
          s.code.values = true
          s.put(.value, g, v)
        }
        if let t = c.transform {
          s.code.values = true
          s.code.transforms.append(t)
          s.put(.transform, g, s.code.transforms.count - 1)
        }
        return nil
      }
    case .group(let n): return scoped { s in s.emit(n) }
    case .literal(let n): return scoped { s in s.emit(n) }
    case .silent(let n): return emit(n)
    case .options(let f, let n):
      return scoped { s in
        f(&s.options)
        return s.emit(n)
      }
    case .change(let f): f(&options)
    case .atomic(let n):
      _ = scoped { s in
        let at = s.here
        s.put(.atomic)
        s.emit(n)
        s.put(.done)
        s.code.ops[at].a = s.here
        return nil
      }
    case .ahead(let n, let negative):
      _ = scoped { s in
        let at = s.here
        s.put(.ahead, flag: negative)
        s.emit(n)
        s.put(.done)
        s.code.ops[at].a = s.here
        return nil
      }
    case .backreference(let i): put(.backreference, i - 1)
    case .namedReference, .reference:
      unresolved.append((here, n))
      put(.backreference)
    case .quantity(let low, let high, let kind, let n): quantity(low, high, kind ?? options.kind, n)
    case .matcher(_, let f):
      let r = register()
      code.matchers.append(f)
      put(.matcher, code.matchers.count - 1, r)
      return r
    }
    return nil
  }
  var nextGroup = 0

  mutating func quantity(_ low: Int, _ high: Int?, _ kind: PatternKind, _ n: PatternNode) {
    let top = high ?? Int.max
    let kind = kind == .other ? options.kind == .reluctant ? .eager : .reluctant : kind
    if top == 0 || low > top {
      skip(n)
      return
    }
    if kind != .reluctant && isUnit(n) {
      put(.many, low, top, flag: kind == .possessive)
      let at = here
      emit(n)
      if here != at + 1 { fatalError("a unit of a pattern in several operations") }
      return
    }
    if kind == .possessive {
      emit(.atomic(.quantity(low, high, .eager, n)))
      return
    }
    let l = code.loops.count
    code.loops.append(PatternLoop(low: low, high: top, kind: kind, count: register(), position: register()))
    put(.clear, l)
    let loop = here
    put(.loop, l)
    code.loops[l].enter = here
    put(.enter, l)
    emit(n)
    put(.jump, loop)
    code.loops[l].exit = here
  }

  // What is repeated no time is passed over.
  func skip(_ n: PatternNode) {
    var c = PatternCompiler()
    c.collect(n, outer: 0, inner: 0, nests: true, visible: true)
    if !c.code.groups.isEmpty { refuse("a capture of a regular expression that is repeated no time") }
  }

  // A set of all but ASCII characters with the carriage return among them has not CR LF either, where that is one character.
  func withLineEnds(_ s: PatternSet) -> PatternSet {
    if options.scalars || !s.inverted { return s }
    var has = false
    for m in s.members {
      switch m {
      case .char(let c):
        guard c.unicodeScalars.count == 1, c.isASCII else { return s }
        has = has || c == "\r"
      case .scalar(let u):
        guard u.isASCII else { return s }
        has = has || u == "\r"
      case .range(let a, let b):
        guard b.isASCII else { return s }
        has = has || a.value <= 13 && b.value >= 13
      default: return s
      }
    }
    if !has { return s }
    return PatternSet(members: s.members + [.char("\r\n")], inverted: true)
  }

  // Scalars that stand beside each other in a set are one character.
  func joined(_ s: PatternSet) -> PatternSet {
    if options.scalars { return s }
    var out: [PatternMember] = [], run = ""
    func flush() {
      for c in run { out.append(.char(c)) }
      run = ""
    }
    for m in s.members {
      switch m {
      case .char(let c): run.unicodeScalars.append(contentsOf: c.unicodeScalars)
      case .scalar(let u): run.unicodeScalars.append(u)
      case .set(let s):
        flush()
        out.append(.set(joined(s)))
      case .intersection(let a, let b):
        flush()
        out.append(.intersection(joined(a), joined(b)))
      case .subtraction(let a, let b):
        flush()
        out.append(.subtraction(joined(a), joined(b)))
      case .difference(let a, let b):
        flush()
        out.append(.difference(joined(a), joined(b)))
      default:
        flush()
        out.append(m)
      }
    }
    flush()
    return PatternSet(members: out, inverted: s.inverted)
  }
}

extension PatternOptions {
  func isStrict(_ k: PatternClass) -> Bool {
    switch k {
    case .digit: return asciiDigits
    case .horizontal, .newline, .vertical, .space: return asciiSpaces
    case .word: return asciiWords
    case .cluster, .any: return false
    }
  }
}
extension PatternClass {
  var number: Int {
    switch self {
    case .digit: return 0
    case .horizontal: return 1
    case .newline: return 2
    case .vertical: return 3
    case .space: return 4
    case .word: return 5
    case .cluster: return 6
    case .any: return 7
    }
  }
}
extension PatternAnchor {
  var number: Int {
    switch self {
    case .start: return 0
    case .endBeforeNewline: return 1
    case .end: return 2
    case .first: return 3
    case .segment: return 4
    case .notSegment: return 5
    case .startOfLine: return 6
    case .endOfLine: return 7
    case .caret: return 8
    case .dollar: return 9
    case .word: return 10
    case .notWord: return 11
    }
  }
}
