// A tiny parser-combinator library and lazily evaluated streams, all closures and classes.
struct Parser<Output> {
  let run: (ArraySlice<UInt8>) -> (Output, ArraySlice<UInt8>)?
  func map<T>(_ f: @escaping (Output) -> T) -> Parser<T> {
    return Parser<T> { s in
      guard let (a, rest) = run(s) else { return nil }
      return (f(a), rest)
    }
  }
  func then<T>(_ f: @escaping (Output) -> Parser<T>) -> Parser<T> {
    return Parser<T> { s in
      guard let (a, rest) = run(s) else { return nil }
      return f(a).run(rest)
    }
  }
  func or(_ other: Parser) -> Parser { return Parser { run($0) ?? other.run($0) } }
  var many: Parser<[Output]> {
    return Parser<[Output]> { s in
      var out: [Output] = []
      var rest = s
      while let (a, r) = run(rest) {
        out.append(a)
        rest = r
      }
      return (out, rest)
    }
  }
}
func byte(_ ok: @escaping (UInt8) -> Bool) -> Parser<UInt8> {
  return Parser { s in
    guard let f = s.first, ok(f) else { return nil }
    return (f, s.dropFirst())
  }
}
let digit = byte { $0 >= 48 && $0 <= 57 }.map { Int($0) - 48 }
let number = digit.then { d in digit.many.map { $0.reduce(d) { $0 * 10 + $1 } } }
let comma = byte { $0 == 44 }
let list = number.then { n in comma.then { _ in number }.many.map { [n] + $0 } }

final class Stream {
  let head: Int
  private var make: (() -> Stream)?
  private var made: Stream?
  init(_ head: Int, _ make: @escaping () -> Stream) {
    self.head = head
    self.make = make
  }
  var tail: Stream {
    if let m = made { return m }
    let m = make!()
    made = m
    make = nil
    return m
  }
  func filter(_ keep: @escaping (Int) -> Bool) -> Stream {
    var s = self
    while !keep(s.head) { s = s.tail }
    let found = s
    return Stream(found.head) { found.tail.filter(keep) }
  }
}
func from(_ n: Int) -> Stream { return Stream(n) { from(n + 1) } }
func primes(_ s: Stream) -> Stream {
  let p = s.head
  return Stream(p) { primes(s.tail.filter { $0 % p != 0 }) }
}

func parse(_ text: StaticString) -> [Int]? {
  return text.withUTF8Buffer { b in list.run(Array(b)[...])?.0 }
}
if let a = parse("12,7,100,3") { for x in a { print(x) } }
print(parse("x") == nil)
let either = number.or(comma.map { _ in -1 })
print(either.run([44, 45])!.0)
print(either.run([57, 57])!.0)
var p = primes(from(2))
for _ in 0..<12 {
  print(p.head)
  p = p.tail
}
