// silvm gen --swift embedded --seed 2 --size 2
var ended = 0

@inline(never) func show(_ n: Int) { print(n & 0xffff) }

protocol Tells { func tell(_ n: Int) -> Int }

class A: Tells {
  let id: Int
  var v: Int
  var next: A? = nil
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

func f1(_ p2: A) -> Box<Int> {
  var x3: Int = ({ n in n &+ 4 })(Shape.two(p2, 8).size)
  _ = exchange(&x3, x3)
  let x4: B = B(x3)
  if told(Pair(a: p2, n: x3), x3) > (x3 &+ x3) {
    let x5: Box<Int> = Box(x3)
    show((x5).value &+ (x5).count)
    return x5
  }
  if let a6 = maybe(p2) {
    show(a6.v)
    var x7: Pair = Pair(a: p2, n: x3)
    let x8 = x7
    show(x7.swapIn(p2).id)
    show((x8).tell(2))
    show((x7).tell(2))
    show(a6.v)
  }
  switch Shape.none {
  case .one(let a9), .two(let a9, _):
    let f11: (Int) -> Int = { n in
      show(a9.v)
      let x12: Int = n
      return n &+ x3
    }
    show(twice(f11))
    show((f11)(4))
  case .number(let n10):
    if let a13 = Pair(a: p2, n: n10).a.next {
      show(x3)
      let x14: [Int] = [n10, n10]
      for x in x14 { show(x) }
      show(a13.v)
    }
    write(p2, n10, through: 1)
    show(p2.v)
    show(n10)
  default: show(24)
  }
  write(p2, x3, through: 7)
  show(p2.v)
  let f15: (Int) -> Int = { n in
    write(p2, [p2, p2].count, through: 6)
    show(p2.v)
    return n &+ p2.v
  }
  show(twice(f15))
  show((f15)(4))
  return Box(Shape.two(p2, x3).size)
}

@inline(never) func f16() {
  let x17: Int = passOn(same(passOn(passOn(passOn((passOn((nil as A? ?? A(0))).next ?? A(8))))))).tell(3)
  show(x17)
  show(x17)
  let x18: [A] = [passOn(passOn(passOn(Pair(a: A(x17), n: x17).a))), passOn(A(x17))]
  let x19: A = passOn(passOn(Pair(a: (maybe(Pair(a: Pair(a: passOn(((maybe(Pair(a: passOn((maybe(A(x17)) ?? A(2))), n: x17).a) ?? A(4)).next ?? A(9))), n: x17).a, n: x17).a) ?? A(8)), n: x17).a))
  do throws(Failure) { show(try failing(x19, x17)) } catch { error.a.v = error.a.v &+ 5; show(error.a.v) }
  show(x19.v)
  return
}

func test() {
  let r20: Box<Int> = f1(Pair(a: A(2), n: 7).a)
  show((r20).value &+ (r20).count)
  f16()
}
test()
show(ended)
