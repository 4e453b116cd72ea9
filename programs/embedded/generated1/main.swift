// silvm gen --swift embedded --seed 1 --size 2
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

func f1(_ p2: inout Box<A>, _ p3: A) {
  var x4 = p2
  defer { p2 = x4 }
  let x5: [Int] = [({ n in n &+ 7 })(7), (act(p3))(5)]
  for x in x5 { show(x) }
  write(p3, ((0 &+ 4) &+ Shape.none.size), through: 4)
  show(p3.v)
  var x6: Box<Int> = Box(Shape.none.size)
  let x7 = x6
  show(x6.replace(({ n in n &+ 8 })(4)))
  show((x7).value &+ (x7).count)
  show((x6).value &+ (x6).count)
  return
}

func f8(_ p9: inout [A]) -> A {
  var x10 = p9
  defer { p9 = x10 }
  let x11: A = ((maybe(Pair(a: A(1), n: 8).a) ?? A(0)).next ?? A(5))
  show(x11.v)
  if (told(Pair(a: x11, n: 4), 6) &+ x10.count) < x10.count {
    write(x11, x11.v, through: 0)
    show(x11.v)
  } else {
    let x12: Shape = Shape.none
    show((x12).size)
  }
  write(x11, x11.v, through: 4)
  show(x11.v)
  let x13: B = B(Shape.none.size)
  show(x13.v)
  show(x11.v)
  write(x11, x10.count, through: 5)
  show(x11.v)
  show(x11.v)
  for i14 in 0..<3 {
    let x15: Pair = Pair(a: x11, n: i14)
    show((x15).tell(2))
    if i14 == x10.count { continue }
    write(x11, i14, through: 1)
    show(x11.v)
  }
  return x11
}

func test() {
  var x16: Box<A> = Box<A>((same(Pair(a: passOn(Pair(a: A(4), n: 0).a), n: 1).a).next ?? A(1)))
  f1(&x16, Pair(a: Pair(a: A(6), n: 0).a, n: 7).a)
  show((x16).value.v)
  var x17: [A] = [same(Pair(a: (nil as A? ?? A(8)), n: 0).a), passOn(((nil as A? ?? A(2)).next ?? A(8)))]
  let r18: A = f8(&x17)
  show(r18.v)
  for x in x17 { show(x.id) }
}
test()
show(ended)
