// Decimal, as 6.0 and 6.2 compute: whatever has to become shorter is cut off, in all modes of rounding.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

// LibraryWide is an unsigned number of four words, the lowest first.
struct LibraryWide: Equatable {
  var w0: UInt64 = 0
  var w1: UInt64 = 0
  var w2: UInt64 = 0
  var w3: UInt64 = 0

  var isZero: Bool { w0 | w1 | w2 | w3 == 0 }
  var bits: Int {
    if w3 != 0 { return 256 - w3.leadingZeroBitCount }
    if w2 != 0 { return 192 - w2.leadingZeroBitCount }
    return w1 != 0 ? 128 - w1.leadingZeroBitCount : 64 - w0.leadingZeroBitCount
  }
  // Decimals count their length in words of 16 bits.
  var length: Int { (bits + 15) / 16 }

  static func < (a: LibraryWide, b: LibraryWide) -> Bool {
    if a.w3 != b.w3 { return a.w3 < b.w3 }
    if a.w2 != b.w2 { return a.w2 < b.w2 }
    return a.w1 != b.w1 ? a.w1 < b.w1 : a.w0 < b.w0
  }
  static func + (a: LibraryWide, b: LibraryWide) -> LibraryWide {
    var r = LibraryWide(), carry = false
    (r.w0, carry) = sum(a.w0, b.w0, false)
    (r.w1, carry) = sum(a.w1, b.w1, carry)
    (r.w2, carry) = sum(a.w2, b.w2, carry)
    r.w3 = sum(a.w3, b.w3, carry).0
    return r
  }
  // a - b, where b is not greater.
  static func - (a: LibraryWide, b: LibraryWide) -> LibraryWide {
    a + LibraryWide(w0: ~b.w0, w1: ~b.w1, w2: ~b.w2, w3: ~b.w3) + LibraryWide(w0: 1)
  }
  // The product of two numbers below 2^128.
  static func * (a: LibraryWide, b: LibraryWide) -> LibraryWide {
    let p = a.w0.multipliedFullWidth(by: b.w0)
    if a.w1 | b.w1 == 0 { return LibraryWide(w0: p.low, w1: p.high) }
    let q = a.w0.multipliedFullWidth(by: b.w1), r = a.w1.multipliedFullWidth(by: b.w0), s = a.w1.multipliedFullWidth(by: b.w1)
    return LibraryWide(w0: p.low, w1: p.high, w2: s.low, w3: s.high) + LibraryWide(w1: q.low, w2: q.high) + LibraryWide(w1: r.low, w2: r.high)
  }
  func divided(by d: UInt64) -> (quotient: LibraryWide, remainder: UInt64) {
    var q = LibraryWide(), rest: UInt64 = 0
    if w3 != 0 { (q.w3, rest) = w3.quotientAndRemainder(dividingBy: d) }
    if w2 | rest != 0 { (q.w2, rest) = d.dividingFullWidth((rest, w2)) }
    if w1 | rest != 0 { (q.w1, rest) = d.dividingFullWidth((rest, w1)) }
    (q.w0, rest) = d.dividingFullWidth((rest, w0))
    return (q, rest)
  }
  static func / (a: LibraryWide, b: LibraryWide) -> LibraryWide {
    if b.w1 | b.w2 | b.w3 == 0 { return a.divided(by: b.w0).quotient }
    var q = LibraryWide(), rest = LibraryWide(), bit = a.bits
    while bit > 0 {
      bit -= 1
      rest = rest + rest
      if a.has(bit) { rest.w0 |= 1 }
      q = q + q
      if !(rest < b) {
        rest = rest - b
        q.w0 |= 1
      }
    }
    return q
  }
  func has(_ bit: Int) -> Bool {
    let w = bit < 128 ? (bit < 64 ? w0 : w1) : (bit < 192 ? w2 : w3)
    return w >> UInt64(bit & 63) & 1 != 0
  }
}

func sum(_ a: UInt64, _ b: UInt64, _ carry: Bool) -> (UInt64, Bool) {
  let (s, o) = a.addingReportingOverflow(b)
  let (t, p) = s.addingReportingOverflow(carry ? 1 : 0)
  return (t, o || p)
}

// 10^n, for n from 0 to 38.
func powerOfTen(_ n: Int) -> LibraryWide {
  var p = LibraryWide(w0: 1), left = n
  while left >= 19 {
    p = p * LibraryWide(w0: 10_000_000_000_000_000_000)
    left -= 19
  }
  var small: UInt64 = 1
  while left > 0 {
    small *= 10
    left -= 1
  }
  return p * LibraryWide(w0: small)
}

enum LibraryFailure { case overflow, underflow, division }

// LibraryNumber is what a Decimal holds. No words and a minus are not a number.
struct LibraryNumber {
  var negative = false
  var exponent = 0
  var compact = false
  var words = LibraryWide()

  var isNaN: Bool { negative && words.isZero }
  static var nan: LibraryNumber { LibraryNumber(negative: true) }

  // times10 multiplies by 10^n, unless eight words of 16 bits do not hold that.
  func times10(_ n: Int) -> LibraryWide? {
    var w = words, left = n
    while left > 0 {
      let p = min(left, 38)
      w = w * powerOfTen(p)
      if w.length > 8 { return nil }
      left -= p
    }
    return w
  }

  // fit cuts off digits until eight words hold the rest, and returns how many.
  mutating func fit() -> Int {
    var cut = 0
    while words.length > 9 {
      words = words.divided(by: 10000).quotient
      cut += 4
    }
    while words.length > 8 {
      words = words.divided(by: 10).quotient
      cut += 1
    }
    return cut
  }

  mutating func setExponent(_ e: Int) { exponent = Int(Int8(e)) }

  mutating func makeCompact() {
    if compact || words.isZero { return }
    while true {
      let (q, r) = words.divided(by: 10)
      if r != 0 { break }
      words = q
      exponent += 1
    }
    while exponent > 127 {
      words = words * LibraryWide(w0: 10)
      precondition(words.length <= 8)
      exponent -= 1
    }
    compact = true
  }
}

// aligned gives two numbers one exponent, and tells whether digits were lost.
func aligned(_ a: inout LibraryNumber, _ b: inout LibraryNumber) -> Bool {
  if a.exponent == b.exponent { return false }
  return a.exponent > b.exponent ? lowered(&a, &b) : lowered(&b, &a)
}

func lowered(_ large: inout LibraryNumber, _ small: inout LibraryNumber) -> Bool {
  let apart = large.exponent - small.exponent
  if let w = large.times10(apart) {
    large.words = w
    large.exponent = small.exponent
    large.compact = false
    return false
  }
  let most = Int(Double(8 - large.words.length) * 4.81647993)
  var cut = apart - most
  while cut > 0 {
    let p = min(cut, 38)
    small.words = small.words / powerOfTen(p)
    cut -= p
  }
  small.exponent += apart - most
  small.compact = false
  if small.words.isZero {
    small.exponent = large.exponent
  } else {
    large.words = large.words * powerOfTen(most)
    large.exponent -= most
    large.compact = false
  }
  return true
}

func added(_ x: LibraryNumber, _ y: LibraryNumber, _ lost: inout Bool) -> (LibraryNumber, LibraryFailure?) {
  if x.isNaN || y.isNaN { return (.nan, .overflow) }
  if x.words.isZero { return (y, nil) }
  if y.words.isZero { return (x, nil) }
  var a = x, b = y
  lost = aligned(&a, &b)
  if a.words.isZero { return (b, nil) }
  if b.words.isZero { return (a, nil) }
  if a.negative == b.negative {
    a.words = a.words + b.words
    let cut = a.fit()
    if a.exponent + cut > 127 { return (.nan, .overflow) }
    a.exponent += cut
  } else if a.words == b.words {
    return (LibraryNumber(), nil)
  } else if a.words < b.words {
    a.words = b.words - a.words
    a.negative = b.negative
  } else {
    a.words = a.words - b.words
  }
  a.compact = false
  a.makeCompact()
  return (a, nil)
}

func subtracted(_ x: LibraryNumber, _ y: LibraryNumber, _ lost: inout Bool) -> (LibraryNumber, LibraryFailure?) {
  var y = y
  if !y.words.isZero { y.negative.toggle() }
  return added(x, y, &lost)
}

func multiplied(_ x: LibraryNumber, _ y: LibraryNumber) -> (LibraryNumber, LibraryFailure?) {
  if x.isNaN || y.isNaN { return (.nan, .overflow) }
  if x.words.isZero || y.words.isZero { return (LibraryNumber(), nil) }
  var r = LibraryNumber(negative: x.negative != y.negative, words: x.words * y.words)
  let e = x.exponent + y.exponent + r.fit()
  if e > 127 { return (.nan, .overflow) }
  r.setExponent(e)
  r.makeCompact()
  return (r, nil)
}

func quotient(_ x: LibraryNumber, _ y: LibraryNumber) -> (LibraryNumber, LibraryFailure?) {
  if x.isNaN || y.isNaN { return (.nan, .overflow) }
  if y.words.isZero { return (.nan, .division) }
  if x.words.isZero { return (LibraryNumber(), nil) }
  var a = x, b = y
  if a.exponent - b.exponent >= 19 {
    _ = aligned(&a, &b)
    if a.words.isZero || b.words.isZero { (a, b) = (x, y) }
  }
  var r = LibraryNumber(negative: a.negative != b.negative, words: a.words * powerOfTen(38) / b.words)
  let e = a.exponent - b.exponent - 38 + r.fit()
  if e < -128 { return (.nan, .underflow) }
  if e > 127 { return (.nan, .overflow) }
  r.exponent = e
  r.makeCompact()
  return (r, nil)
}

func scaled(_ x: LibraryNumber, _ power: Int) -> (LibraryNumber, LibraryFailure?) {
  if x.isNaN { return (.nan, .overflow) }
  if x.words.isZero { return (LibraryNumber(), nil) }
  let e = x.exponent + power
  if e < -128 { return (.nan, .underflow) }
  if e > 127 { return (.nan, .overflow) }
  var r = x
  r.exponent = e
  return (r, nil)
}

func raised(_ x: LibraryNumber, _ power: Int) -> (LibraryNumber, LibraryFailure?) {
  if power < 0 { refuse("a Decimal to a power below zero, which releases compute differently") }
  if x.isNaN { return (.nan, .overflow) }
  if power == 0 { return (number(1, false), nil) }
  if x.words.isZero { return (LibraryNumber(), nil) }
  var base = x, r = number(1, false), left = power, failed: LibraryFailure? = nil
  while left > 1 {
    if left & 1 != 0 {
      (r, failed) = multiplied(r, base)
      if failed != nil { return (.nan, failed) }
    }
    (base, failed) = multiplied(base, base)
    if failed != nil { return (.nan, failed) }
    left /= 2
  }
  return multiplied(r, base)
}

// Below zero when x comes first, and zero when both are one value. What is not a number comes first.
func compared(_ x: LibraryNumber, _ y: LibraryNumber) -> Int {
  if x.isNaN || y.isNaN { return (y.isNaN ? 1 : 0) - (x.isNaN ? 1 : 0) }
  if x.negative != y.negative { return x.negative ? -1 : 1 }
  if x.words.isZero || y.words.isZero { return (x.words.isZero ? 0 : 1) - (y.words.isZero ? 0 : 1) }
  var a = x, b = y
  _ = aligned(&a, &b)
  if a.words == b.words { return 0 }
  return (a.words < b.words) != a.negative ? -1 : 1
}

func rounded(_ x: LibraryNumber, _ scale: Int, _ mode: Decimal.RoundingMode) -> LibraryNumber {
  var left = scale + x.exponent
  if scale == 32767 || left >= 0 { return x }
  left = -left
  var r = x, digit: UInt64 = 0, after = false
  while left > 0 {
    if digit != 0 { after = true }
    let step = left > 4 ? 4 : 1
    (r.words, digit) = r.words.divided(by: step == 4 ? 10000 : 10)
    left -= step
  }
  if after && (digit == 0 || digit == 5) { digit += 1 }
  if digit != 0 {
    let up: Bool
    switch mode {
    case .up: up = !x.negative
    case .down: up = x.negative
    case .bankers where digit == 5: up = r.words.w0 & 1 != 0
    default: up = digit >= 5
    }
    if up { r.words = r.words + LibraryWide(w0: 1) }
    if r.words.isZero { r.negative = false }
  }
  r.compact = false
  r.exponent = -scale
  while r.exponent > 127 {
    r.exponent -= 1
    guard let w = r.times10(1) else { return x }
    r.words = w
  }
  r.setExponent(r.exponent)
  r.makeCompact()
  return r
}

func number(_ value: UInt64, _ negative: Bool) -> LibraryNumber {
  var r = LibraryNumber(negative: negative, compact: true, words: LibraryWide(w0: value))
  if value == 0 { return LibraryNumber(negative: negative) }
  while r.words.w0 % 10 == 0 {
    r.words.w0 /= 10
    r.exponent += 1
  }
  return r
}

func number(_ value: Double) -> LibraryNumber {
  precondition(!value.isInfinite)
  if value.isNaN { return .nan }
  if value == 0 { return LibraryNumber() }
  let limit = 18446744073709551616.0
  var v = value.magnitude, r = LibraryNumber(negative: value < 0)
  while v < limit {
    if r.exponent == -128 { return .nan }
    v *= 10
    r.exponent -= 1
  }
  while limit <= v {
    if r.exponent == 127 { return .nan }
    v /= 10
    r.exponent += 1
  }
  r.words.w0 = UInt64(min(v, limit.nextDown))
  r.makeCompact()
  return r
}

func double(_ x: LibraryNumber) -> Double {
  if x.words.isZero { return x.negative ? .nan : 0 }
  var d = 0.0, shift: UInt64 = 128
  while shift > 0 {
    shift -= 16
    let w = shift >= 64 ? x.words.w1 >> (shift - 64) : x.words.w0 >> shift
    d = d * 65536 + Double(w & 0xffff)
  }
  var e = x.exponent
  while e < 0 {
    d /= 10
    e += 1
  }
  while e > 0 {
    d *= 10
    e -= 1
  }
  return x.negative ? -d : d
}

func text(_ x: LibraryNumber) -> String {
  if x.words.isZero { return x.negative ? "NaN" : "0" }
  var digits: [UInt8] = [], left = x.words // the last digit first
  while !left.isZero {
    let (q, r) = left.divided(by: 10)
    digits.append(48 + UInt8(r))
    left = q
  }
  var s = x.negative ? "-" : ""
  var place = -x.exponent // of the point: as many digits come after it
  while digits.count <= place { digits.append(48) }
  for d in digits.reversed() { s.unicodeScalars.append(Unicode.Scalar(d)) }
  while place < 0 {
    s += "0"
    place += 1
  }
  if place > 0 { s.insert(".", at: s.index(s.endIndex, offsetBy: -place)) }
  return s
}

// read is the number at the beginning of a text; nil when there is none or it is too large.
func read(_ s: String) -> LibraryNumber? {
  let bytes = Array(s.utf8)
  var i = 0, r = LibraryNumber(), full = false
  while i < bytes.count, Character(Unicode.Scalar(bytes[i])).isWhitespace { i += 1 }
  if i < bytes.count, bytes[i] == 0x2b || bytes[i] == 0x2d {
    r.negative = bytes[i] == 0x2d
    i += 1
  }
  // Appends a digit, unless it does not fit.
  func append(_ d: UInt8) -> Bool {
    let w = r.words * LibraryWide(w0: 10) + LibraryWide(w0: UInt64(d))
    if w.length > 8 { return false }
    r.words = w
    return true
  }
  while i < bytes.count, bytes[i] >= 48, bytes[i] <= 57 {
    if full || !append(bytes[i] - 48) {
      full = true
      if r.exponent == 127 { return nil }
      r.exponent += 1
    }
    i += 1
  }
  if i < bytes.count, bytes[i] == 0x2e {
    i += 1
    while i < bytes.count, bytes[i] >= 48, bytes[i] <= 57 {
      if !full {
        if append(bytes[i] - 48) {
          if r.exponent == -128 { return nil }
          r.exponent -= 1
        } else {
          full = true
        }
      }
      i += 1
    }
  }
  if i < bytes.count, bytes[i] | 0x20 == 0x65 {
    i += 1
    if i == bytes.count { return r }
    var e = 0, minus = false
    if bytes[i] == 0x2b || bytes[i] == 0x2d {
      minus = bytes[i] == 0x2d
      i += 1
    }
    while i < bytes.count, bytes[i] >= 48, bytes[i] <= 57 {
      e = 10 * e + Int(bytes[i] - 48)
      if e > 254 { return nil }
      i += 1
    }
    e = (minus ? -e : e) + r.exponent
    if e > 127 || e < -128 { return nil }
    r.exponent = e
  }
  if i == 0 { return nil }
  r.makeCompact()
  return r.isNaN ? LibraryNumber() : r
}
