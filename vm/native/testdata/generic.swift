// Generic code over collections, sequences of the program, builders and literals.
func describe<C: Collection>(_ c: C) -> String where C.Element: CustomStringConvertible { c.map { $0.description }.joined(separator: "/") + " n=\(c.count)" }
print(describe([1, 2]), describe("ab".utf8), describe(Set([5])), describe(1...3), describe([1, 2, 3][1...]), describe("xy"), describe(["a": 1].values), describe(stride(from: 1, to: 4, by: 2).map { $0 }))
func total<S: Sequence>(_ s: S) -> S.Element where S.Element: AdditiveArithmetic { s.reduce(.zero, +) }
print(total([1, 2]), total([1.5, 2.5]), total(1...4), total(Set([7])), total([UInt8(3), 4]), total(stride(from: 0.5, to: 2, by: 0.5)))
func mid<C: RandomAccessCollection>(_ c: C) -> C.Element { c[c.index(c.startIndex, offsetBy: c.count / 2)] }; print(mid([1, 2, 3]), mid(0..<10), mid([1, 2, 3, 4].reversed()))
let cols: [any Collection<Int>] = [[1, 2], Set([3]), 4...5]; for c in cols { print(c.count, c.isEmpty) }
let seqs: [any Sequence] = [[1], "ab", 1...2]; for s in seqs { var n = 0; for _ in s { n += 1 }; print(n) }
let an = AnySequence([1, 2, 3]); print(an.map { $0 * 2 }, Array(AnyCollection([4, 5])), AnyIterator([6].makeIterator()).next()!)
struct Countdown: Sequence, IteratorProtocol { var n: Int; mutating func next() -> Int? { if n == 0 { return nil }; defer { n -= 1 }; return n } }
print(Array(Countdown(n: 3)), Countdown(n: 4).filter { $0 % 2 == 0 }, Countdown(n: 3).reduce(0, +), Countdown(n: 5).prefix(2).map { $0 }, Countdown(n: 3).sorted(), Countdown(n: 2).map { "\($0)" }.joined(separator: "-"), Set(Countdown(n: 3)).count, zip(Countdown(n: 2), "ab").map { "\($0)\($1)" }, Countdown(n: 3).contains(2), Countdown(n: 3).max()!, Countdown(n: 3).enumerated().map { $0 + $1 }, Countdown(n: 3).first { $0 < 3 }!, Array(Countdown(n: 4).dropFirst()))
struct Ring: Collection { let a: [String]; var startIndex: Int { 0 }; var endIndex: Int { a.count }; subscript(i: Int) -> String { a[i % a.count] }; func index(after i: Int) -> Int { i + 1 } }
let r = Ring(a: ["x", "y", "z"]); print(r.count, r.first!, r.map { $0 + "!" }, r.indices.map { $0 }, r.contains("y"), r.firstIndex(of: "z")!, r.dropFirst().count, Array(r.reversed()), r.isEmpty, r.randomElement() != nil, r.prefix(2).map { $0 })
struct Bag<T: Hashable>: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, CustomStringConvertible { var d: [T: Int] = [:]; init(arrayLiteral e: T...) { for x in e { d[x, default: 0] += 1 } }; init(dictionaryLiteral e: (T, Int)...) { for (k, v) in e { d[k] = v } }; var description: String { "Bag(\(d.values.reduce(0, +)))" }; subscript(x: T) -> Int { d[x] ?? 0 } }
let bag: Bag = ["a", "b", "a"]; let bg2: Bag = ["q": 3]; print(bag, bag["a"], bg2, bg2["q"], bag["zz"])
struct Poly: ExpressibleByIntegerLiteral, AdditiveArithmetic { var c: Int; init(integerLiteral v: Int) { c = v }; init(c: Int) { self.c = c }; static var zero: Poly { 0 }; static func + (a: Poly, b: Poly) -> Poly { Poly(c: a.c + b.c) }; static func - (a: Poly, b: Poly) -> Poly { Poly(c: a.c - b.c) } }
print(total([1, 2, 3] as [Poly]), ([5] as [Poly])[0] - 2, Poly.zero == 0)
@dynamicMemberLookup struct Dyn { subscript(dynamicMember m: String) -> String { "dyn.\(m)" } }; print(Dyn().foo)
@resultBuilder struct SB { static func buildBlock(_ p: String...) -> String { p.joined(separator: ";") }; static func buildIf(_ s: String?) -> String { s ?? "-" } }; func build(@SB _ f: () -> String) -> String { f() }; print(build { "a"; "b"; if bag["a"] > 1 { "c" } })
extension Int { var isEvenX: Bool { self % 2 == 0 }; func times(_ f: (Int) -> Void) { for i in 0..<self { f(i) } } }; 3.times { print($0.isEvenX, terminator: " ") }; print()
extension Optional where Wrapped == String { var orEmpty: String { self ?? "" } }; print((nil as String?).orEmpty.isEmpty, ("x" as String?).orEmpty)
extension Sequence where Element: Hashable { func uniq() -> [Element] { var s = Set<Element>(); return filter { s.insert($0).inserted } } }; print([1, 2, 1, 3].uniq(), "hello".uniq(), ["a", "a"].uniq())
extension Dictionary { func mapKeys<K: Hashable>(_ f: (Key) -> K) -> [K: Value] { Dictionary<K, Value>(uniqueKeysWithValues: map { (f($0.key), $0.value) }) } }; print([1: "a"].mapKeys { "\($0)" })
func f<T>(_ x: T) -> String { "generic" }; func f(_ x: Int) -> String { "int" }; func f<T: StringProtocol>(_ x: T) -> String { "str" }; print(f(1), f("a"), f(1.5), f("abc".dropFirst()))
let dictOfFuncs: [String: (Double, Double) -> Double] = ["+": (+), "-": (-), "max": { max($0, $1) }]; print(dictOfFuncs["+"]!(1, 2), dictOfFuncs["max"]!(3, 9), dictOfFuncs.count)
var stack: [Any] = [1, "a"]; stack.append([1: 2]); stack.append(Optional<Int>.none as Any); print(stack, stack.count)
let mixed: [(String, Any)] = [("i", 1), ("s", "x"), ("n", [nil, 1] as [Int?])]; for (k, v) in mixed { print("\(k)=\(v)") }
