// An integer of the program's in generic code: converted to the library's integers and made of them. The text of the requirement does not tell
// init(_:), init(truncatingIfNeeded:) and init(clamping:) apart; here they come to the same.

final class Store {
  let value: Int
  init(_ value: Int) { self.value = value }
  deinit { if value == 77 { print("store gone") } }
}

/// A number in an object of its own. Of the arithmetic only what converting needs is there.
struct Held: BinaryInteger {
  typealias Words = Int.Words
  let store: Store
  var value: Int { store.value }
  static var isSigned: Bool { true }
  var words: Int.Words { value.words }
  var _lowWord: UInt { UInt(bitPattern: value) }
  var bitWidth: Int { 64 }
  var trailingZeroBitCount: Int { 0 }
  var magnitude: UInt { value.magnitude }
  var hashValue: Int { value }
  var description: String { "held \(value)" }
  func hash(into h: inout Hasher) { h.combine(value) }
  func distance(to n: Held) -> Int { n.value - value }
  func advanced(by n: Int) -> Held { Held(integerLiteral: value + n) }
  func quotientAndRemainder(dividingBy n: Held) -> (quotient: Held, remainder: Held) { (self, n) }
  func isMultiple(of n: Held) -> Bool { false }
  func signum() -> Held { self }

  init(integerLiteral value: Int) { store = Store(value) }
  @inline(never) init<T: BinaryInteger>(_ source: T) { store = Store(Int(truncatingIfNeeded: source) &+ 0) }
  @inline(never) init<T: BinaryInteger>(truncatingIfNeeded source: T) { self.init(source) }
  @inline(never) init<T: BinaryInteger>(clamping source: T) { self.init(source) }
  init?<T: BinaryInteger>(exactly source: T) { return nil }
  init<T: BinaryFloatingPoint>(_ source: T) { store = Store(0) }
  init?<T: BinaryFloatingPoint>(exactly source: T) { return nil }

  static func + (a: Held, b: Held) -> Held { a }
  static func - (a: Held, b: Held) -> Held { a }
  static func * (a: Held, b: Held) -> Held { a }
  static func / (a: Held, b: Held) -> Held { a }
  static func % (a: Held, b: Held) -> Held { a }
  static prefix func ~ (a: Held) -> Held { a }
  static func & (a: Held, b: Held) -> Held { a }
  static func | (a: Held, b: Held) -> Held { a }
  static func ^ (a: Held, b: Held) -> Held { a }
  static func >> <R: BinaryInteger>(a: Held, n: R) -> Held { a }
  static func << <R: BinaryInteger>(a: Held, n: R) -> Held { a }
  static func += (a: inout Held, b: Held) {}
  static func -= (a: inout Held, b: Held) {}
  static func *= (a: inout Held, b: Held) {}
  static func /= (a: inout Held, b: Held) {}
  static func %= (a: inout Held, b: Held) {}
  static func &= (a: inout Held, b: Held) {}
  static func |= (a: inout Held, b: Held) {}
  static func ^= (a: inout Held, b: Held) {}
  static func <<= <R: BinaryInteger>(a: inout Held, n: R) {}
  static func >>= <R: BinaryInteger>(a: inout Held, n: R) {}
  static func < (a: Held, b: Held) -> Bool { a.value < b.value }
  static func <= (a: Held, b: Held) -> Bool { a.value <= b.value }
  static func > (a: Held, b: Held) -> Bool { a.value > b.value }
  static func >= (a: Held, b: Held) -> Bool { a.value >= b.value }
  static func == (a: Held, b: Held) -> Bool { a.value == b.value }
  static func == <T: BinaryInteger>(a: Held, b: T) -> Bool { false }
  static func != <T: BinaryInteger>(a: Held, b: T) -> Bool { true }
  static func < <T: BinaryInteger>(a: Held, b: T) -> Bool { false }
  static func <= <T: BinaryInteger>(a: Held, b: T) -> Bool { false }
  static func > <T: BinaryInteger>(a: Held, b: T) -> Bool { false }
  static func >= <T: BinaryInteger>(a: Held, b: T) -> Bool { false }
}

@inline(never) @_optimize(none) func convert<A: BinaryInteger, B: BinaryInteger>(_ a: A, _ b: B.Type) -> B { B(a) }
@inline(never) @_optimize(none) func exact<A: BinaryInteger, B: BinaryInteger>(_ a: A, _ b: B.Type) -> B? { B(exactly: a) }

print(convert(77 as Held, Int.self), convert(200 as Held, UInt8.self), convert(-3 as Held, Int16.self))
print(convert(UInt8(9), Held.self).value, convert(-1 as Held, Held.self).value)
if let small = exact(-5 as Held, Int8.self) { print(small) }
print(exact(-5 as Held, UInt8.self) == nil, exact(256 as Held, UInt8.self) == nil, exact(77 as Held, UInt.self)!)
