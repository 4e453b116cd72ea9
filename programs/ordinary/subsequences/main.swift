let n = 64
func chk<S: Sequence>(_ s: S, _ name: String) where S.Element == Int { var t = 0; for x in s { t += x }; print(name, t) }
@inline(never) func all<S: Sequence>(_ s: S, _ name: String) where S.Element == Int {
  chk(s.dropFirst(10), name + " dropFirst"); chk(s.dropLast(10), name + " dropLast"); chk(s.drop { $0 < 20 }, name + " dropWhile"); chk(s.prefix(12), name + " prefix"); chk(s.prefix { $0 < 30 }, name + " prefixWhile"); chk(s.suffix(5), name + " suffix") }
struct Nat: Sequence, IteratorProtocol { var i = 0; let end: Int; init(end: Int) { self.end = end }; mutating func next() -> Int? { if i == end { return nil }; defer { i += 1 }; return i } }
all(0..<n, "range")
all(Nat(end: n), "seq")
all(AnySequence(Nat(end: n)), "anyseq")
all(AnySequence(0..<n), "anyseqrange")
all(AnySequence { (0..<n).makeIterator() }, "anyseqiter")
all(AnyCollection(0..<n), "anycoll")
all(Array(0..<n), "array")
all((0..<n).lazy, "lazyrange")
all(Nat(end: n).lazy, "lazyseq")
all(AnySequence(Nat(end: n)).lazy, "lazyanyseq")
all(AnyCollection(0..<n).lazy, "lazyanycoll")
all(Array(0..<n).lazy, "lazyarray")
all(sequence(first: 0) { $0 < 63 ? $0 + 1 : nil }, "unfold")
all(AnyBidirectionalCollection(Array(0..<n)), "anybidi")
all(AnyRandomAccessCollection(Array(0..<n)), "anyrandom")
all(repeatElement(3, count: n), "repeated")
all(stride(from: 0, to: n, by: 1), "stride")
let c = AnyCollection(0..<n)
for x in c.dropFirst(60) { print(x, terminator: " ") }
for x in c.prefix(3) { print(x, terminator: " ") }
for x in c.suffix(2) { print(x, terminator: " ") }
for x in c.dropLast(62) { print(x, terminator: " ") }
print(c.count, c.first!, c[c.index(c.startIndex, offsetBy: 5)], c.firstIndex(of: 7) == c.index(c.startIndex, offsetBy: 7), c.map { $0 }.count)
let s = AnySequence(0..<n)
for x in s.dropFirst(60) { print(x, terminator: " ") }
for x in s.prefix(3) { print(x, terminator: " ") }
for x in s.suffix(2) { print(x, terminator: " ") }
for x in s.dropLast(62) { print(x, terminator: " ") }
print(s.reduce(0, +), s.underestimatedCount, s.filter { $0 > 60 }, s.map { $0 * 2 }.count, s.contains(5), s.min()!, Array(s.prefix(while: { $0 < 3 })), s.split { $0 % 20 == 0 }.count)
let b = AnyBidirectionalCollection([1, 2, 3])
print(b.last!, b.reversed().map { $0 }, Array(b.dropLast()), b.index(before: b.endIndex) < b.endIndex)
let r = AnyRandomAccessCollection([1, 2, 3])
print(r[r.index(r.startIndex, offsetBy: 2)], r.count, r.distance(from: r.startIndex, to: r.endIndex), AnyCollection(r).count, AnyBidirectionalCollection(AnyCollection([1, 2]))?.count as Any, Array(r.enumerated()).count)
