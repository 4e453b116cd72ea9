// Runs the programs of patterns over the UTF-8 of a string, with a stack of what to try next and of what to put back.

@_spi(_Unicode) import Swift

struct PatternEntry {
  // What lies on the stack: a place to go on at; the end of a run of units that may be given back; and old captures and registers.
  enum Kind: UInt8 { case branch, run, capture, begin, value, register }
  var kind: Kind
  var a: Int, b: Int, c: Int
}

struct PatternSearch {
  let code: PatternCode
  let input: String
  let from: Int, to: Int // the bounds of the text
  var first: Int // where the search began
  var whole = false // only the whole text is a match
  let bytes: UnsafeBufferPointer<UInt8>
  var stack: [PatternEntry] = []
  var starts: [Int], ends: [Int], begins: [Int]
  var values: [Any?], saved: [Any?] = []
  var registers: [Int], results: [Any?]
  var failure: (any Error)? = nil
  var wordBounds: Set<Int>? = nil, wordLast: Int

  init(_ c: PatternCode, _ s: String, _ b: UnsafeBufferPointer<UInt8>, _ from: Int, _ to: Int) {
    code = c
    input = s
    bytes = b
    self.from = from
    self.to = to
    first = from
    wordLast = from
    let n = c.groups.count
    starts = Array(repeating: -1, count: n)
    ends = starts
    begins = starts
    values = Array(repeating: nil, count: c.values ? n : 0)
    registers = Array(repeating: 0, count: c.registers)
    results = Array(repeating: nil, count: c.matchers.isEmpty ? 0 : c.registers)
  }

  func index(_ at: Int) -> String.Index { input.utf8.index(input.startIndex, offsetBy: at) }
  func offset(_ i: String.Index) -> Int { input.utf8.distance(from: input.startIndex, to: i) }

  // Whether the byte at a place is a character, as far as can be told from it and the one after it.
  @inline(__always) func isPlain(_ at: Int) -> Bool {
    let b = bytes[at]
    if b >= 0x80 { return false }
    if at + 1 >= to { return true }
    let n = bytes[at + 1]
    return n < 0x80 && !(b == 13 && n == 10)
  }
  func character(_ at: Int) -> Character { characterAndEnd(at).0 }
  func characterAndEnd(_ at: Int) -> (Character, Int) {
    let i = index(at), end = offset(input.index(after: i))
    if end <= to { return (input[i], end) }
    let s = input[i..<index(to)]
    return (s.first!, to)
  }
  func scalarAndEnd(_ at: Int) -> (Unicode.Scalar, Int) {
    let b = bytes[at]
    if b < 0x80 { return (Unicode.Scalar(b), at + 1) }
    let u = input.unicodeScalars[index(at)]
    return (u, at + (u.value < 0x800 ? 2 : u.value < 0x10000 ? 3 : 4))
  }
  func next(_ at: Int, _ scalars: Bool) -> Int {
    if scalars { return scalarAndEnd(at).1 }
    return isPlain(at) ? at + 1 : characterAndEnd(at).1
  }
  func previous(_ at: Int, _ scalars: Bool) -> Int {
    let b = bytes[at - 1]
    if b < 0x80 && (scalars || b != 10 || at - 2 < from || bytes[at - 2] != 13) { return at - 1 }
    if scalars {
      var i = at - 1
      while bytes[i] & 0xc0 == 0x80 { i -= 1 }
      return i
    }
    return max(from, offset(input.index(before: index(at))))
  }

  // Where the unit that an operation wants ends, -1 if it is not there.
  @inline(__always) mutating func unit(_ op: PatternOp, _ at: Int) -> Int {
    if at >= to { return -1 }
    switch op.verb {
    case .char:
      if isPlain(at) { return Int(bytes[at]) == op.a ? at + 1 : -1 }
      return slowUnit(op, at)
    case .dot:
      if isPlain(at) { return bytes[at] >= 10 && bytes[at] <= 13 ? -1 : at + 1 }
      return slowUnit(op, at)
    case .any: return next(at, op.scalars)
    case .set:
      if op.scalars ? bytes[at] < 0x80 : isPlain(at) { return isInTable(code.tables[op.a], bytes[at]) ? at + 1 : -1 }
      return slowUnit(op, at)
    case .builtin:
      if op.a < 6 && (op.scalars ? bytes[at] < 0x80 && op.a != 2 : isPlain(at)) { return isASCII(op.a, bytes[at]) != op.flag ? at + 1 : -1 }
      return slowUnit(op, at)
    default: return slowUnit(op, at)
    }
  }

  @inline(never) mutating func slowUnit(_ op: PatternOp, _ at: Int) -> Int {
    switch op.verb {
    case .char:
      let (c, end) = characterAndEnd(at)
      return c == Character(Unicode.Scalar(UInt8(op.a))) ? end : -1
    case .charAnyCase: return isPlain(at) && Int(bytes[at] | 0x20) == op.a ? at + 1 : anyCase(Character(Unicode.Scalar(UInt8(op.a))), at)
    case .character:
      let (c, end) = characterAndEnd(at)
      return c == code.characters[op.a] ? end : -1
    case .characterAnyCase: return anyCase(code.characters[op.a], at)
    case .scalar:
      let (u, end) = scalarAndEnd(at)
      return Int(u.value) == op.a ? end : -1
    case .scalarAnyCase:
      let (u, end) = scalarAndEnd(at)
      return u.properties.lowercaseMapping == Unicode.Scalar(UInt32(op.a))!.properties.lowercaseMapping ? end : -1
    case .dot:
      let isNewline = op.scalars ? isNewlineScalar(scalarAndEnd(at).0) : character(at).isNewline
      return isNewline ? -1 : next(at, op.scalars)
    case .set: return isIn(code.tables[op.a].set, code.tables[op.a].options, at) ? next(at, op.scalars) : -1
    case .property: return has(code.properties[op.a], at, op.scalars) ? next(at, op.scalars) : -1
    case .builtin: return builtin(op, at)
    default: fatalError("no unit of a pattern")
    }
  }
  func anyCase(_ c: Character, _ at: Int) -> Int {
    let (d, end) = characterAndEnd(at)
    return c == d || c.lowercased() == d.lowercased() ? end : -1
  }
  func isNewlineScalar(_ u: Unicode.Scalar) -> Bool { u.value >= 10 && u.value <= 13 || u.value == 0x85 || u.value == 0x2028 || u.value == 0x2029 }
  func isHorizontal(_ u: Unicode.Scalar) -> Bool { u.value == 9 || u.properties.generalCategory == .spaceSeparator }

  @inline(__always) func isASCII(_ k: Int, _ b: UInt8) -> Bool {
    switch k {
    case 0: return b >= 0x30 && b <= 0x39
    case 1: return b == 0x20 || b == 9
    case 2, 3: return b >= 10 && b <= 13
    case 4: return b == 0x20 || b >= 9 && b <= 13
    default: return b >= 0x30 && b <= 0x39 || b | 0x20 >= 0x61 && b | 0x20 <= 0x7a || b == 0x5f
    }
  }
  func builtin(_ op: PatternOp, _ at: Int) -> Int {
    let matched = isBuiltin(op.a, op.strict, op.scalars, at)
    if matched == op.flag { return -1 }
    if !op.scalars || op.a == 6 { return next(at, false) }
    let end = scalarAndEnd(at).1
    return op.a == 2 && !op.flag && bytes[at] == 13 && end < to && bytes[end] == 10 ? end + 1 : end
  }
  func isBuiltin(_ k: Int, _ strict: Bool, _ scalars: Bool, _ at: Int) -> Bool {
    let u = scalarAndEnd(at).0
    if scalars {
      if strict && !u.isASCII { return k >= 6 }
      switch k {
      case 0: return u.properties.numericType != nil
      case 1: return isHorizontal(u)
      case 2, 3: return isNewlineScalar(u)
      case 4: return u.properties.isWhitespace
      case 5: return u.properties.isAlphabetic
      default: return true
      }
    }
    let c = character(at)
    if strict && !c.isASCII { return k >= 6 }
    switch k {
    case 0: return c.isNumber
    case 1: return isHorizontal(u)
    case 2, 3: return isNewlineScalar(u)
    case 4: return c.isWhitespace
    case 5: return isWord(c)
    default: return true
    }
  }
  func isWord(_ c: Character) -> Bool { c.isLetter || c.isNumber || c == "_" }

  func has(_ p: PatternProperty, _ at: Int, _ scalars: Bool) -> Bool {
    let u = scalarAndEnd(at).0
    switch p {
    case .all: return true
    case .category(let all): return all.contains(u.properties.generalCategory)
    case .scalar(let f): return f(u)
    case .single(let f): return f(u) && (scalars || character(at).unicodeScalars.count == 1)
    case .not(let p): return !has(p, at, scalars)
    }
  }

  @inline(__always) func isInTable(_ t: PatternTable, _ b: UInt8) -> Bool {
    let bit = UInt64(1) << UInt64(b & 63)
    if b < 64 ? t.known.0 & bit != 0 : t.known.1 & bit != 0 { return b < 64 ? t.yes.0 & bit != 0 : t.yes.1 & bit != 0 }
    return learn(t, b, bit)
  }
  @inline(never) func learn(_ t: PatternTable, _ b: UInt8, _ bit: UInt64) -> Bool {
    let is_ = asciiIs(t.set, t.options, b)
    if b < 64 {
      t.known.0 |= bit
      if is_ { t.yes.0 |= bit }
    } else {
      t.known.1 |= bit
      if is_ { t.yes.1 |= bit }
    }
    return is_
  }
  func asciiIs(_ s: PatternSet, _ o: PatternOptions, _ b: UInt8) -> Bool {
    withUnsafePointer(to: b) { p in
      var one = PatternSearch(code, String(Character(Unicode.Scalar(b))), UnsafeBufferPointer(start: p, count: 1), 0, 1)
      return one.isIn(s, o, 0)
    }
  }

  // Whether the unit at a place is in a set.
  mutating func isIn(_ s: PatternSet, _ o: PatternOptions, _ at: Int) -> Bool {
    for m in s.members where isMember(m, o, at) { return !s.inverted }
    return s.inverted
  }
  mutating func isMember(_ m: PatternMember, _ o: PatternOptions, _ at: Int) -> Bool {
    switch m {
    case .char(let c):
      if o.scalars { return c.unicodeScalars.contains { isScalar($0, o, at) } }
      let d = character(at)
      return c == d || o.ignoresCase && c.isCased && c.lowercased() == d.lowercased()
    case .scalar(let u): return o.scalars ? isScalar(u, o, at) : isMember(.char(Character(u)), o, at)
    case .range(let low, let high):
      let u: Unicode.Scalar
      if o.scalars { u = scalarAndEnd(at).0 } else {
        guard let v = nfc(character(at)) else { return false }
        u = v
      }
      if low <= u && u <= high { return true }
      if !o.ignoresCase { return false }
      for s in [u.properties.lowercaseMapping, u.properties.uppercaseMapping] {
        let all = o.scalars ? s : composed(s)
        if all.unicodeScalars.count == 1, let v = all.unicodeScalars.first, v != u, low <= v && v <= high { return true }
      }
      return false
    case .builtin(let k, let inverted): return isBuiltin(k.number, o.isStrict(k), o.scalars, at) != inverted
    case .property(let p): return has(p, at, o.scalars)
    case .set(let s): return isIn(s, o, at)
    case .intersection(let a, let b): return isIn(a, o, at) && isIn(b, o, at)
    case .subtraction(let a, let b): return isIn(a, o, at) && !isIn(b, o, at)
    case .difference(let a, let b): return isIn(a, o, at) != isIn(b, o, at)
    }
  }
  func isScalar(_ u: Unicode.Scalar, _ o: PatternOptions, _ at: Int) -> Bool {
    let v = scalarAndEnd(at).0
    return u == v || o.ignoresCase && u.properties.isCased && u.properties.lowercaseMapping == v.properties.lowercaseMapping
  }

  func isNewline(_ at: Int, _ scalars: Bool) -> Bool { scalars ? isNewlineScalar(scalarAndEnd(at).0) : character(at).isNewline }
  mutating func holds(_ op: PatternOp, _ at: Int) -> Bool {
    switch op.a {
    case 0: return at == from
    case 1: return at == to || next(at, op.scalars) == to && isNewline(at, op.scalars)
    case 2: return at == to
    case 3: return at == first
    case 4, 5: return (at == from || at == to || isPlain(at) && isPlain(at - 1) || input.index(before: input.index(after: index(at))) == index(at)) == (op.a == 4)
    case 6: return at == from || isNewline(previous(at, op.scalars), op.scalars)
    case 7: return at == to || isNewline(at, op.scalars)
    case 8: return at == from || op.flag && isNewline(previous(at, op.scalars), op.scalars)
    case 9: return at == to || op.flag && isNewline(at, op.scalars)
    default: return isWordBound(op, at) == (op.a == 10)
    }
  }
  mutating func isWordBound(_ op: PatternOp, _ at: Int) -> Bool {
    if op.b != 0 {
      if from == to { return false }
      let before = at > from && isSimpleWord(op, previous(at, op.scalars)), after = at < to && isSimpleWord(op, at)
      return before != after
    }
    if at == from || at == to { return true }
    if wordBounds == nil { wordBounds = [] }
    while wordLast < to, wordLast <= at {
      wordBounds!.insert(wordLast)
      wordLast = offset(input._wordIndex(after: index(wordLast)))
    }
    return wordBounds!.contains(at)
  }
  func isSimpleWord(_ op: PatternOp, _ at: Int) -> Bool {
    if op.scalars {
      let u = scalarAndEnd(at).0
      return (u.properties.isAlphabetic || u == "_") && (u.isASCII || !op.strict)
    }
    let c = character(at)
    return isWord(c) && (c.isASCII || !op.strict)
  }

  mutating func keep(_ g: Int) {
    stack.append(PatternEntry(kind: .capture, a: g, b: starts[g], c: ends[g]))
    if code.values {
      saved.append(values[g])
      stack.append(PatternEntry(kind: .value, a: g, b: 0, c: 0))
    }
  }
  mutating func set(_ r: Int, _ v: Int) {
    stack.append(PatternEntry(kind: .register, a: r, b: registers[r], c: 0))
    registers[r] = v
  }
  // Forgets the places to go on at above a height, but not what is to be put back.
  mutating func commit(_ height: Int) {
    var n = height
    for i in height..<stack.count where stack[i].kind != .branch && stack[i].kind != .run {
      stack[n] = stack[i]
      n += 1
    }
    stack.removeSubrange(n...)
  }
  // Undoes what lies above a height.
  mutating func undo(_ height: Int) {
    while stack.count > height {
      let e = stack.removeLast()
      putBack(e)
    }
  }
  mutating func putBack(_ e: PatternEntry) {
    switch e.kind {
    case .capture:
      starts[e.a] = e.b
      ends[e.a] = e.c
    case .begin: begins[e.a] = e.b
    case .value: values[e.a] = saved.removeLast()
    case .register: registers[e.a] = e.b
    case .branch, .run: break
    }
  }

  // Runs from an operation on until done, and returns where that was; nil when there is no match. What is left on the stack above its height
  // at the start may be tried again.
  mutating func run(_ pc: Int, _ at: Int) -> Int? {
    let height = stack.count
    var pc = pc, at = at
    while true {
      let op = code.ops[pc]
      var ok = true
      switch op.verb {
      case .char, .charAnyCase, .character, .characterAnyCase, .scalar, .scalarAnyCase, .any, .dot, .builtin, .set, .property:
        let end = unit(op, at)
        ok = end >= 0
        if ok { at = end }
        pc += 1
      case .many:
        let each = code.ops[pc + 1]
        var n = 0, least = at
        while n < op.b {
          let end = unit(each, at)
          if end < 0 { break }
          at = end
          n += 1
          if n == op.a { least = at }
        }
        ok = n >= op.a
        pc += 2
        if ok && !op.flag && at > least { stack.append(PatternEntry(kind: .run, a: pc, b: least, c: each.scalars ? -at : at)) }
      case .branch:
        stack.append(PatternEntry(kind: .branch, a: op.b, b: at, c: 0))
        pc = op.a
      case .jump: pc = op.a
      case .clear:
        set(code.loops[op.a].count, 0)
        pc += 1
      case .loop:
        let l = code.loops[op.a], n = registers[l.count]
        if n > 0 && l.high == Int.max && registers[l.position] == at || n >= l.high {
          pc = l.exit
        } else if n < l.low {
          pc = l.enter
        } else if l.kind == .reluctant {
          stack.append(PatternEntry(kind: .branch, a: l.enter, b: at, c: 0))
          pc = l.exit
        } else {
          stack.append(PatternEntry(kind: .branch, a: l.exit, b: at, c: 0))
          pc = l.enter
        }
      case .enter:
        let l = code.loops[op.a]
        set(l.count, registers[l.count] + 1)
        set(l.position, at)
        pc += 1
      case .start:
        stack.append(PatternEntry(kind: .begin, a: op.a, b: begins[op.a], c: 0))
        begins[op.a] = at
        pc += 1
      case .end:
        keep(op.a)
        starts[op.a] = begins[op.a]
        ends[op.a] = at
        if code.values { values[op.a] = nil }
        pc += 1
      case .value:
        values[op.a] = results[op.b]
        pc += 1
      case .transform:
        do {
          let v = try code.transforms[op.b](values[op.a] ?? input[index(starts[op.a])..<index(ends[op.a])])
          ok = v != nil
          if ok { values[op.a] = v }
        } catch {
          failure = error
          return nil
        }
        pc += 1
      case .anchor:
        ok = holds(op, at)
        pc += 1
      case .backreference:
        ok = starts[op.a] >= 0
        if ok {
          let end = same(starts[op.a], ends[op.a], at, op.scalars)
          ok = end >= 0
          at = max(end, at)
        }
        pc += 1
      case .ahead:
        let top = stack.count
        let end = run(pc + 1, at)
        if failure != nil { return nil }
        if op.flag { undo(top) } else if end != nil { commit(top) }
        ok = (end != nil) != op.flag
        pc = op.a
      case .atomic:
        let top = stack.count
        let end = run(pc + 1, at)
        if failure != nil { return nil }
        ok = end != nil
        if let end {
          commit(top)
          at = end
        }
        pc = op.a
      case .matcher:
        do {
          if let (i, v) = try code.matchers[op.a](input, index(at), index(from)..<index(to)) {
            at = offset(i)
            results[op.b] = v
          } else {
            ok = false
          }
        } catch {
          failure = error
          return nil
        }
        pc += 1
      case .done:
        if !whole || at == to || pc < code.ops.count - 1 { return at }
        ok = false
      case .fail: ok = false
      }
      if ok { continue }
      back: while true {
        if stack.count == height { return nil }
        let e = stack.removeLast()
        switch e.kind {
        case .branch:
          pc = e.a
          at = e.b
          break back
        case .run:
          pc = e.a
          let scalars = e.c < 0
          at = previous(abs(e.c), scalars)
          if at > e.b { stack.append(PatternEntry(kind: .run, a: pc, b: e.b, c: scalars ? -at : at)) }
          break back
        default: putBack(e)
        }
      }
    }
  }

  // Where the text of a capture ends if it stands at a place, too; -1 if not.
  func same(_ start: Int, _ end: Int, _ at: Int, _ scalars: Bool) -> Int {
    if scalars || bytes[start..<end].allSatisfy({ $0 < 0x80 }) {
      var a = start, b = at
      while a < end {
        if b >= to || bytes[a] != bytes[b] { return -1 }
        a += 1
        b += 1
      }
      return scalars || b >= to || b == at || isPlain(b - 1) || bytes[b - 1] == 10 ? b : -1
    }
    var a = start, b = at
    while a < end {
      if b >= to { return -1 }
      let (c, i) = characterAndEnd(a), (d, j) = characterAndEnd(b)
      if c != d { return -1 }
      a = i
      b = j
    }
    return b
  }

  mutating func reset() {
    stack.removeAll(keepingCapacity: true)
    saved.removeAll()
    for g in starts.indices { starts[g] = -1; ends[g] = -1 }
    for g in values.indices { values[g] = nil }
    for r in results.indices { results[r] = nil }
  }

  // The first match from a place on, as its start and end.
  mutating func search(_ start: Int, anchored: Bool) throws -> (Int, Int)? {
    var at = start
    first = start
    while true {
      if !anchored, let op = code.ops.first, op.verb == .char { while at < to, Int(bytes[at]) != op.a, bytes[at] < 0x80, isPlain(at) { at += 1 } }
      reset()
      let end = run(0, at)
      if let failure { throw failure }
      if let end { return (at, end) }
      if anchored || at >= to { return nil }
      at = next(at, code.scalars)
    }
  }
}
