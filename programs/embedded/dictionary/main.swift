// Dictionary and Set with integer and struct keys; only order-free results are printed.
struct Point: Hashable {
  var x, y: Int
}
enum Key: Hashable {
  case id(Int)
  case pair(UInt8, Bool)
  case nothing
}

func counts() {
  var histogram: [Int: Int] = [:]
  for i in 0..<200 { histogram[(i * i) % 17, default: 0] += 1 }
  for k in histogram.keys.sorted() { print(histogram[k]!) }
  histogram[0] = nil
  print(histogram.count)
  print(histogram[0] == nil)
  print(histogram.removeValue(forKey: 1)!)
  print(histogram.values.reduce(0, +))
}

func walls() {
  var visited = Set<Point>()
  var p = Point(x: 0, y: 0)
  for i in 0..<100 {
    visited.insert(p)
    switch (i * 7 + i / 3) % 4 {
    case 0: p.x += 1
    case 1: p.y += 1
    case 2: p.x -= 1
    default: p.y -= 1
    }
  }
  print(visited.count)
  print(visited.contains(Point(x: 0, y: 0)))
  print(visited.contains(Point(x: 500, y: 0)))
  let right = visited.filter { $0.x > 0 }
  print(right.count)
  print(right.isSubset(of: visited))
  print(visited.subtracting(right).count + right.count == visited.count)
}

func keys() {
  var d: [Key: Int] = [.id(1): 10, .pair(2, true): 20]
  d[.nothing] = 30
  d[.pair(2, false)] = 40
  d[.id(1)]! += 5
  print(d[.id(1)] ?? 0)
  print(d[.pair(2, true)] ?? 0)
  print(d[.pair(3, true)] ?? -1)
  print(d[.nothing] ?? 0)
  let copy = d
  d.removeAll()
  print(d.isEmpty)
  print(copy.count)
  print(copy.map { $0.value }.sorted().last!)
}

counts()
walls()
keys()
