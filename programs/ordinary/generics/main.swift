// Generic functions and types with constraints.
struct Stack<Element> {
  private var items: [Element] = []
  mutating func push(_ e: Element) { items.append(e) }
  mutating func pop() -> Element? { return items.popLast() }
  var count: Int { return items.count }
}
func maximum<T: Comparable>(_ a: [T]) -> T? {
  guard var m = a.first else { return nil }
  for x in a where x > m { m = x }
  return m
}
func swapped<A, B>(_ p: (A, B)) -> (B, A) { return (p.1, p.0) }
protocol Summable {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
}
extension Int: Summable {}
extension Double: Summable {}
extension String: Summable { static var zero: String { return "" } }
func total<T: Summable>(_ xs: [T]) -> T { return xs.reduce(T.zero) { $0 + $1 } }
struct Pair<A: Equatable, B: Equatable>: Equatable {
  let first: A
  let second: B
}
extension Stack where Element == Int {
  mutating func add() { if let a = pop(), let b = pop() { push(a + b) } }
}
var s = Stack<Int>()
s.push(3)
s.push(4)
s.add()
print(s.pop()!, s.count, s.pop() == nil)
var names = Stack<String>()
names.push("x")
names.push("y")
print(names.pop()!, names.count)
print(maximum([3, 8, 5])!, maximum(["pear", "apple"])!, maximum([Double]()) == nil)
print(swapped((1, "one")))
print(total([1, 2, 3]), total([0.5, 0.25]), total(["a", "b"]))
print(Pair(first: 1, second: "a") == Pair(first: 1, second: "a"))
print(Pair(first: 1, second: "a"))
