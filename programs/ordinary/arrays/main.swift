// Array methods of every day.
var a = [3, 1, 2]
a.append(5)
a += [4, 6]
a.insert(0, at: 0)
print(a, a.count, a.first!, a.last!)
a.remove(at: 1)
a.removeLast()
print(a.sorted(), a.reversed(), a.contains(2))
a.sort()
print(a.firstIndex(of: 4) ?? -1, a.max()!, a.min()!)
print(a[1...2], a.prefix(2), a.dropFirst(3), a.suffix(1))
print(a.map { $0 * $0 }, a.filter { $0 > 2 }, a.reduce(0, +))
for (i, x) in a.enumerated() { print(i, x) }
var grid = [[Int]](repeating: [0, 0, 0], count: 2)
grid[1][2] = 7
print(grid)
var words = ["pear", "fig", "apple"]
words.sort { $0.count < $1.count }
print(words)
words.swapAt(0, 2)
print(words, words.joined(separator: " "))
let copy = words
words.removeAll()
print(copy.count, words.isEmpty)
print(Array(0..<5), Array(repeating: "x", count: 2), Array("abc"))
print([[1, 2], [3]].flatMap { $0 }, ["1", "x", "3"].compactMap { Int($0) })
print([1, 2, 3] == [1, 2, 3], stride(from: 0, to: 10, by: 4).map { $0 })
