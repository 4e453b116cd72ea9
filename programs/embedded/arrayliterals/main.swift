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
