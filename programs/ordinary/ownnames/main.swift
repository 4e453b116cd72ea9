// own Substring, Index, and Set; the library's along with them
struct Substring { var base: String; var from: Int; var to: Int
    var text: Swift.Substring { 
        let a = base.index(base.startIndex, offsetBy: from), b = base.index(base.startIndex, offsetBy: to)
        return base[a..<b] } }
enum Index { case at(Int), end
    func shifted(_ n: Int) -> Index { switch self { case .at(let k): return .at(k + n); case .end: return .end } } }
final class Set { var items: [Int] = []
    func insert(_ x: Int) { if !items.contains(x) { items.append(x) } }
    deinit { print("set gone", items) } }
func words(_ s: String) -> [Swift.Substring] { s.split(separator: " ") }
func own(_ s: String) -> [Substring] {
    var out: [Substring] = []; var start = 0; var k = 0
    for c in s { if c == " " { if k > start { out.append(Substring(base: s, from: start, to: k)) }; start = k + 1 }; k += 1 }
    if k > start { out.append(Substring(base: s, from: start, to: k)) }
    return out
}
let line = "the cat sat on the mat"
print(words(line)); print(own(line).map { $0.text }); print(own(line)[1])
do { let s = Set(); for w in words(line) { s.insert(w.count) }; print(s.items) 
 let t: Swift.Set<Swift.Substring> = Swift.Set(words(line)); print(t.count, t.contains("cat")) }
let i = Index.at(3).shifted(4); print(i, Index.end.shifted(1))
if let k = line.firstIndex(of: "c") { print(line[k...].prefix(3), line.distance(from: line.startIndex, to: k)) }
var dict: [Swift.Substring: Index] = [:]
for (n, w) in words(line).enumerated() { dict[w] = n > 3 ? .end : .at(n) }
for k in dict.keys.sorted() { print(k, dict[k]!) }
let pairs: [(Swift.Substring, Substring)] = Array(zip(words(line), own(line)))
for (a, b) in pairs { print(a == b.text, a.uppercased(), b.from) }
