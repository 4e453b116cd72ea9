// not at -O: swiftc crashes in objects()
// Array literals that are appended, read and kept: what becomes of their elements, and when they die.
final class Obj {
  let n: Int
  init(_ n: Int) { self.n = n; alive += 1 }
  deinit { alive -= 1; print("deinit"); print(n) }
}
nonisolated(unsafe) var alive = 0

func appendOne(_ a: inout [Obj], _ n: Int) { a += [Obj(n)] }
func appendThree(_ a: inout [Obj], _ o: Obj) { a.append(contentsOf: [o, Obj(o.n + 1), o]) }
func appendTwice(_ a: inout [Obj], _ b: inout [Obj], _ o: Obj) {
  let l = [o]
  a += l
  b += l
  print(l.count)
  print(l[0].n)
}
func readBack(_ o: Obj) -> Int {
  let l = [o, Obj(9)]
  return l[1].n + l[0].n
}
func many(_ a: inout [Int], _ k: Int) {
  a += [k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6]
  a += [a.count]
}
func shared(_ a: [Obj], _ o: Obj) -> [Obj] {
  var b = a
  b += [o]
  return b
}
func branch(_ a: inout [Obj], _ o: Obj, _ appended: Bool) {
  let l = [o]
  if appended { a += l } else { print(l[0].n) }
}
func sum(_ a: [Obj]) -> Int {
  var s = 0
  for o in a { s = s * 10 + o.n }
  return s
}

func objects() {
  var a: [Obj] = [], b: [Obj] = []
  appendOne(&a, 1)
  let o = Obj(2)
  a.append(o)
  appendThree(&a, o)
  appendTwice(&a, &b, o)
  branch(&a, Obj(5), true)
  branch(&a, Obj(6), false)
  print(sum(a)); print(sum(b)); print(alive)
  print(readBack(o)); print(alive)
  a.removeAll()
  print(alive)
  b = shared(b, Obj(7))
  print(b.count)
}
func numbers(_ k: Int) {
  var w: [Int] = []
  many(&w, k)
  w.append(3)
  var t = 0
  for x in w { t = t &* 3 &+ x }
  print(t)
}
objects()
numbers(10)
print(alive)
func element(_ i: Int) -> Int {
  let l = [3, 1, 4]
  return l[i]
}
print(element(2) + [1, 2, 3][1])

// Constants are laid out once: nobody may change what all see.
func changed(_ i: Int) -> [Int] {
  var a = [1, 2, 3]
  a[i] = 9
  a.append(4)
  return a
}
func copied() -> Int {
  let base = [5, 6, 7]
  var copy = base
  copy[0] += 1
  copy.withUnsafeMutableBufferPointer { $0[1] = 60 }
  return base[0] + base[1] + copy[0] * 10 + copy[1] * 10
}
final class Holder {
  var steps = [(1, 0), (0, 1)]
  func turn() { steps[0].0 += 1; steps.swapAt(0, 1) }
}
func weights() -> [Int] { [2, 3] }
func added(_ k: inout [Int]) { k[0] += 100 }
for round in 0..<2 {
  for i in 0..<3 {
    var n = 0
    for x in changed(i) { n = n * 10 + x }
    print(n)
  }
  print(copied())
  let h = Holder(), g = Holder()
  h.turn(); h.turn(); h.turn()
  print(h.steps[0].0 * 1000 + h.steps[1].0 * 100 + g.steps[0].0 * 10 + g.steps[1].1)
  var w = weights()
  added(&w)
  print(w[0] + weights()[0] + round)
}
