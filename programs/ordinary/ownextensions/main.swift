// extensions of both
enum Set { case none, some(Int) }
struct Character { var n: Int }
extension Character { func twice() -> Int { n * 2 }; static let zero = Character(n: 0) }
extension Swift.Character { var shout: String { String(self).uppercased() } }
protocol Named { var name: String { get } }
extension Character: Named { var name: String { "own \(n)" } }
extension Swift.Character: Named { var name: String { "lib \(self)" } }
extension Set: CustomStringConvertible { var description: String { switch self { case .none: "none"; case .some(let k): "some \(k)" } } }
extension Swift.Set where Element == Int { var total: Int { reduce(0, +) } }
extension Sequence where Element == Swift.Character { func joinedUp() -> String { reduce("") { $0 + String($1) } } }
extension Array where Element == Character { var sum: Int { reduce(0) { $0 + $1.n } } }
func describe(_ x: some Named) -> String { "<\(x.name)>" }
func describeAny(_ xs: [any Named]) -> String { xs.map { $0.name }.joined(separator: ",") }
let c = Character(n: 4), l: Swift.Character = "q"
print(c.twice(), Character.zero.n, l.shout, describe(c), describe(l), describeAny([c, l, Character.zero]))
print(Set.some(3), Set.none, Swift.Set([1, 2, 3]).total, "abc".joinedUp(), [c, c].sum)
var table: [String: Character] = ["a": c]; table["b"] = Character(n: 9)
for (k, v) in table.sorted(by: { $0.key < $1.key }) { print(k, v.n, k.first!.shout) }
let kp: KeyPath<Character, Int> = \.n; print(c[keyPath: kp], "xyz"[keyPath: \.count])
struct Box<T> { var v: T; func map<U>(_ f: (T) -> U) -> Box<U> { Box<U>(v: f(v)) } }
print(Box(v: c).map { $0.n }.v, Box(v: l).map { $0.isLetter }.v, Box(v: c).map { Swift.Character(String($0.n)) }.v)
let mixed: [(Character, Swift.Character)] = [(c, "a"), (Character(n: 5), "b")]
print(mixed.map { "\($0.n)\($1)" }, mixed.filter { $0.1 == "b" }.count)
let opt: Character? = mixed.first?.0, lopt: Swift.Character? = mixed.last?.1
if let o = opt, let l = lopt { print(o.n, l) }
