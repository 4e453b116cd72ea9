// Inner generic parameters that have the name of an outer one, as Swift 5 allows.
protocol Measured {
  associatedtype Unit
  var unit: Unit { get }
  func longer(than other: Self) -> Bool
}
struct Rope: Measured {
  var meters: Int
  var unit: String { "m" }
  func longer(than other: Rope) -> Bool { meters > other.meters }
}
final class Ring<T: Comparable> {
  final class Link<T> {
    let value: T
    weak var before: Link?
    var after: Link?
    init(_ value: T) { self.value = value }
    func swapped<T>(for other: T) -> (Link<T>, T) { (Link<T>(other), other) }
  }
  var first: Link<T>?
  var last: Link<T>?
  func append(_ value: T) {
    let link = Link<T>(value)
    if let end = last { end.after = link; link.before = end } else { first = link }
    last = link
  }
  func largest() -> T? {
    var best: T? = nil
    var at = first
    while let link = at {
      if best == nil || link.value > best! { best = link.value }
      at = link.after
    }
    return best
  }
  func map<T: Measured>(_ things: [T], _ body: (T) -> T.Unit) -> [T.Unit] {
    var out: [T.Unit] = []
    for one in things where things.allSatisfy({ !$0.longer(than: one) }) { out.append(body(one)) }
    return out
  }
  static func kind<T>(of _: T.Type) -> String { "\(T.self) beside a ring" }
}
struct Pair<T> {
  var one: T
  enum Choice<T> {
    case none, some(T), both(Pair<T>)
    indirect case next(Choice<T>)
    var depth: Int { if case .next(let c) = self { return 1 + c.depth } else { return 0 } }
  }
  struct Tag<T1> {
    var own: T
    var other: T1
    func show<T>(_ x: T) -> String { "\(own) \(other) \(x) \(T.self) \(T1.self)" }
  }
}
extension Pair {
  mutating func trade<T>(_ list: inout [T], by less: (T, T) -> Bool) -> [T] {
    list.sort(by: less)
    let copy = one
    one = copy
    return list.reversed()
  }
}
extension Pair.Choice: CustomStringConvertible where T: Hashable {
  var description: String {
    switch self {
    case .none: return "none"
    case .some(let t): return "some \(t) \(Set([t, t]).count)"
    case .both(let p): return "both \(p.one)"
    case .next(let c): return "next " + c.description
    }
  }
}
enum Odd: Error { case odd(Int) }
func outer<T: Comparable>(_ list: [T]) throws -> [String] {
  let top = list.max()!
  func inner<T>(_ x: T, _ n: Int) throws -> String {
    if n > 3 { throw Odd.odd(n) }
    let size = MemoryLayout<T>.stride
    let later: (T) -> String = { y in "\(y) under \(top), \(size)" }
    func innermost<T>(_ y: T) -> String { "\(T.self) \(later(x))" }
    return n == 0 ? innermost([x]) : try inner([x], n - 1)
  }
  return [try inner(1, 0), try inner("x", 2), (try? inner(0.5, 9)) ?? "thrown"]
}
do {
  let ring = Ring<Int>()
  for n in [3, 8, 5] { ring.append(n) }
  print(ring.largest()!, ring.last!.before!.value)
  print(ring.map([Rope(meters: 4), Rope(meters: 9)]) { $0.unit + "!" })
  let (link, text) = ring.first!.swapped(for: "new")
  print(link.value, text, link.after == nil)
  print(Ring<String>.kind(of: [Int].self))
}
var pair = Pair(one: 1.5)
var words = ["b", "c", "a"]
print(pair.trade(&words, by: <), words, pair.one)
print(Pair<Int>.Choice<String>.next(.next(.some("s"))), Pair<Int>.Choice.both(Pair(one: "p")))
print(Pair<Int>.Choice<String>.next(.next(.none)).depth)
print(Pair<Int>.Tag(own: 1, other: "o").show(Character("c")))
print(try outer([4, 7]))
print(try outer(["k"]))
