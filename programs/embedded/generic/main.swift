// generics: protocols with associated types, class constraints, conditional conformances, static members, default implementations
protocol Monoid { static var zero: Self { get }; static func + (a: Self, b: Self) -> Self; init(_ n: Int); var n: Int { get } }
extension Int: Monoid { static var zero: Int { 0 }; var n: Int { self } }
struct MaxI: Monoid { var n: Int; init(_ n: Int) { self.n = n }; static var zero: MaxI { MaxI(Int.min) }; static func + (a: MaxI, b: MaxI) -> MaxI { a.n > b.n ? a : b } }
func fold<M: Monoid>(_ xs: [M]) -> M { var t = M.zero; for x in xs { t = t + x }; return t }
protocol Visitor: AnyObject { associatedtype Out; func visit(_ n: Int) -> Out; var count: Int { get set } }
extension Visitor { func all(_ xs: [Int]) -> [Out] { var o: [Out] = []; for x in xs { count += 1; o.append(visit(x)) }; return o } }
final class Dbl: Visitor { var count = 0; func visit(_ n: Int) -> Int { n * 2 }; deinit { print("dbl") } }
class Par: Visitor { var count = 0; func visit(_ n: Int) -> Bool { n % 2 == 0 } }
final class Inv: Par { override func visit(_ n: Int) -> Bool { !super.visit(n) } }
func use<V: Visitor>(_ v: V, _ xs: [Int]) -> Int where V.Out: Equatable { let o = v.all(xs); var same = 0; for i in 1..<o.count where o[i] == o[i - 1] { same += 1 }; return same * 100 + v.count }
struct Ring<T>: Sequence { var items: [T]; var start: Int; func makeIterator() -> It { It(r: self, i: 0) }
  struct It: IteratorProtocol { let r: Ring; var i: Int; mutating func next() -> T? { guard i < r.items.count else { return nil }; defer { i += 1 }; return r.items[(i + r.start) % r.items.count] } } }
extension Ring: Equatable where T: Equatable { static func == (a: Ring, b: Ring) -> Bool { var i = a.makeIterator(), j = b.makeIterator(); while let x = i.next() { guard let y = j.next(), x == y else { return false } }; return j.next() == nil } }
struct Matrix<let_: FixedWidthInteger> { var r: Int, c: Int; var d: [let_]; init(_ r: Int, _ c: Int, _ f: (Int, Int) -> let_) { self.r = r; self.c = c; d = []; for i in 0..<r { for j in 0..<c { d.append(f(i, j)) } } }
  subscript(i: Int, j: Int) -> let_ { get { precondition(i < r && j < c); return d[i * c + j] } set { d[i * c + j] = newValue } }
  static func * (a: Matrix, b: Matrix) -> Matrix { Matrix(a.r, b.c) { i, j in var t: let_ = 0; for k in 0..<a.c { t = t &+ a[i, k] &* b[k, j] }; return t } } }
final class TN<K: Comparable, V> { let k: K; var v: V; var l, r: TN?; init(_ k: K, _ v: V) { self.k = k; self.v = v } }
final class Tree<K: Comparable, V> { typealias N = TN<K, V>; var root: N?; var size = 0
  func put(_ k: K, _ v: V) -> V? { guard var n = root else { root = N(k, v); size = 1; return nil }; while true { if k == n.k { let o = n.v; n.v = v; return o }; if k < n.k { guard let l = n.l else { n.l = N(k, v); size += 1; return nil }; n = l } else { guard let r = n.r else { n.r = N(k, v); size += 1; return nil }; n = r } } }
  func walk(_ f: (K, V) -> Void) { func go(_ n: N?) { guard let n else { return }; go(n.l); f(n.k, n.v); go(n.r) }; go(root) } }
struct Wrapper<T> { let v: T; func flatMap<U>(_ f: (T) -> Wrapper<U>) -> Wrapper<U> { f(v) }; static func pure(_ t: T) -> Self { Wrapper(v: t) } }
func pick<T>(_ c: Bool, _ a: T, _ b: T) -> T { c ? a : b }
func swap3<A, B, C>(_ t: (A, B, C)) -> (C, A, B) { (t.2, t.0, t.1) }
func size<T>(_ t: T.Type) -> Int { MemoryLayout<T>.size }
print(fold([1, 2, 3]).n); print(fold([3, 9, 2].map { MaxI($0) }).n); print(fold([MaxI]()).n == Int.min ? "min" : "?")
do { print(use(Dbl(), [1, 1, 2])); print(use(Par(), [1, 3, 2])); print(use(Inv(), [2, 4, 5])) }
let r = Ring(items: [1, 2, 3, 4], start: 2); for x in r { print(x, terminator: " ") }; print(""); print(r == Ring(items: [3, 4, 1, 2], start: 0) ? "equal" : "differ"); print(r.contains(3) ? "has" : "no"); print(r.reduce(0) { $0 * 10 + $1 })
let m = Matrix<Int32>(2, 3) { Int32($0 * 3 + $1) }, k = Matrix<Int32>(3, 2) { Int32($0 - $1) }; let p = m * k; for i in 0..<2 { for j in 0..<2 { print(Int(p[i, j]), terminator: " ") } }; print("")
let t = Tree<Int, StaticString>(); for (i, s) in [(5, "five" as StaticString), (2, "two"), (8, "eight"), (1, "one"), (5, "FIVE")].enumerated() { if let o = t.put(s.0, s.1) { print(i, terminator: " "); print(o) } }; t.walk { print($0, terminator: "="); print($1, terminator: " ") }; print(t.size)
print(Wrapper.pure(4).flatMap { Wrapper(v: $0 + 1) }.flatMap { Wrapper(v: ($0, $0 * 2)) }.v.1); print(pick(false, "a" as StaticString, "b")); print(swap3((1, true, 3)).0); print(size((Int8, Int16).self) + size(Tree<Int, Int>.self) + size(Wrapper<(Bool, Int32)>.self))
