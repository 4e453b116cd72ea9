// own protocols called as the library's
protocol Sequence { associatedtype Item; func each(_ f: (Item) -> Void) }
protocol Hashable { var code: Int { get } }
protocol Error { var text: String { get } }
protocol Comparable { func less(_ o: Self) -> Bool }
struct Countdown: Sequence { var n: Int; func each(_ f: (Int) -> Void) { var k = n; while k > 0 { f(k); k -= 1 } } }
struct Point: Hashable, Comparable, Equatable { var x, y: Int; var code: Int { x &* 31 &+ y }; func less(_ o: Point) -> Bool { (x, y) < (o.x, o.y) } }
extension Sequence { func collect() -> [Item] { var out: [Item] = []; each { out.append($0) }; return out } }
struct Key: Swift.Hashable, Hashable { var s: String; var code: Int { s.utf8.reduce(0) { $0 &* 7 &+ Int($1) } } }
enum Bad: Swift.Error, Error { case one, two(Int); var text: String { "bad \(self)" } }
func check(_ n: Int) throws -> Int { if n > 2 { throw Bad.two(n) }; return n }
func codes<S: Swift.Sequence>(_ s: S) -> [Int] where S.Element: Hashable { s.map { $0.code } }
func smallest<T: Comparable>(_ xs: [T]) -> T? { var best: T?; for x in xs { if let b = best { if x.less(b) { best = x } } else { best = x } }; return best }
func total<S: Sequence>(_ s: S) -> Int { var n = 0; s.each { _ in n += 1 }; return n }
print(Countdown(n: 4).collect(), total(Countdown(n: 7)))
print(codes([Point(x: 1, y: 2), Point(x: 3, y: 4)]), codes(Set([Key(s: "ab")])))
print(smallest([Point(x: 3, y: 1), Point(x: 1, y: 9), Point(x: 1, y: 2)])!)
do { print(try check(1)); print(try check(5)) } catch let e as Bad { print(e.text) } catch { print("?") }
let hs: [any Hashable] = [Point(x: 1, y: 1), Key(s: "q")]
for h in hs { print(h.code, h is any Swift.Hashable) }
let d: [Key: Int] = [Key(s: "a"): 1, Key(s: "b"): 2]
print(d[Key(s: "b")]!, d.count, [3, 1, 2].sorted(), ["b", "a"].max()!)
let es: [any Swift.Error] = [Bad.one, Bad.two(3)]
for e in es { print(e, (e as? any Error)?.text ?? "none") }
