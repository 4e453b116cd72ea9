// Generics: constraints, conditional conformances, statics, operators.
struct Vector<Scalar: Numeric & Comparable>: Equatable {
  var x, y: Scalar
  static func + (a: Vector, b: Vector) -> Vector { return Vector(x: a.x + b.x, y: a.y + b.y) }
  static func * (k: Scalar, a: Vector) -> Vector { return Vector(x: k * a.x, y: k * a.y) }
  static prefix func - (a: Vector) -> Vector { return Vector(x: 0 - a.x, y: 0 - a.y) }
  static var zero: Vector { return Vector(x: 0, y: 0) }
}
infix operator <+>: AdditionPrecedence
func <+> <T: Numeric>(a: Vector<T>, b: Vector<T>) -> T { return a.x * b.x + a.y * b.y }

enum Either<A, B> {
  case left(A), right(B)
  func map<C>(_ f: (B) -> C) -> Either<A, C> {
    switch self {
    case .left(let a): return .left(a)
    case .right(let b): return .right(f(b))
    }
  }
}
extension Either: Equatable where A: Equatable, B: Equatable {}

protocol Monoid {
  static var unit: Self { get }
  static func combine(_ a: Self, _ b: Self) -> Self
}
extension Int: Monoid {
  static var unit: Int { return 0 }
  static func combine(_ a: Int, _ b: Int) -> Int { return a + b }
}
struct Product: Monoid {
  var n: Int
  static var unit: Product { return Product(n: 1) }
  static func combine(_ a: Product, _ b: Product) -> Product { return Product(n: a.n * b.n) }
}
struct Both<A: Monoid, B: Monoid>: Monoid {
  var a: A
  var b: B
  static var unit: Both { return Both(a: A.unit, b: B.unit) }
  static func combine(_ x: Both, _ y: Both) -> Both {
    return Both(a: A.combine(x.a, y.a), b: B.combine(x.b, y.b))
  }
}
func fold<M: Monoid, S: Sequence>(_ s: S) -> M where S.Element == M { return s.reduce(M.unit, M.combine) }

struct Version: Comparable, Hashable {
  var major, minor: Int
  static func < (a: Version, b: Version) -> Bool { return (a.major, a.minor) < (b.major, b.minor) }
}
enum Level: Int, Comparable {
  case low, middle, high
  static func < (a: Level, b: Level) -> Bool { return a.rawValue < b.rawValue }
}

func largest<T: Comparable>(_ a: [T]) -> T? {
  guard var best = a.first else { return nil }
  for x in a.dropFirst() where x > best { best = x }
  return best
}

let a = Vector(x: 1, y: 2)
let b = -(3 * a + Vector(x: 10, y: 20))
print(b.x)
print(a <+> b)
print(a + .zero == a)
print(Int(((0.5 * Vector(x: 3.0, y: 5.0)) <+> Vector(x: 2, y: 2)) * 10))
let e: Either<Bool, Int> = .right(20)
print(e.map { $0 + 1 } == .right(21))
print(Either<Bool, Int>.left(true).map { $0 + 1 } == .left(true))
print(fold([1, 2, 3, 4]))
print((fold([2, 3, 4].map { Product(n: $0) }) as Product).n)
let both: Both<Int, Product> = fold((1...5).map { Both(a: $0, b: Product(n: $0)) })
print(both.a)
print(both.b.n)
print(Version(major: 1, minor: 9) < Version(major: 1, minor: 10))
print(Level.middle < .high)
print(Level.low >= .middle)
print(largest([3, 9, 2])!)
print(largest([Version(major: 2, minor: 0), Version(major: 1, minor: 5)])!.major)
print(largest([Int]()) == nil)
