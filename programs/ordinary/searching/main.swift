let s = "one, two, three, two"
let sub = s.dropFirst(2)
print(s.contains("two"), s.contains("four"), s.contains(""), sub.contains("one"), s.contains(s.suffix(3)), [1, 2, 3, 4].contains([2, 3]), [1, 2].contains([2, 1]))
print(s.split(separator: ", "), sub.split(separator: "two"), s.split(separator: ", ", maxSplits: 1), ",a,,b,".split(separator: ",,", omittingEmptySubsequences: false), [1, 0, 0, 2, 0, 0].split(separator: [0, 0]), s.split(separator: s.suffix(3)))
print(s.ranges(of: "two").count, s.firstRange(of: "two").map { s[$0.upperBound...] } as Any, s.firstRange(of: "zzz") as Any, [1, 2, 1, 2].ranges(of: [1, 2]), [3, 4].firstRange(of: [4]) as Any, "aaaa".ranges(of: "aa").count)
print(s.replacing("two", with: "2"), s.replacing("o", with: "0", maxReplacements: 2), sub.replacing("e", with: ""), [1, 2, 1].replacing([1], with: [9, 9]))
var m = s
m.replace("three", with: "3")
print(m)
m.replace(",", with: ";", maxReplacements: 1)
print(m)
print("  x ".trimmingPrefix(while: { $0 == " " }), "aab".trimmingPrefix("a"), "aab".trimmingPrefix("b"), [1, 2, 3].trimmingPrefix([1, 2]))
var t = "xxy"
t.trimPrefix("x")
print(t)
t.trimPrefix { $0 == "x" }
print(t)
print(s.replacing("two", with: "2", subrange: s.startIndex..<s.index(s.startIndex, offsetBy: 9)))
