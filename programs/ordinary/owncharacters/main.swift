// A game of own "Character"s beside the library's.
struct Character: Hashable, CustomStringConvertible {
    var name: String
    var health: Int
    var description: String { "\(name)(\(health))" }
    mutating func hit(_ n: Int) { health -= n }
}
func vowels(_ s: String) -> [Swift.Character: Int] {
    var out: [Swift.Character: Int] = [:]
    for c in s where "aeiou".contains(c) { out[c, default: 0] += 1 }
    return out
}
func initials(_ cs: [Character]) -> [Swift.Character: [Character]] {
    var out: [Swift.Character: [Character]] = [:]
    for c in cs { if let f = c.name.first { out[f, default: []].append(c) } }
    return out
}
var party = [Character(name: "Ada", health: 10), Character(name: "Bob", health: 7), Character(name: "Alan", health: 3)]
party[1].hit(2)
print(party)
for (k, v) in vowels("the quick brown fox jumps over").sorted(by: { $0.key < $1.key }) { print(k, v) }
for (k, v) in initials(party).sorted(by: { $0.key < $1.key }) { print(k, v) }
let set = Set(party)
print(set.count, set.contains(Character(name: "Bob", health: 5)))

var byChar: [Character: Swift.Character] = [:]
for c in party { byChar[c] = c.name.last! }
print(party.map { byChar[$0]! })
let any: [Any] = [party[0], "x" as Swift.Character, 3]
for a in any {
    switch a {
    case let c as Character: print("own", c.name)
    case let c as Swift.Character: print("lib", c.isLetter, c)
    default: print("other", a)
    }
}
print(String("hello".reversed()), "héllo".map { $0.isASCII })
