// Typed throws: propagation, rethrowing closures, defer order, conversion to optionals.
enum ParseError: Error {
  case empty
  case badByte(UInt8, at: Int)
  case tooLong
}
struct Limit: Error { let value: Int }

func digit(_ b: UInt8, _ i: Int) throws(ParseError) -> Int {
  guard b >= 48, b <= 57 else { throw .badByte(b, at: i) }
  return Int(b) - 48
}

func parse(_ s: StaticString) throws(ParseError) -> Int {
  defer { print("parsed") }
  let n = s.utf8CodeUnitCount
  if n == 0 { throw ParseError.empty }
  if n > 6 { throw ParseError.tooLong }
  var value = 0
  for i in 0..<n {
    value = try value * 10 + digit(s.utf8Start[i], i)
  }
  return value
}

func report(_ s: StaticString) {
  do {
    print(try parse(s))
  } catch .empty {
    print("empty")
  } catch .badByte(let b, at: let i) where i == 0 {
    print("bad start")
    print(b)
  } catch .badByte(let b, at: let i) {
    print(Int(b) * 100 + i)
  } catch {
    print("too long")
  }
}

func each<E: Error>(_ a: [Int], _ body: (Int) throws(E) -> Void) throws(E) {
  for x in a { try body(x) }
}

func sumUpTo(_ limit: Int, _ a: [Int]) -> Int {
  var sum = 0
  do throws(Limit) {
    try each(a) { (x: Int) throws(Limit) in
      sum += x
      if sum > limit { throw Limit(value: sum) }
    }
    return sum
  } catch {
    return -error.value
  }
}

final class Guard {
  let id: Int
  init(_ id: Int) throws(Limit) {
    self.id = id
    if id > 2 { throw Limit(value: id) }
  }
  deinit { print("guard deinit") }
}

report("123")
report("")
report("x1")
report("12y")
report("1234567")
print(sumUpTo(100, [1, 2, 3]))
print(sumUpTo(4, [1, 2, 3]))
print((try? parse("42")) ?? 0)
print((try? parse("4z")) ?? 0)
do {
  let g = try Guard(1)
  print(g.id)
  let h = try Guard(3)
  print(h.id)
} catch {
  print(error.value)
}
