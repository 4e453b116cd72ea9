// Sets of ranges, and the slices that they make of collections.
struct Log: Comparable, Hashable { let n: Int; static func < (a: Log, b: Log) -> Bool { a.n < b.n } }
var s = RangeSet([1..<3, 5..<8])
print(s, s.ranges, s.isEmpty, RangeSet<Int>())
s.insert(contentsOf: 3..<4); print(s)
s.insert(contentsOf: 4..<5); print(s, s.ranges.count)
s.remove(contentsOf: 2..<4); print(s)
s.remove(contentsOf: 0..<0); print(s)
let letters = Array("abcdefghij")
print(s.insert(9, within: letters), s.insert(9, within: letters), s)
s.remove(1, within: letters); print(s)
let t = RangeSet([0..<2, 6..<12])
print(s.union(t), s.intersection(t), s.symmetricDifference(t), s.subtracting(t), t.subtracting(s))
print(s.isSubset(of: t), s.isSuperset(of: t), s.isDisjoint(t), s.isStrictSubset(of: s.union(t)), s.isSubset(of: s), s.isStrictSubset(of: s), s.isStrictSuperset(of: RangeSet(5..<6)))
var u = s; u.formUnion(t); print(u); u = s; u.formIntersection(t); print(u); u = s; u.formSymmetricDifference(t); print(u); u = s; u.subtract(t); print(u)
print(u == s, Set([s, t, s]).count, s.contains(5), s.contains(8), s.contains(9))
let d = letters[s]
print(d, d.count, Array(d), d.first as Any, d.last as Any, String(d), d.startIndex, d.endIndex)
print(d.map { $0.uppercased() }, d.reversed(), d[d.index(after: d.startIndex)...].count)
print(letters.removingSubranges(s), d.subranges, d.base.count)
var nums = Array(1...20)
let even = nums.indices { $0.isMultiple(of: 2) }
print(even.ranges.count)
print(nums[even].reduce(0, +))
let r = nums.moveSubranges(even, to: 3); print(r, nums)
nums.removeSubranges(RangeSet([0..<2, 5..<6])); print(nums)
let vowels = "the rain in spain stays mainly".indices { "aeiou".contains($0) }
print("the rain in spain stays mainly"[vowels].map(String.init).joined())
var word = Array("the rain in spain")
word.moveSubranges(word.indices { "aeiou".contains($0) }, to: word.startIndex); print(String(word))
print(RangeSet([Log(n: 3)..<Log(n: 5)]).contains(Log(n: 4)))
for x in s.ranges { print(x) }
var e = d; for i in e.indices { e[i] = "z" }; print(e, e.base, e == d, Set([e, d]).count, d.hashValue == d.hashValue)
print(RangeSet<String.Index>().isEmpty, s.ranges == t.ranges, s.ranges.first!, s.ranges[0], s.ranges.last!)
