// Hash values, with SWIFT_DETERMINISTIC_HASHING=1.
print(0.hashValue, 1.hashValue, (-1).hashValue, Int8(5).hashValue, UInt16(7).hashValue, UInt32(9).hashValue, UInt64.max.hashValue)
print("".hashValue, "a".hashValue, "abcdefg".hashValue, "abcdefgh".hashValue, "a long string that does not fit into two words".hashValue)
print("é".hashValue, "e\u{301}".hashValue, "日本語".hashValue, ("x" as Character).hashValue, true.hashValue, 1.5.hashValue, (-0.0).hashValue, Float(2.5).hashValue)
print([1, 2].hashValue, ["a"].hashValue, Optional(3).hashValue, Int?.none.hashValue, (1..<3).hashValue)
var h = Hasher(); h.combine(UInt8(1)); h.combine(UInt16(2)); h.combine("x"); h.combine(UInt32(3)); h.combine(4); print(h.finalize())
struct K: Hashable { var a: Int; var b: String; var c: Int? }
enum E: Hashable { case a, b(Int), c(String, Double) }
enum R: String { case x, y }
print(K(a: 1, b: "z", c: nil).hashValue, E.a.hashValue, E.b(2).hashValue, E.c("q", 1).hashValue, R.x.hashValue)
print(AnyHashable(1).hashValue, AnyHashable(2.0).hashValue, AnyHashable("s").hashValue, AnyHashable(UInt8(1)) == AnyHashable(1.0))
print(Array(Set(1...20)), Array(Set("the quick brown fox".split(separator: " "))))
print(["one": 1, "two": 2, "three": 3, "four": 4], Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0 * $0) }))
var d: [String: Int] = [:]
for i in 0..<40 { d["k\(i)"] = i; if i % 3 == 0 { d["k\(i / 2)"] = nil } }
print(d)
