var a = [5, 3, 8, 1]
a.append(9)
a += [4, 4]
a.insert(7, at: 2)
print(a, a.count, a.capacity >= 8)
print(a.remove(at: 0), a.removeLast(), a.popLast() as Any, a.removeFirst())
print(a.first as Any, a.last as Any, a.firstIndex(of: 8) as Any, a.lastIndex(of: 100) as Any)
a.reverse()
print(a)
a.sort()
print(a)
a.sort(by: >)
print(a)
print(a.contains(8), a.contains { $0 > 100 }, a.allSatisfy { $0 > 0 })
a.swapAt(0, 1)
print(a)
a.removeSubrange(0..<1)
print(a)
a.replaceSubrange(0...1, with: [10, 20, 30, 40])
print(a)
a.removeAll { $0 % 20 == 0 }
print(a)
print(a.map { "\($0)!" }, a.filter { $0 > 5 }, a.reduce(0, +), a.reduce(into: "") { $0 += "\($1)," })
print(a.min() as Any, a.max() as Any, a.sorted(), a.reversed() as [Int], Array(a.reversed()))
print(a.prefix(2), a.suffix(1), a.dropFirst(), a.dropLast(5), a.prefix(while: { $0 < 20 }), a.drop(while: { $0 < 20 }))
print(a[1...], a[..<1], a[0..<1], a.split(separator: 30), a.split { $0 == 10 })
print([1, 2] == [1, 2], [1, 2] != [2], [[1], [2, 3]].flatMap { $0 }, [[1], [2, 3]].joined().map { $0 }, Array([[1], [2]].joined(separator: [0, 0])))
print(["1", "x", "3"].compactMap { Int($0) }, ["a", "b"].joined(separator: "-"), ["a", "b"].joined())
print(a.enumerated().map { "\($0.offset):\($0.element)" }, Array(zip(a, "abc")))
print(a.isEmpty, [Int]().isEmpty, [Int]().first as Any, Array(repeating: "z", count: 3), [Int](1...4), [Int](unsafeUninitializedCapacity: 4) { b, n in b[0] = 1; b[1] = 2; n = 2 })
var b = a
b[0] = 99
print(a, b)
print(a.description, a.debugDescription, "\(["a": 1])", [Optional(1), nil], [1.5, 2], ["x", "y\n"] as [Any])
var nested = [[Int]](repeating: [Int](repeating: 0, count: 3), count: 2)
nested[1][2] = 5
print(nested)
for (i, x) in nested.enumerated() { for y in x where y > 0 { print(i, y) } }
print(a.partition { $0 > 15 }, a)
print(a.hashValue == b.hashValue, a.elementsEqual(a), a.starts(with: [10]), a.lexicographicallyPrecedes(b))
a.removeAll(keepingCapacity: true)
print(a, a.randomElement() as Any)
let s: ArraySlice = [1, 2, 3, 4, 5][1...3]
print(s, s.startIndex, s.endIndex, s[2], Array(s), s.first!, s.indices)
var s2 = s
s2.append(7)
s2[1] = 100
print(s2, s)
let c: ContiguousArray = [1, 2]
print(c, c.map { $0 * 2 }, c + [3])
print(a.indices, b.indices.map { $0 }, b.index(after: 0), b.startIndex, b.endIndex, b.distance(from: 0, to: 1))
b.withUnsafeBufferPointer { p in print(p.count, p[0], p.reduce(0, +)) }
b.withUnsafeMutableBufferPointer { p in p[0] = 1; p.swapAt(0, 0) }
print(b)
print(b.last { $0 < 50 } as Any, b.firstIndex { $0 > 10 } as Any, b.max { $0 > $1 } as Any, b.min { $0 % 7 < $1 % 7 } as Any)
b.reserveCapacity(100)
print(b.capacity >= 100)
b += 1...3
b.append(contentsOf: [8, 9].lazy.map { $0 + 1 })
print(b)
b.insert(contentsOf: [0, 0], at: 1)
print(b, b.shuffled().count)
