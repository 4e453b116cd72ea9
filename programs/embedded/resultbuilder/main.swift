// Result builders, property wrappers, dynamic member lookup of our own, callAsFunction.
@resultBuilder
enum ListBuilder {
  static func buildExpression(_ n: Int) -> [Int] { return [n] }
  static func buildExpression(_ a: [Int]) -> [Int] { return a }
  static func buildBlock(_ parts: [Int]...) -> [Int] { return parts.flatMap { $0 } }
  static func buildOptional(_ part: [Int]?) -> [Int] { return part ?? [] }
  static func buildEither(first: [Int]) -> [Int] { return first }
  static func buildEither(second: [Int]) -> [Int] { return second }
  static func buildArray(_ parts: [[Int]]) -> [Int] { return parts.flatMap { $0 } }
}
func list(@ListBuilder _ body: () -> [Int]) -> [Int] { return body() }

@propertyWrapper
struct Clamped {
  private var value: Int
  private let range: ClosedRange<Int>
  var projectedValue: Int { return range.upperBound - value }
  init(wrappedValue: Int, _ range: ClosedRange<Int>) {
    self.range = range
    value = min(max(wrappedValue, range.lowerBound), range.upperBound)
  }
  var wrappedValue: Int {
    get { return value }
    set { value = min(max(newValue, range.lowerBound), range.upperBound) }
  }
}
@propertyWrapper
final class Counted<T> {
  private var stored: T
  private(set) var reads = 0
  init(wrappedValue: T) { stored = wrappedValue }
  var projectedValue: Counted<T> { return self }
  var wrappedValue: T {
    get {
      reads += 1
      return stored
    }
    set { stored = newValue }
  }
}
struct Player {
  @Clamped(0...100) var health = 150
  @Clamped(1...10) var level = 0
  @Counted var name: StaticString = "ann"
}
struct Polynomial {
  let coefficients: [Int]
  func callAsFunction(_ x: Int) -> Int { return coefficients.reversed().reduce(0) { $0 * x + $1 } }
}

let flag = CommandLineLike.flag
enum CommandLineLike { static var flag = true }
let items = list {
  1
  [2, 3]
  if flag { 4 }
  if !flag { 5 } else { 6 }
  for i in 7...9 { i * 10 }
}
for x in items { print(x) }
var p = Player()
print(p.health)
p.health -= 30
print(p.health)
print(p.$health)
p.health -= 500
print(p.health)
print(p.level)
print(p.name)
print(p.name)
let q = p
p.name = "bob"
print(q.name)
print(p.$name.reads)
print(Polynomial(coefficients: [1, 2, 3])(10))
