// Closures that other functions made of an object write and read it when they are called. Each test gets its object to a closure in
// another way, and looks at the object between the calls. (With -O the compiler itself forwards stores over some of these calls: O.expected
// has 59 for 89 and 12 for 60.)
final class C {
  var v = 1
  init() {}
  deinit { print(-v) }
}
struct Pair { var set: (Int) -> Void; var get: () -> Int }
enum Choice { case none, set((Int) -> Void), both(Pair) }
final class Holder { var set: (Int) -> Void; init(_ f: @escaping (Int) -> Void) { set = f } }
class Maker {
  func make(_ c: C) -> (Int) -> Void { return { c.v = $0 } }
}
final class Doubler: Maker {
  override func make(_ c: C) -> (Int) -> Void { return { c.v = $0 &* 2 } }
}

@inline(never) func taken(_ c: __owned C) -> (Int) -> Void { return { c.v = $0 } }
@inline(never) func lent(_ c: C) -> (Int) -> Void { return { c.v = $0 } }
@inline(never) func pair(_ c: C) -> Pair { return Pair(set: { c.v = $0 }, get: { c.v }) }
@inline(never) func tuple(_ c: C) -> ((Int) -> Void, () -> Int) { return ({ c.v = $0 }, { c.v }) }
@inline(never) func optional(_ c: C, _ yes: Bool) -> ((Int) -> Void)? { return yes ? { c.v = $0 } : nil }
@inline(never) func choice(_ c: C, _ n: Int) -> Choice { return n == 0 ? .none : n == 1 ? .set({ c.v = $0 }) : .both(pair(c)) }
@inline(never) func held(_ c: C) -> Holder { return Holder { c.v = $0 } }
@inline(never) func through(_ f: @escaping (Int) -> Void) -> (Int) -> Void { return { f($0 &+ 1) } }
@inline(never) func into(_ c: C, _ f: inout (Int) -> Void) { f = { c.v = $0 } }
@inline(never) func call(_ f: (Int) -> Void, _ n: Int) { f(n) }
@inline(never) func same<T>(_ x: T) -> T { return x }

@inline(never) func test1() -> Int { let c = C(); let f = taken(c); f(7); return c.v }
@inline(never) func test2() -> Int { let c = C(); let f = lent(c); c.v = 5; f(8); let a = c.v; f(9); return a &* 10 &+ c.v }
@inline(never) func test3() -> Int { let c = C(); let p = pair(c); c.v = 6; let a = p.get(); p.set(4); return a &* 10 &+ c.v }
@inline(never) func test4() -> Int { let c = C(); let (set, get) = tuple(c); c.v = 6; let a = get(); set(3); return a &* 10 &+ c.v }
@inline(never) func test5(_ yes: Bool) -> Int { let c = C(); let f = optional(c, yes); c.v = 2; f?(9); return c.v }
@inline(never) func test6(_ n: Int) -> Int {
  let c = C()
  switch choice(c, n) {
  case .none: break
  case .set(let f): f(5)
  case .both(let p): p.set(p.get() &+ 6)
  }
  return c.v
}
@inline(never) func test7() -> Int { let c = C(); let h = held(c); c.v = 3; h.set(c.v &+ 1); return c.v }
@inline(never) func test8() -> Int { let c = C(); let f = through(lent(c)); c.v = 3; f(c.v); return c.v }
@inline(never) func test9() -> Int { let c = C(); var f: (Int) -> Void = { _ in }; into(c, &f); c.v = 3; f(11); return c.v }
@inline(never) func test10() -> Int { let c = C(); let f = taken(c); c.v = 3; call(f, 12); return c.v }
@inline(never) func test11(_ m: Maker) -> Int { let c = C(); let f = m.make(c); c.v = 3; f(13); return c.v }
@inline(never) func test12() -> Int { let c = C(); let f = same(lent(c)); c.v = 3; f(14); return c.v }
@inline(never) func test13() -> Int {
  let c = C()
  let f = taken(c)
  var t = 0
  for i in 0..<3 { c.v = i; f(i &* 5); t = t &* 10 &+ c.v }
  return t
}

print(test1())
print(test2())
print(test3())
print(test4())
print(test5(true))
print(test5(false))
print(test6(0))
print(test6(1))
print(test6(2))
print(test7())
print(test8())
print(test9())
print(test10())
print(test11(Maker()))
print(test11(Doubler()))
print(test12())
print(test13())
