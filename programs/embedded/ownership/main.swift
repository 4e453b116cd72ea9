// Parameter ownership: borrowing, consuming, inout, moves, exclusive accesses that are fine.
final class Token {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
struct Holder {
  var token: Token
  var history: [Int] = []
  mutating func replace(with t: consuming Token) -> Token {
    let old = token
    token = t
    history.append(old.id)
    return old
  }
  consuming func finish() -> Token { return token }
}
func look(_ t: borrowing Token) -> Int { return t.id }
func keep(_ t: consuming Token) -> Holder { return Holder(token: t) }
func exchange(_ a: inout Token, _ b: inout Token) {
  let t = a
  a = b
  b = t
}
final class Box {
  var value = [1, 2, 3]
  var other = 5
  func update(_ f: (inout [Int]) -> Void) { f(&value) }
}
var global = [Token(100)]

func run() {
  var h = keep(Token(1))
  print(look(h.token))
  let old = h.replace(with: Token(2))
  print(old.id)
  var a = Token(3)
  var b = Token(4)
  exchange(&a, &b)
  print(look(a) * 10 + look(b))
  let moved = a
  a = Token(5)
  print(moved.id)
  let box = Box()
  box.update {
    $0.append(box.other)
    box.other += 1
  }
  print(box.value.last! + box.other)
  swap(&box.value[0], &box.other)
  print(box.value[0] * 10 + box.other)
  print(h.history.count)
  let t = h.finish()
  print(t.id)
  global.append(moved)
  global[0] = b
  print("end of run")
}
run()
print(global.count)
global.removeAll()
withExtendedLifetime(Token(6)) { print("inside") }
_ = Token(7)
let unused = Token(8)
print("end")
