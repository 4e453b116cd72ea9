// silvm gen --swift ordinary --seed 5 --size 4
var ended = 0

@inline(never) func show(_ n: Int) { print(n & 0xffff) }

protocol Tells { func tell(_ n: Int) -> Int }

class A: Tells {
  let id: Int
  var v: Int
  var next: A? = nil
  weak var friend: A? = nil
  init(_ id: Int) { self.id = id; v = id }
  func tell(_ n: Int) -> Int { v = v &+ n; return v }
  deinit { ended = ended &+ 1; show(1000 &+ v) }
}

final class B: A {
  var held: [A] = []
  override func tell(_ n: Int) -> Int { return held.count &+ n }
}

struct Pair: Tells {
  var a: A
  var n: Int
  func tell(_ n: Int) -> Int { return a.v &+ n }
  mutating func swapIn(_ b: A) -> A { let old = a; a = b; n = n &+ 1; return old }
}

enum Shape {
  case none
  case one(A)
  case two(A, Int)
  case number(Int)
  indirect case more(Pair)
  var size: Int {
    switch self {
    case .none: return 0
    case .one(let a): return a.v
    case .two(let a, let n): return a.v &+ n
    case .number(let n): return n
    case .more(let p): return p.tell(1)
    }
  }
}

struct Box<T> {
  var value: T
  var count = 0
  init(_ value: T) { self.value = value }
  mutating func replace(_ with: T) -> T { let old = value; value = with; count = count &+ 1; return old }
}

struct Failure: Error { let a: A }

final class Keeper { var kept: A? = nil; var act: ((Int) -> Int)? = nil }

@inline(never) func same(_ c: __owned A) -> A { return c }
@inline(never) func paired(_ c: A) -> (A, Int) { return (c, c.id) }
@inline(never) func maybe(_ c: A) -> A? { return c }
@inline(never) func cased(_ c: A) -> Shape { return .one(c) }
@inline(never) func keep(_ c: A, in k: Keeper) { k.kept = c }
@inline(never) func act(_ c: A) -> (Int) -> Int { return { n in c.v = c.v &+ n; return c.v } }
@inline(never) func passOn<T>(_ x: T) -> T { return x }
@inline(never) func exchange<T>(_ x: inout T, _ y: T) -> T { let old = x; x = y; return old }
@inline(never) func twice(_ f: (Int) -> Int) -> Int { return f(f(2)) }
@inline(never) func told<T: Tells>(_ x: T, _ n: Int) -> Int { return x.tell(n) }
@inline(never) func failing(_ c: A, _ n: Int) throws(Failure) -> Int { if n & 1 == 0 { throw Failure(a: c) }; return n }
@inline(never) func write(_ c: A, _ n: Int, through way: Int) {
  switch way {
  case 0: same(c).v = n
  case 1: paired(c).0.v = n
  case 2: maybe(c)!.v = n
  case 3: if case .one(let d) = cased(c) { d.v = n }
  case 4: let k = Keeper(); keep(c, in: k); k.kept!.v = n
  case 5: show(act(c)(n))
  case 6: do throws(Failure) { show(try failing(c, 2)) } catch { error.a.v = n }
  default: var b = Box(c); show(b.replace(A(7)).v); b.value.v = n; c.v = c.v &+ n
  }
}

@inline(never) func any(_ x: any Tells, _ n: Int) -> Int { return x.tell(n) }

@inline(never) func f1() {
  let x2: A = (Pair(a: Pair(a: (nil as A? ?? A(7)), n: 3).a, n: 3).a.next ?? A(6))
  x2.v = 9
  var x3: Pair = Pair(a: Pair(a: x2, n: 5).a, n: (x2.tell(3) &+ (8 &+ 5)))
  let x4 = x3
  show(x3.swapIn(x2).id)
  show((x4).tell(2))
  show((x3).tell(2))
  var x5: [A] = [x2, (nil as A? ?? A(5))]
  let x6 = x5
  x5[6 & 1] = x2
  for x in x6 { show(x.id) }
  for x in x5 { show(x.id) }
  if let a7 = nil as A? {
    a7.v = (act(x2))(Shape.more(x4).size)
    show(a7.v)
  }
  x2.v = 1
  return
}

@inline(never) func f8(_ p9: Box<Int>) throws(Failure) -> Pair {
  let x10: A = same((maybe(same(Pair(a: Pair(a: passOn(Pair(a: same(A(3)), n: 0).a), n: 8).a, n: 8).a)) ?? A(6)))
  do throws(Failure) { show(try failing(x10, told(Pair(a: x10, n: 3), (3 &+ 4)))) } catch { error.a.v = error.a.v &+ 5; show(error.a.v) }
  show(x10.v)
  let x11: Int = (told(Pair(a: x10, n: 9), ({ n in n &+ 3 })(4)) &+ ({ n in n &+ 7 })(told(Pair(a: x10, n: 9), 4)))
  x10.v = [x10, x10].count
  write(x10, x11, through: 2)
  show(x10.v)
  write(x10, told(Pair(a: x10, n: x11), x11), through: 7)
  show(x10.v)
  write(x10, x11, through: 2)
  show(x10.v)
  return Pair(a: x10, n: x11)
}

@inline(never) func f12(_ p13: inout A, _ p14: __owned Pair) {
  var x15 = p13
  defer { p13 = x15 }
  x15.v = ([x15, x15].count &+ x15.v)
  x15.v = [x15, x15].count
  var x16: [Int] = [x15.tell(3), ({ n in n &+ 0 })(Shape.more(p14).size)]
  let x17 = x16
  x16[((1 &+ 8) &+ [x15, x15].count) & 1] = Shape.more(p14).size
  for x in x17 { show(x) }
  for x in x16 { show(x) }
  x15.v = told(p14, (x15.tell(3) &+ x15.tell(3)))
  for x in x16 { show(x) }
  return
}

func f18(_ p19: Box<Int>) -> [Int] {
  switch Shape.two(A(Shape.one(passOn(same(passOn(passOn(A(5)))))).size), passOn((maybe(Pair(a: same(A(0)), n: 2).a) ?? A(4))).tell(3)) {
  case .one(let a20), .two(let a20, _):
    let x22: A? = a20.next
    show((x22)?.id ?? 99)
  case .number(let n21):
    show((p19).value &+ (p19).count)
    var x23: [Int] = [n21, passOn(A(n21)).v]
    _ = exchange(&x23, x23)
    show(n21)
  default: show(72)
  }
  if told(Pair(a: A(4), n: 6), (nil as A? ?? A(1)).tell(3)) > same(passOn((maybe(same(same(passOn(same(Pair(a: A(0), n: 7).a))))) ?? A(6)))).v {
    let x24: A = same(A(4))
    x24.v = (x24.v &+ 8)
    return [7, 3]
  }
  if [passOn((nil as A? ?? A(3))), (same(passOn((nil as A? ?? A(9)))).next ?? A(1))].count < Shape.none.size {
    let x25: A = passOn(Pair(a: (A(3).next ?? A(7)), n: 2).a)
    x25.v = told(Pair(a: x25, n: 6), told(Pair(a: x25, n: 6), x25.tell(3)))
    let x26: (Int) -> Int = { n in n &+ 7 }
  } else {
    var x27: [Int] = [same(Pair(a: A(4), n: 0).a).tell(3), 2]
    _ = exchange(&x27, x27)
    let x28: A = passOn(same(passOn(passOn(A(9)))))
    x28.v = [x28, x28].count
  }
  return [[A(8), same(((A(6).next ?? A(9)).next ?? A(0)))].count, A(0).tell(3)]
}

func test() {
  f1()
  do throws(Failure) {
    let r29: Pair = try f8(Box([((same(A(1)).next ?? A(9)).next ?? A(6)), Pair(a: A(1), n: 6).a].count))
    show((r29).tell(2))
  } catch { show(error.a.id) }
  var x30: A = Pair(a: A(8), n: 0).a
  f12(&x30, Pair(a: A(7), n: [A(2), A(0)].count))
  show(x30.v)
  let r31: [Int] = f18(Box(({ n in n &+ 3 })(4)))
  for x in r31 { show(x) }
}
test()
show(ended)
