// The algorithms of collections: splitting, partitioning, searching, slices.
let a = [5, 3, 9, 1, 7, 3, 8, 2]
for part in a.split(separator: 3) { print(part.reduce(0, +)) }
var p = a
let pivot = p.partition(by: { $0 > 4 })
print(pivot)
print(p[..<pivot].allSatisfy { $0 <= 4 })
print(a.min(by: { $0 % 5 < $1 % 5 })!)
print(a.first(where: { $0 > 5 })!)
print(a.lastIndex(of: 3)!)
print(a.drop(while: { $0 != 9 }).count)
print(a.prefix(while: { $0 != 1 }).last!)
print([1, 2, 3].flatMap { [$0, $0 * 10] }.count)
print(repeatElement(4, count: 3).map { $0 }.reduce(1, *))
print(CollectionOfOne(9).first!)
print(EmptyCollection<Int>().isEmpty)
print(Array(a.reversed())[0])
print(a.reversed().first!)
var slice = a[2..<6]
slice[3] = 100
slice.append(55)
print(slice.count)
print(a[3])
print(slice[3])
print(slice.endIndex)
var c = ContiguousArray([1, 2, 3])
c.insert(contentsOf: [8, 9], at: 1)
c.swapAt(0, 4)
for x in c { print(x) }
print(c.starts(with: [3, 8]))
print((1..<10).contains(9))
print((1...9).clamped(to: 4...20).lowerBound)
print((3..<3).isEmpty)
print(a.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }.reduce(0, +))
print(a.lazy.map { $0 * 2 }.filter { $0 > 8 }.count)
print(zip(a, a.dropFirst()).filter { $0 < $1 }.count)
var e = a
e.removeAll { $0 == 3 }
e.sort { $0 > $1 }
print(e.first! * 100 + e.last!)
e.reserveCapacity(100)
print(e.capacity >= 100)
e.removeFirst(2)
e.removeLast(2)
print(e.count)
print(a.reduce(into: [Int](repeating: 0, count: 3)) { $0[$1 % 3] += 1 }[1])
print([3, 1, 2].elementsEqual([3, 1, 2]) && [1, 2] != [1, 3])
print(a.withContiguousStorageIfAvailable { $0[2] }!)
