// The values of a JSON text. Numbers and strings stay places in it until somebody asks for them: what is wrong with them is an error only then.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

// LibraryJSONFault is JSONError: the text is no JSON.
struct LibraryJSONFault: Error {}

indirect enum LibraryJSON {
  struct Quoted { let from, to: Int, plain: Bool } // between the quotes; without escapes
  case null, bool(Bool), number(Range<Int>), string(Quoted), array([LibraryJSON]), object([(Quoted, LibraryJSON)])
  var kind: String {
    switch self {
    case .null: return "null"
    case .bool: return "bool"
    case .number: return "number"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "a dictionary"
    }
  }
}

struct LibraryJSONScanner {
  let bytes: [UInt8]
  var at = 0
  init(_ b: [UInt8]) {
    bytes = b
    if b.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    // UTF-16 and UTF-32 have a zero byte in the first character, or a mark.
    if b.count >= 2 && (b[0] == 0 || b[1] == 0 || b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) { refuse("JSON in UTF-16 or UTF-32") }
  }
  mutating func space() {
    while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0a || bytes[at] == 0x0d || bytes[at] == 0x09 { at += 1 }
  }
  mutating func top() throws -> LibraryJSON {
    let value = try one(0)
    space()
    if at < bytes.count { throw LibraryJSONFault() }
    return value
  }
  mutating func word(_ w: StaticString) throws {
    for n in 0..<w.utf8CodeUnitCount {
      if at >= bytes.count || bytes[at] != w.utf8Start[n] { throw LibraryJSONFault() }
      at += 1
    }
  }
  mutating func next(_ b: UInt8) -> Bool {
    space()
    if at < bytes.count && bytes[at] == b {
      at += 1
      return true
    }
    return false
  }
  mutating func quoted() throws -> LibraryJSON.Quoted {
    if !next(0x22) { throw LibraryJSONFault() }
    let from = at
    var plain = true
    while at < bytes.count && bytes[at] != 0x22 {
      if bytes[at] == 0x5c {
        plain = false
        at += 1
      } else if bytes[at] < 0x20 {
        plain = false
      }
      at += 1
    }
    if at >= bytes.count { throw LibraryJSONFault() }
    at += 1
    return LibraryJSON.Quoted(from: from, to: at - 1, plain: plain)
  }
  mutating func one(_ depth: Int) throws -> LibraryJSON {
    space()
    guard at < bytes.count else { throw LibraryJSONFault() }
    switch bytes[at] {
    case 0x22: return .string(try quoted())
    case 0x7b:
      if depth >= 512 { throw LibraryJSONFault() }
      at += 1
      var members: [(LibraryJSON.Quoted, LibraryJSON)] = []
      while !next(0x7d) {
        let key = try quoted()
        if !next(0x3a) { throw LibraryJSONFault() }
        members.append((key, try one(depth + 1)))
        if !next(0x2c) {
          if !next(0x7d) { throw LibraryJSONFault() }
          break
        }
      }
      return .object(members)
    case 0x5b:
      if depth >= 512 { throw LibraryJSONFault() }
      at += 1
      var items: [LibraryJSON] = []
      while !next(0x5d) { // a comma may stand behind the last
        items.append(try one(depth + 1))
        if !next(0x2c) {
          if !next(0x5d) { throw LibraryJSONFault() }
          break
        }
      }
      return .array(items)
    case 0x74:
      try word("true")
      return .bool(true)
    case 0x66:
      try word("false")
      return .bool(false)
    case 0x6e:
      try word("null")
      return .null
    case 0x2d, 0x30...0x39:
      let from = at
      scan: while at < bytes.count {
        switch bytes[at] {
        case 0x30...0x39, 0x2b, 0x2d, 0x2e, 0x45, 0x65: at += 1
        default: break scan
        }
      }
      return .number(from..<at)
    default: throw LibraryJSONFault()
    }
  }
}

// LibraryJSONText is a text with what the decoder was told.
final class LibraryJSONText {
  let bytes: [UInt8]
  let options: LibraryDecoderOptions
  init(_ b: [UInt8], _ o: LibraryDecoderOptions) {
    bytes = b
    options = o
  }

  func string(_ q: LibraryJSON.Quoted) throws -> String {
    if q.plain { return try valid(bytes[q.from..<q.to]) }
    var out: [UInt8] = [], at = q.from
    func hex() throws -> UInt32 {
      guard at + 4 <= q.to else { throw LibraryJSONFault() }
      var n: UInt32 = 0
      for b in bytes[at..<(at + 4)] {
        switch b {
        case 0x30...0x39: n = n << 4 | UInt32(b - 0x30)
        case 0x41...0x46: n = n << 4 | UInt32(b - 0x37)
        case 0x61...0x66: n = n << 4 | UInt32(b - 0x57)
        default: throw LibraryJSONFault()
        }
      }
      at += 4
      return n
    }
    while at < q.to {
      let b = bytes[at]
      at += 1
      if b < 0x20 { throw LibraryJSONFault() }
      if b != 0x5c {
        out.append(b)
        continue
      }
      let e = bytes[at]
      at += 1
      switch e {
      case 0x22, 0x5c, 0x2f: out.append(e)
      case 0x62: out.append(0x08)
      case 0x66: out.append(0x0c)
      case 0x6e: out.append(0x0a)
      case 0x72: out.append(0x0d)
      case 0x74: out.append(0x09)
      case 0x75:
        var n = try hex()
        if n >> 10 == 0x36 {
          guard at + 6 <= q.to, bytes[at] == 0x5c, bytes[at + 1] == 0x75 else { throw LibraryJSONFault() }
          at += 2
          let low = try hex()
          if low >> 10 != 0x37 { throw LibraryJSONFault() }
          n = 0x10000 + (n & 0x3ff) << 10 + low & 0x3ff
        }
        guard let scalar = Unicode.Scalar(n) else { throw LibraryJSONFault() }
        out.append(contentsOf: String(Character(scalar)).utf8)
      default: throw LibraryJSONFault()
      }
    }
    return try valid(out[...])
  }
  func valid(_ b: ArraySlice<UInt8>) throws -> String {
    let s = String(decoding: b, as: UTF8.self)
    if !s.utf8.elementsEqual(b) { throw LibraryJSONFault() } // no UTF-8
    return s
  }

  // number checks the form of a number, and returns its text.
  func number(_ r: Range<Int>) throws -> (text: String, whole: Bool) {
    var at = r.lowerBound
    func digits() throws {
      let from = at
      while at < r.upperBound && 0x30...0x39 ~= bytes[at] { at += 1 }
      if at == from { throw LibraryJSONFault() }
    }
    if bytes[at] == 0x2d { at += 1 }
    let first = at
    try digits()
    if bytes[first] == 0x30 && at > first + 1 { throw LibraryJSONFault() }
    let whole = at == r.upperBound
    if at < r.upperBound && bytes[at] == 0x2e {
      at += 1
      try digits()
    }
    if at < r.upperBound && (bytes[at] == 0x45 || bytes[at] == 0x65) {
      at += 1
      if at < r.upperBound && (bytes[at] == 0x2b || bytes[at] == 0x2d) { at += 1 }
      try digits()
    }
    if at != r.upperBound { throw LibraryJSONFault() }
    return (String(decoding: bytes[r], as: UTF8.self), whole)
  }

  func integer<T: FixedWidthInteger>(_ r: Range<Int>, _ type: T.Type) throws -> T {
    let (text, whole) = try number(r)
    if whole, let n = T(text) { return n }
    guard let double = Double(text), let n = T(exactly: double) else { throw LibraryJSONFault() }
    if double.magnitude < 0x1p53 { return n } // no two integers are one Double
    guard let exact = T(try plain(r)) else { throw LibraryJSONFault() }
    return exact
  }

  // plain writes a number out without its exponent; it has to be an integer.
  func plain(_ r: Range<Int>) throws -> String {
    var digits: [UInt8] = [], point = 0, exponent = 0, seen = false, at = r.lowerBound
    while at < r.upperBound {
      let b = bytes[at]
      at += 1
      if b == 0x2e {
        seen = true
      } else if b == 0x45 || b == 0x65 {
        guard let e = Int(String(decoding: bytes[at..<r.upperBound], as: UTF8.self)), e < 1000 else { throw LibraryJSONFault() }
        exponent = e
        break
      } else {
        digits.append(b)
        if seen { point += 1 }
      }
    }
    while point > exponent, digits.last == 0x30 {
      digits.removeLast()
      point -= 1
    }
    if point > exponent { throw LibraryJSONFault() }
    for _ in 0..<(exponent - point) { digits.append(0x30) }
    return String(decoding: digits, as: UTF8.self)
  }

  func float<T: BinaryFloatingPoint & LosslessStringConvertible>(_ r: Range<Int>, _ type: T.Type) throws -> T {
    let (text, _) = try number(r)
    guard let f = T(text), f.isFinite else { throw LibraryJSONFault() }
    if f == 0 { // a zero that was none is too small
      for b in text.utf8 {
        if b == 0x45 || b == 0x65 { break }
        if 0x31...0x39 ~= b { throw LibraryJSONFault() }
      }
    }
    return f
  }
}
