// What is initialized when, by every way that a variable or self is initialized, replaced and given up. Nothing of the library is called, whose text
// raw SIL would need.
import Swift

@_silgen_name("putchar") @discardableResult func put(_ c: Builtin.Int32) -> Builtin.Int32

struct Letter: ExpressibleByIntegerLiteral, _ExpressibleByBuiltinIntegerLiteral {
  var code: Builtin.Int32
  init(_builtinIntegerLiteral n: Builtin.IntLiteral) { code = Builtin.s_to_s_checked_trunc_IntLiteral_Int32(n).0 }
  init(integerLiteral n: Letter) { self = n }
  func show() { put(code) }
}

enum Way { case first, second, third, fourth }

// Shows its letter when it is made and the lower case one when it goes.
final class Token {
  let letter: Letter
  init(_ l: Letter) {
    letter = l
    l.show()
  }
  deinit { put(Builtin.or_Int32(letter.code, (32 as Letter).code)) }
}

struct Failure: Error {}

class Base {
  var first: Token
  let second: Token

  init?(_ w: Way) {
    first = Token(65)
    switch w { case .first: return nil; default: break }
    first = Token(66)
    second = Token(67)
    switch w { case .second: return nil; default: break }
  }

  init(throwing w: Way) throws {
    switch w { case .first: throw Failure(); default: break }
    second = Token(68)
    switch w { case .second: throw Failure(); default: break }
    first = Token(69)
    switch w { case .third: throw Failure(); default: break }
  }

  convenience init?(again w: Way) {
    switch w { case .third: return nil; default: break }
    self.init(w)
    switch w { case .fourth: return nil; default: break }
  }

  deinit { put((46 as Letter).code) }
}

final class Derived: Base {
  let extra: Token
  var pair: (Token, Letter)

  override init?(_ w: Way) {
    extra = Token(70)
    switch w { case .third: return nil; default: break }
    pair = (Token(71), 10)
    super.init(w)
    pair.0 = Token(72)
    switch w { case .fourth: return nil; default: break }
  }

  override init(throwing w: Way) throws {
    extra = Token(73)
    pair.1 = 10
    switch w { case .third: throw Failure(); default: break }
    pair.0 = Token(74)
    try super.init(throwing: w)
  }

  deinit { put((58 as Letter).code) }
}

struct Value {
  var a: Token
  var b: (Token, Token)

  init() {
    b.1 = Token(75)
    a = Token(76)
    b.0 = a
    a = b.1
  }

  init?(_ w: Way) {
    a = Token(77)
    switch w { case .first: return nil; default: break }
    b.0 = a
    switch w { case .second: return nil; default: break }
    b.1 = Token(78)
  }

  init(delegating w: Way) {
    self.init()
    a = Token(79)
    switch w { case .second: self = Value(); default: break }
  }
}

enum Shape {
  case one(Token), two(Token, Letter), none
  init(_ w: Way) {
    switch w {
    case .first: self = .one(Token(80))
    case .second: self = .two(Token(81), 10)
    default: self = .none
    }
  }
}

struct Generic<T> {
  var item: T
  var other: (T, T)
  init(_ t: T, _ w: Way) {
    other.0 = t
    item = t
    switch w { case .first: other.1 = item; default: other.1 = t }
  }
}

func locals(_ w: Way) {
  let t: Token
  var maybe: Token
  switch w {
  case .first: t = Token(82)
  default:
    t = Token(83)
    maybe = t
    maybe = Token(84)
  }
  let late: (Token, Letter)
  late.1 = 33
  switch w { case .third: return; default: break }
  late.0 = Token(85)
  var counter: Letter
  counter = late.1
  let change = { counter = late.0.letter }
  change()
  counter.show()
  maybe = t
  maybe.letter.show()
}

func end() { put((10 as Letter).code) }

func each(_ f: (Way) -> Void) {
  f(.first)
  end()
  f(.second)
  end()
  f(.third)
  end()
  f(.fourth)
  end()
}

each { _ = Base($0) }
each { w in do { _ = try Base(throwing: w) } catch { end() } }
each { _ = Base(again: $0) }
each { _ = Derived($0) }
each { w in do { _ = try Derived(throwing: w) } catch { end() } }
each { _ = Value($0) }
each { _ = Value(delegating: $0) }
each { _ = Shape($0) }
each { _ = Generic(Token(86), $0) }
each { locals($0) }
let late: Token
switch Way.third { case .third: late = Token(87); default: late = Token(88) }
late.letter.show()
end()
