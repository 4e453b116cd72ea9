// What AnyHashable makes of numbers and collections of different types: hashes and equality.
struct G<T: Hashable>: Hashable { var t: T }
struct K: Hashable { var n: Int }
final class C: Hashable { let i: Int; init(_ i: Int) { self.i = i }; static func == (a: C, b: C) -> Bool { a.i == b.i }; func hash(into h: inout Hasher) { h.combine(i) } }
let all: [AnyHashable] = [[1] as [Int], [UInt8(2)], [2.5], ["a"], Set([1]), Set<UInt8>([1, 7]), Set<Float>([0.5]), ["a": 1.5], [UInt8(3): "x"], [[1.0]], [Set<Int8>([4])], [Optional(3), nil], Optional(5) as AnyHashable,
  K(n: 1), [K(n: 2)], [C(3)], Set([K(n: 4)]), [K(n: 5): 2.0 as Float == 2 ? 1 : 0], -1 as Int8, [Int16(-1)], UInt64.max, [Double(1 << 60)], "s", ["t", "u"], Set(["v"]), 1.5 as Float, true, [true, false], Character("c"), [UInt8]()]
for a in all { print(type(of: a.base), all.filter { $0 == a && $0.hashValue == a.hashValue }.count) }
let s = Set(all); print(s.count)
print(s.contains([1.0]), s.contains([2 as Int64]), s.contains(Set<Int64>([7, 1])), s.contains(["a": 1.5 as Float]), s.contains([3: "x"]), s.contains([C(3)]), s.contains([-1]), s.contains(Set<Double>([0.5])), s.contains([Set([4])]), s.contains([Double.nan]), AnyHashable([Double.nan]) == AnyHashable([Float.nan]))
func h(_ a: AnyHashable, _ b: AnyHashable) { print(a == b, a.hashValue == b.hashValue, Set([a, b]).count) }
h([1] as [Int], [1] as [UInt8])
h([1, 2] as [Int], [1.0, 2.0])
h([1, 2] as [Int], [1.0, 2.5])
h([[1]], [[1.0]])
h([Optional(1)], [1])
h([Optional(1), nil], [1, nil] as [Int8?])
h([AnyHashable(1)], [UInt16(1)])
h(["a"], ["a" as Substring])
h(["a"], [Character("a")])
h([] as [Int], [] as [String])
h(G(t: 1), G(t: "a")); h(G(t: 1), G(t: 1.0)); h(G(t: [1]), G(t: [1]))
h(Set([1, 2]), Set<UInt8>([2, 1])); h(Set([1, 2]), Set<Double>([2, 1])); h(Set([1, 2, 3]), Set<UInt8>([2, 1])); h(Set([1, 2]), Set<UInt8>([2, 4]))
h(Set<Int>(), Set<String>())
h(Set([1, 2]), Set([AnyHashable(1), AnyHashable(2.0)]))
h(1...3, (1 as Int8)...3)
h(ContiguousArray([1]), [1]); h([1][...], [1])
h(["k": 1], ["k": 2]); h([1: 2], [1: 2])
var d: [AnyHashable: String] = [[1] as [Int]: "x", Set<Int>([3]): "s"]
print(d[[1] as [UInt8]] as Any, d[[1.0]] as Any, d[[2]] as Any, d[Set<Int8>([3])] as Any)
print(AnyHashable([1, 2] as [UInt8]), AnyHashable([1] as [UInt8]).base is [UInt8], AnyHashable([1] as [UInt8]) as? [Int] as Any)
// Optionals in AnyHashable: inside sets and dictionaries all of them give what they hold, elsewhere those with numbers or collections.
h("a", "a" as String?); h(K(n: 1), K(n: 1) as K?); h(1, 1 as Int?)
h(["a"], ["a" as String?]); h([K(n: 1)], [K(n: 1) as K?]); h([1], [1 as Int?]); h([nil] as [String?], [nil] as [Int?])
h(Set(["a"]), Set(["a" as String?]));  h(Set([1]), Set([1 as Int?])); h(Set([nil] as [String?]), Set([nil] as [Int?]))
h(["a": 1], ["a" as String?: 1]);  h(["a": 1], ["a": 1 as Int?]); h([nil: 1] as [String?: Int], [nil: 1] as [Int?: Int])
h([[K(n: 1)]], [[K(n: 1) as K?]]); h(Set([1 as Int??]), Set([1])); h(["a" as String??], ["a" as String?])
h(Set([1 as Int8?, nil]), Set([1, nil]))
// Indices of sets and dictionaries hash by their buckets.
let ds = ["a": 1, "b": 2]
var byIndex: [Dictionary<String, Int>.Index: Int] = [:]
for i in ds.indices { byIndex[i] = ds[i].value }
print(Set(s.indices).count == s.count, ds.indices.map { byIndex[$0]! } == ds.map { $0.value }, AnyHashable(ds.startIndex) == AnyHashable(ds.startIndex))
