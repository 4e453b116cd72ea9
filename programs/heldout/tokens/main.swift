// A lexer and a recursive-descent parser: expressions in bytes become trees of indirect enums, which are evaluated.
let size = 30_000
var runtimeSize = size

indirect enum Tree {
  case number(Int)
  case sum(Tree, Tree)
  case difference(Tree, Tree)
  case product(Tree, Tree)
}

enum Fault: Error {
  case unexpected(UInt8, Int)
  case end
}

struct Parser {
  let text: [UInt8]
  var at = 0
  init(_ text: [UInt8]) { self.text = text }
  var peek: UInt8 {
    mutating get {
      while at < text.count && text[at] == 32 { at += 1 }
      return at < text.count ? text[at] : 0
    }
  }
  mutating func sum() throws -> Tree {
    var left = try product()
    while true {
      switch peek {
      case 43:
        at += 1
        left = .sum(left, try product())
      case 45:
        at += 1
        left = .difference(left, try product())
      default: return left
      }
    }
  }
  mutating func product() throws -> Tree {
    var left = try atom()
    while peek == 42 {
      at += 1
      left = .product(left, try atom())
    }
    return left
  }
  mutating func atom() throws -> Tree {
    let c = peek
    if c == 40 {
      at += 1
      let inner = try sum()
      guard peek == 41 else { throw Fault.unexpected(peek, at) }
      at += 1
      return inner
    }
    if c == 0 { throw Fault.end }
    var value = 0
    let from = at
    while at < text.count, text[at] >= 48, text[at] <= 57 {
      value = value * 10 + Int(text[at] - 48)
      at += 1
    }
    guard at > from else { throw Fault.unexpected(c, at) }
    return .number(value)
  }
}

@inline(never) func value(_ t: Tree) -> Int {
  switch t {
  case .number(let n): return n
  case .sum(let a, let b): return (value(a) &+ value(b)) % 1000003
  case .difference(let a, let b): return (value(a) &- value(b)) % 1000003
  case .product(let a, let b): return (value(a) &* value(b)) % 1000003
  }
}

@inline(never) func expression(_ k: Int) -> [UInt8] {
  var out: [UInt8] = []
  for part in 0..<12 {
    let x = (k * 37 + part * 101) % 997
    if part > 0 { out.append([43, 45, 42][x % 3]) }
    if x % 4 == 0 { out += Array("(\(x) + 1)".utf8) } else { out += Array(" \(x) ".utf8) }
  }
  if k % 50 == 7 { out.append(41) }
  if k % 50 == 9 { out.append(43) }
  return out
}

var total = 0
var faults = 0
for k in 0..<runtimeSize {
  do {
    var p = Parser(expression(k))
    total = (total &+ value(try p.sum())) % 1000003
    if p.peek != 0 { throw Fault.unexpected(p.peek, p.at) }
  } catch {
    faults += 1
  }
}
print(total, faults)
