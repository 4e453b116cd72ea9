// NSRegularExpression finds: the program of a pattern, and what runs it with a stack of the places to go back to.

import Foundation

// Folding case as ICU does it for single scalars; where one folds to several, nothing is guessed.
func folded(_ c: UInt32) -> UInt32 {
  if c < 0x80 { return c >= 65 && c <= 90 ? c + 32 : c }
  guard let u = Unicode.Scalar(c), c != 0x131 else { return c }
  if c >= 0x13a0 && c <= 0x13ff || c >= 0xab70 && c <= 0xabbf || c >= 0x1c80 && c <= 0x1c8f { refuseFolding(c) }
  let upper = u.properties.uppercaseMapping.unicodeScalars
  guard let first = upper.first, upper.count == 1, c != 0x130, c != 0x1e9e else { refuseFolding(c) }
  let lower = first.properties.lowercaseMapping.unicodeScalars
  guard let last = lower.first, lower.count == 1 else { refuseFolding(c) }
  return last.value
}
func refuseFolding(_ c: UInt32) -> Never { refuse("a regular expression that ignores the case of U+\(String(c, radix: 16, uppercase: true))") }

// All scalars that fold alike.
func variants(_ c: UInt32) -> [UInt32] {
  let f = folded(c)
  var all = [c, f]
  if let u = Unicode.Scalar(f) {
    for s in [u.properties.uppercaseMapping, u.properties.titlecaseMapping] where s.unicodeScalars.count == 1 { all.append(s.unicodeScalars.first!.value) }
  }
  switch f {
  case 0x6b: all.append(0x212a)
  case 0x73: all.append(0x17f)
  case 0xe5: all.append(0x212b)
  case 0x3b2: all.append(0x3d0)
  case 0x3b5: all.append(0x3f5)
  case 0x3b8: all += [0x3d1, 0x3f4]
  case 0x3b9: all += [0x345, 0x1fbe]
  case 0x3ba: all.append(0x3f0)
  case 0x3bc: all.append(0xb5)
  case 0x3c0: all.append(0x3d6)
  case 0x3c1: all.append(0x3f1)
  case 0x3c3: all.append(0x3c2)
  case 0x3c6: all.append(0x3d5)
  case 0x3c9: all.append(0x2126)
  case 0x1e61: all.append(0x1e9b)
  default: break
  }
  return all
}

// A set of the program, with which ASCII characters it has.
struct LibraryRegexSet {
  var low: UInt64 = 0
  var high: UInt64 = 0
  let all: LibraryScalarSet
  init(_ s: LibraryScalarSet) {
    all = s
    (low, high) = ascii(s)
  }
  func has(_ c: UInt32) -> Bool { c < 64 ? low >> UInt64(c) & 1 != 0 : c < 128 ? high >> UInt64(c - 64) & 1 != 0 : all.has(c) }
}
func ascii(_ s: LibraryScalarSet) -> (UInt64, UInt64) {
  var low: UInt64 = 0, high: UInt64 = 0
  switch s {
  case .not(let s):
    let (l, h) = ascii(s)
    return (~l, ~h)
  case .either(let all):
    for s in all {
      let (l, h) = ascii(s)
      low |= l
      high |= h
    }
    return (low, high)
  case .both(let a, let b):
    let (l, h) = ascii(a), (m, i) = ascii(b)
    return (l & m, h & i)
  default:
    for c in 0..<128 as Range<UInt32> where s.has(c) {
      if c < 64 { low |= 1 << UInt64(c) } else { high |= 1 << UInt64(c - 64) }
    }
    return (low, high)
  }
}

// LibraryRegex is what an NSRegularExpression holds.
final class LibraryRegex {
  let pattern: String
  let options: UInt
  var groups = 0
  var names: [String: Int] = [:]
  var ops: [LibraryRegexOp] = []
  var sets: [LibraryRegexSet] = []
  var widths: [(Int, Int)] = []
  var registers = 0
  var startsLine = false // the first that is looked for is the start of a line

  init(_ pattern: String, _ options: UInt) throws {
    self.pattern = pattern
    self.options = options
    var p = LibraryRegexParser(pattern, options)
    let node = try p.whole()
    groups = p.groups
    names = p.names
    startsLine = leadsLine(node)
    put(node)
    put(.match)
  }
  func leadsLine(_ node: LibraryRegexNode) -> Bool {
    switch node {
    case .verb(let v): v == .lineStart
    case .sequence(let all): all.first.map(leadsLine) ?? false
    case .group(_, let n): leadsLine(n)
    default: false
    }
  }
  func put(_ v: LibraryRegexVerb, _ a: Int = 0, _ b: Int = 0) {
    if ops.count > 20000 { refuse("a regular expression of more than 20000 steps") }
    ops.append(LibraryRegexOp(verb: v, a: Int32(a), b: Int32(b)))
  }
  func register(_ n: Int = 1) -> Int {
    registers += n
    return registers - n
  }
  func put(_ node: LibraryRegexNode) {
    switch node {
    case .empty: break
    case .char(let c, let fold):
      if fold { put(.fold, Int(folded(c))) } else { put(.char, Int(c)) }
    case .set(let s):
      sets.append(LibraryRegexSet(s))
      put(.set, sets.count - 1)
    case .verb(let v): put(v)
    case .back(let n, let fold): put(fold ? .backFold : .back, n)
    case .sequence(let all): for n in all { put(n) }
    case .choice(let all):
      var jumps: [Int] = []
      for (i, n) in all.enumerated() {
        let at = ops.count
        if i < all.count - 1 { put(.split) }
        put(n)
        if i < all.count - 1 {
          jumps.append(ops.count)
          put(.jump)
          ops[at].a = Int32(ops.count)
        }
      }
      for j in jumps { ops[j].a = Int32(ops.count) }
    case .group(let n, let inside):
      let r = register()
      put(.mark, r)
      put(inside)
      put(.close, n, r)
    case .atomic(let inside):
      let r = register(2)
      put(.enter, r)
      put(inside)
      put(.leaveAtomic, r)
    case .look(let inside, true, let not):
      let r = register(2), at = ops.count
      put(not ? .enterNot : .enter, r)
      put(inside)
      put(not ? .leaveNot : .leave, r)
      if not { ops[at].b = Int32(ops.count) }
    case .look(let inside, false, let not):
      let r = register(2), at = ops.count, w = inside.widths
      widths.append((w.0, w.1!))
      put(not ? .behindNot : .behind, r, widths.count - 1)
      if not { put(.jump) }
      put(inside)
      put(.hereAgain, r)
      put(not ? .leaveNot : .leave, r)
      if not { ops[at + 1].a = Int32(ops.count) }
    case .times(let n, let least, let most, let greed): put(n, least, most, greed)
    }
  }
  func put(_ n: LibraryRegexNode, _ least: Int, _ most: Int, _ greed: LibraryGreed) {
    if greed == .possessive && most == .max && n.widths.0 == 0 { refuse("a regular expression that repeats without giving back what may match nothing") }
    if greed == .possessive { return put(.atomic(.times(n, least, most, .greedy))) }
    if greed == .greedy && n.isSingle {
      put(.many, least, most == .max ? -1 : most)
      return put(n)
    }
    if least > 1000 || most != .max && most > 1000 { refuse("a regular expression that repeats a group more than 1000 times") }
    let mayBeEmpty = n.widths.0 == 0
    if greed == .lazy && mayBeEmpty && most != 1 { refuse("a regular expression that repeats lazily what may match nothing") }
    for _ in 0..<(most == .max && least > 0 ? least - 1 : least) { put(n) }
    if most != .max {
      var splits: [Int] = []
      for _ in 0..<(most - least) {
        splits.append(ops.count)
        put(greed == .lazy ? .splitLazy : .split)
        put(n)
      }
      for s in splits { ops[s].a = Int32(ops.count) }
      return
    }
    let top = ops.count
    if greed == .lazy { // 0 or more: to the test first
      if least == 0 { put(.jump) }
      let body = ops.count
      put(n)
      if least == 0 { ops[top].a = Int32(ops.count) }
      put(.split)
      put(.jump, ops.count + 2)
      ops[ops.count - 2].a = Int32(ops.count)
      put(.jump, body)
      return
    }
    if least == 0 { put(.split) }
    let body = ops.count, r = mayBeEmpty ? register() : 0
    if mayBeEmpty { put(.mark, r) }
    put(n)
    if mayBeEmpty { put(.again, r, ops.count + 2) }
    let leave = ops.count
    if mayBeEmpty { put(.jump) }
    let s = ops.count
    put(.split)
    put(.jump, body)
    ops[s].a = Int32(ops.count)
    if mayBeEmpty { ops[leave].a = Int32(ops.count) }
    if least == 0 { ops[top].a = Int32(ops.count) }
  }
}

// An entry of the stack: a place to go back to, or what a slot or register was.
struct LibraryRegexEntry {
  var kind: Int32
  var x: Int32
  var y: Int32
  var z: Int32
}

// A search in a text.
struct LibraryRegexSearch {
  let regex: LibraryRegex
  let text: UnsafePointer<UInt16>
  let from: Int, to: Int // the region
  let anchorFrom: Int, anchorTo: Int
  let ops: UnsafePointer<LibraryRegexOp>
  let sets: UnsafePointer<LibraryRegexSet>
  let slots: UnsafeMutablePointer<Int>
  let registers: UnsafeMutablePointer<Int>
  var stack: UnsafeMutablePointer<LibraryRegexEntry>
  var room = 256
  var height = 0
  var hitEnd = false, requiresEnd = false

  // The scalar at a place before the limit, and its width.
  @inline(__always) func scalar(_ at: Int) -> (UInt32, Int) {
    let c = UInt32(text[at])
    if c & 0xfc00 == 0xd800, at + 1 < to, text[at + 1] & 0xfc00 == 0xdc00 { return (0x10000 + (c & 0x3ff) << 10 + UInt32(text[at + 1]) & 0x3ff, 2) }
    return (c, 1)
  }
  func before(_ at: Int, _ limit: Int) -> Int {
    if text[at - 1] & 0xfc00 == 0xdc00, at - 2 >= limit, text[at - 2] & 0xfc00 == 0xd800 { return at - 2 }
    return at - 1
  }
  @inline(__always) func endsLine(_ c: UInt32) -> Bool { c >= 10 && c <= 13 || c == 0x85 || c == 0x2028 || c == 0x2029 }

  mutating func push(_ kind: Int32, _ x: Int, _ y: Int, _ z: Int = 0) {
    if height == room {
      if room > 400_000 { refuse("a regular expression that keeps more than 400000 places to go back to") }
      let more = UnsafeMutablePointer<LibraryRegexEntry>.allocate(capacity: room * 2)
      more.moveInitialize(from: stack, count: height)
      stack.deallocate()
      stack = more
      room *= 2
    }
    stack[height] = LibraryRegexEntry(kind: kind, x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y), z: Int32(truncatingIfNeeded: z))
    height += 1
  }
  mutating func note(_ r: Int, _ v: Int) {
    push(2, r, registers[r])
    registers[r] = v
  }
  mutating func undo(_ e: LibraryRegexEntry) {
    if e.kind == 1 { slots[Int(e.x)] = Int(e.y) } else if e.kind == 2 { registers[Int(e.x)] = Int(e.y) }
  }
  // Forgets the places above a height, but not what to restore.
  mutating func forget(_ h: Int) {
    var n = h
    for i in h..<height where stack[i].kind == 1 || stack[i].kind == 2 {
      stack[n] = stack[i]
      n += 1
    }
    height = n
  }
  // The place behind one scalar that the operation matches, -1 if it does not.
  @inline(__always) mutating func single(_ op: LibraryRegexOp, _ at: Int) -> Int {
    if at >= to {
      hitEnd = true
      return -1
    }
    let (c, n) = scalar(at)
    switch op.verb {
    case .char: return c == UInt32(bitPattern: op.a) ? at + n : -1
    case .fold: return (c == UInt32(bitPattern: op.a) || folded(c) == UInt32(bitPattern: op.a)) ? at + n : -1
    case .set: return sets[Int(op.a)].has(c) ? at + n : -1
    case .anyLine: return endsLine(c) ? -1 : at + n
    case .anyUnix: return c == 10 ? -1 : at + n
    default: return c == 13 && at + 1 < to && text[at + 1] == 10 ? at + 2 : at + n
    }
  }
  func isWord(_ c: UInt32) -> Bool { c < 128 ? c >= 97 && c <= 122 || c >= 65 && c <= 90 || c >= 48 && c <= 57 || c == 95 : wordScalars.has(c) }
  // Marks and formats belong to the scalar that they follow.
  func joins(_ c: UInt32) -> Bool {
    guard c >= 0x80, let u = Unicode.Scalar(c) else { return false }
    return u.properties.isGraphemeExtend || u.properties.generalCategory == .format
  }
  mutating func isWordEdge(_ at: Int) -> Bool {
    var here = false, was = false
    if at >= to {
      hitEnd = true
    } else {
      let c = scalar(at).0
      if joins(c) { return false }
      here = isWord(c)
    }
    var p = at
    while p > from {
      p = before(p, from)
      let c = scalar(p).0
      if !joins(c) {
        was = isWord(c)
        break
      }
    }
    return here != was
  }
  mutating func isLastLine(_ at: Int, _ unix: Bool) -> Bool {
    if at >= anchorTo {
      hitEnd = true
      requiresEnd = true
      return true
    }
    let c = UInt32(text[at])
    let isLast = at == anchorTo - 1 ? unix ? c == 10 : endsLine(c) && !(c == 10 && at > anchorFrom && text[at - 1] == 13) : !unix && at == anchorTo - 2 && c == 13 && text[at + 1] == 10
    if isLast {
      hitEnd = true
      requiresEnd = true
    }
    return isLast
  }
  mutating func isLineEnd(_ at: Int, _ unix: Bool) -> Bool {
    if at >= anchorTo {
      hitEnd = true
      requiresEnd = true
      return true
    }
    let c = UInt32(text[at])
    return unix ? c == 10 : endsLine(c) && !(c == 10 && at > anchorFrom && text[at - 1] == 13)
  }

  // Whether the pattern matches from a place; where the match ends.
  mutating func match(_ start: Int) -> Int? {
    var pc = 0, at = start
    height = 0
    for i in 0..<(2 * regex.groups) { slots[i] = -1 }
    while true {
      let op = ops[pc]
      pc += 1
      var ok = true
      switch op.verb {
      case .match: return at
      case .char, .fold, .set, .any, .anyLine, .anyUnix:
        let n = single(op, at)
        if n < 0 { ok = false } else { at = n }
      case .lineBreak:
        if at >= to {
          hitEnd = true
          ok = false
        } else if endsLine(UInt32(text[at])) {
          at += text[at] == 13 && at + 1 < to && text[at + 1] == 10 ? 2 : 1
        } else {
          ok = false
        }
      case .many:
        let one = ops[pc]
        pc += 1
        var count = 0
        let least = Int(op.a), most = op.b < 0 ? Int.max : Int(op.b)
        while count < least {
          let n = single(one, at)
          if n < 0 { break }
          at = n
          count += 1
        }
        if count < least {
          ok = false
        } else {
          let floor = at
          while count < most {
            let n = single(one, at)
            if n < 0 { break }
            at = n
            count += 1
          }
          if at > floor { push(one.verb == .any ? 4 : 3, pc, at, floor) }
        }
      case .split: push(0, Int(op.a), at)
      case .splitLazy:
        push(0, pc, at)
        pc = Int(op.a)
      case .jump: pc = Int(op.a)
      case .mark: note(Int(op.a), at)
      case .close:
        let g = 2 * (Int(op.a) - 1)
        push(1, g, slots[g])
        push(1, g + 1, slots[g + 1])
        slots[g] = registers[Int(op.b)]
        slots[g + 1] = at
      case .again: if registers[Int(op.a)] != at { pc = Int(op.b) }
      case .enter:
        note(Int(op.a), at)
        note(Int(op.a) + 1, height + 1)
      case .enterNot:
        let h = height
        push(0, Int(op.b), at)
        note(Int(op.a), at)
        note(Int(op.a) + 1, h)
      case .behind, .behindNot:
        let h = height, w = regex.widths[Int(op.b)]
        if op.verb == .behindNot {
          push(0, Int(ops[pc].a), at)
          pc += 1
        }
        note(Int(op.a), at)
        note(Int(op.a) + 1, op.verb == .behindNot ? h : height + 1)
        var places: [Int] = [], p = at, n = 0
        while true {
          if n >= w.0 { places.append(p) }
          if n == w.1 || p == from { break }
          p = before(p, from)
          n += 1
        }
        for q in places.reversed() { push(0, pc, q) }
        ok = false // to the nearest
      case .hereAgain: ok = at == registers[Int(op.a)]
      case .leave:
        at = registers[Int(op.a)]
        forget(registers[Int(op.a) + 1])
      case .leaveAtomic: forget(registers[Int(op.a) + 1])
      case .leaveNot:
        let h = registers[Int(op.a) + 1]
        while height > h {
          height -= 1
          undo(stack[height])
        }
        ok = false
      case .start: ok = at <= anchorFrom
      case .lineStart:
        if at > anchorFrom { ok = at < anchorTo && endsLine(UInt32(text[at - 1])) }
      case .unixLineStart:
        ok = at <= anchorFrom || text[at - 1] == 10
      case .end:
        ok = at >= anchorTo
        if ok {
          hitEnd = true
          requiresEnd = true
        }
      case .lineEnd: ok = isLineEnd(at, false)
      case .unixLineEnd: ok = isLineEnd(at, true)
      case .lastLine: ok = isLastLine(at, false)
      case .unixLastLine: ok = isLastLine(at, true)
      case .wordEdge: ok = isWordEdge(at)
      case .noWordEdge: ok = !isWordEdge(at)
      case .back, .backFold:
        let g = 2 * (Int(op.a) - 1)
        if slots[g] < 0 {
          ok = false
        } else {
          var p = slots[g]
          while ok && p < slots[g + 1] {
            if at >= to {
              hitEnd = true
              ok = false
              break
            }
            let (c, n) = scalar(p), (d, m) = scalar(at)
            ok = c == d || op.verb == .backFold && folded(c) == folded(d)
            p += n
            at += m
          }
        }
      }
      if ok { continue }
      // Back to the last place.
      while true {
        if height == 0 { return nil }
        height -= 1
        let e = stack[height]
        if e.kind == 0 {
          (pc, at) = (Int(e.x), Int(e.y))
          break
        }
        if e.kind >= 3 {
          var p = before(Int(e.y), Int(e.z))
          if e.kind == 4, text[p] == 10, p - 1 >= Int(e.z), text[p - 1] == 13 { p -= 1 }
          if p > Int(e.z) { push(e.kind, Int(e.x), p, Int(e.z)) }
          (pc, at) = (Int(e.x), p)
          break
        }
        undo(e)
      }
    }
  }
}
