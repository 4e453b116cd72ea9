// Arrays of references and values: copy on write, removal, insertion, two dimensions.
final class Tag {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}

func copyOnWrite() {
  var a = [1, 2, 3]
  var b = a
  b[1] = 20
  a.append(4)
  print(a.count)
  print(b.count)
  print(a[1])
  print(b[1])
  let saved = b
  b.removeAll()
  print(saved.reduce(0, +))
  print(b.isEmpty)
}

func objects() {
  var tags = [Tag(1), Tag(2), Tag(3), Tag(4)]
  tags.remove(at: 1)
  print(tags.count)
  tags.insert(Tag(5), at: 0)
  print(tags[0].id)
  tags.removeLast()
  let copy = tags
  tags[0] = Tag(6)
  print(copy[0].id)
  tags.removeAll(where: { $0.id == 3 })
  print(tags.count)
  print(copy.count)
}

func grid() {
  var g = [[Int]](repeating: [Int](repeating: 0, count: 5), count: 4)
  for r in 0..<4 { for c in 0..<5 { g[r][c] = r * 10 + c } }
  g[2].swapAt(0, 4)
  g.swapAt(0, 3)
  for row in g {
    var s = 0
    for (i, x) in row.enumerated() { s += x * (i + 1) }
    print(s)
  }
  var flat = ContiguousArray<Int>()
  for row in g { flat.append(contentsOf: row) }
  print(flat.count)
  print(flat[13])
}

func edits() {
  var a = Array(0..<10)
  a.replaceSubrange(2..<5, with: [100, 200])
  a.removeSubrange(0..<1)
  a.reverse()
  for x in a { print(x) }
  print(a.popLast()!)
  print(a.dropFirst(3).first!)
  print(a.indices.last!)
  let slice = a[2...4]
  print(slice.startIndex)
  print(slice[slice.startIndex])
}

copyOnWrite()
objects()
grid()
edits()
