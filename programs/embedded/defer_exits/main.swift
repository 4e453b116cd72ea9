// Control flow: defer in loops and branches, early exits, nested functions, labeled breaks,
// recursion through captured functions, fallthrough.
final class Guard {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
func work(_ n: Int) -> Int {
  defer { print("done") }
  let g = Guard(n)
  if n == 1 {
    defer { print("one") }
    return g.id
  }
  for i in 0..<n {
    defer { print(i) }
    if i == 2 { break }
    if i == 0 { continue }
    print("body")
  }
  guard n < 5 else {
    print("big")
    return -1
  }
  do {
    defer { print("inner") }
    let h = Guard(n * 10)
    if h.id == 30 { return h.id }
  }
  return 0
}
func search(_ grid: [[Int]], _ x: Int) -> (Int, Int)? {
  var found: (Int, Int)?
  rows: for (r, row) in grid.enumerated() {
    for (c, v) in row.enumerated() {
      if v < 0 { continue rows }
      if v == x {
        found = (r, c)
        break rows
      }
    }
  }
  return found
}
func grade(_ n: Int) -> Int {
  var points = 0
  switch n {
  case 90...: points += 1; fallthrough
  case 80..<90: points += 1; fallthrough
  case 70..<80: points += 1
  default: points = -1
  }
  return points
}
func parity(_ n: Int) -> Bool {
  func even(_ n: Int) -> Bool { return n == 0 || odd(n - 1) }
  func odd(_ n: Int) -> Bool { return n != 0 && even(n - 1) }
  return even(n)
}
func permutations(_ n: Int) -> Int {
  var count = 0
  var used = [Bool](repeating: false, count: n)
  var current: [Int] = []
  func go() {
    if current.count == n {
      if current.first! < current.last! { count += 1 }
      return
    }
    for i in 0..<n where !used[i] {
      used[i] = true
      current.append(i)
      defer {
        used[i] = false
        current.removeLast()
      }
      go()
    }
  }
  go()
  return count
}
for n in [1, 2, 3, 6] { print(work(n)) }
if let (r, c) = search([[1, 2], [-1, 5], [3, 5]], 5) { print(r * 10 + c) }
print(search([[]], 1) == nil)
for n in [95, 85, 75, 5] { print(grade(n)) }
print(parity(10))
print(parity(7))
print(permutations(5))
var n = 0
while true {
  n += 1
  if n % 2 == 0 { continue }
  if n > 6 { break }
  print(n)
}
