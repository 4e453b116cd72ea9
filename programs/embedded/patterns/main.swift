// Patterns: tuples, ranges, bindings, where clauses, if case, guard case, labeled loops.
enum Token: Equatable {
  case number(Int)
  case op(UInt8)
  case open, close, end
}

struct Lexer {
  let bytes: UnsafeBufferPointer<UInt8>
  var i = 0
  mutating func next() -> Token? {
    while i < bytes.count, bytes[i] == 32 { i += 1 }
    guard i < bytes.count else { return .end }
    switch bytes[i] {
    case 48...57:
      var n = 0
      while i < bytes.count, case 48...57 = bytes[i] {
        n = n * 10 + Int(bytes[i] - 48)
        i += 1
      }
      return .number(n)
    case 40: i += 1; return .open
    case 41: i += 1; return .close
    case let c where c == 42 || c == 43 || c == 45 || c == 47:
      i += 1
      return .op(c)
    default: return nil
    }
  }
}

struct Parser {
  var lexer: Lexer
  var token: Token?
  init(_ b: UnsafeBufferPointer<UInt8>) {
    lexer = Lexer(bytes: b)
    token = lexer.next()
  }
  mutating func advance() { token = lexer.next() }
  mutating func primary() -> Int? {
    switch token {
    case .number(let n)?:
      advance()
      return n
    case .op(45)?:
      advance()
      return primary().map { -$0 }
    case .open?:
      advance()
      guard let v = expression(0), token == .close else { return nil }
      advance()
      return v
    default: return nil
    }
  }
  mutating func expression(_ minimum: Int) -> Int? {
    guard var left = primary() else { return nil }
    while case .op(let c)? = token {
      let power = c == 43 || c == 45 ? 1 : 2
      if power <= minimum { break }
      advance()
      guard let right = expression(power) else { return nil }
      switch (c, right) {
      case (43, _): left += right
      case (45, _): left -= right
      case (42, _): left *= right
      case (47, 0): return nil
      case (_, let r): left /= r
      }
    }
    return left
  }
}

func evaluate(_ s: StaticString) -> Int? {
  return s.withUTF8Buffer { b in
    var p = Parser(b)
    guard let v = p.expression(0), case .end? = p.token else { return nil }
    return v
  }
}

func classify(_ p: (Int, Int)) -> StaticString {
  switch p {
  case (0, 0): return "origin"
  case (_, 0): return "on x"
  case (0, _): return "on y"
  case let (x, y) where x == y: return "diagonal"
  case (-2...2, -2...2): return "near"
  case (..<0, _), (_, ..<0): return "negative"
  default: return "far"
  }
}

print(evaluate("1 + 2 * 3") ?? -99)
print(evaluate("(1 + 2) * 3 - -4") ?? -99)
print(evaluate("100 / 7 / 2") ?? -99)
print(evaluate("8 / (4 - 4)") == nil)
print(evaluate("2 * (3") == nil)
print(evaluate("2 & 3") == nil)
print(evaluate("((((((42))))))")!)
for p in [(0, 0), (5, 0), (0, -5), (7, 7), (1, 2), (-9, 4), (9, 4)] { print(classify(p)) }
let mixed: [(name: Int, value: Int?)] = [(1, 10), (2, nil), (3, 30)]
for case (let n, let v?) in mixed { print(n * v) }
let nested = ((1, 2), (3, (4, 5)))
let ((q, _), (_, (r, s))) = nested
print(q * 100 + r * 10 + s)
loop: for i in 1...10 {
  switch i {
  case 3: continue loop
  case 6: break loop
  case let x where x % 2 == 0: print(x)
  default: break
  }
}
var n = 27
repeat { n = n % 2 == 0 ? n / 2 : 3 * n + 1 } while n > 10
print(n)
