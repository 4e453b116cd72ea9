// An object that a function is given leaves one that it calls in turn, and is written by way of what it left to: who reads the object
// behind the outer call must not take its fields for known.
final class Cell {
  var x = 1
  init() {}
}
struct Pair { var c: Cell; var n: Int }
struct Nest { var p: Pair; var t: (Cell, Int) }
enum Choice { case one(Cell), none }
var kept: Cell? = nil

@inline(never) func forward(_ c: __owned Cell) -> Cell { return c }
@inline(never) func lend(_ c: Cell) -> Cell { return c }
@inline(never) func tuple(_ c: Cell) -> (Int, Cell) { return (5, c) }
@inline(never) func nest(_ c: Cell) -> Nest { return Nest(p: Pair(c: c, n: 1), t: (c, 1)) }
@inline(never) func choice(_ c: Cell, _ b: Bool) -> Choice { return b ? .one(c) : .none }
@inline(never) func optional(_ c: Cell, _ b: Bool) -> Cell? { return b ? c : nil }
@inline(never) func generic<T>(_ c: T) -> T { return c }
@inline(never) func pick(_ a: Cell, _ b: Cell, _ first: Bool) -> Cell { return first ? a : b }
@inline(never) func closure(_ c: Cell) -> () -> Void { return { c.x = 2 } }
@inline(never) func recursive(_ c: Cell, _ n: Int) -> Cell {
  if n == 0 { return c }
  let r = recursive(c, n - 1)
  kept = r
  return r
}

@inline(never) func writeForwarded(_ c: __owned Cell) { forward(c).x = 2 }
@inline(never) func writeLent(_ c: Cell) { lend(c).x = 2 }
@inline(never) func writeTuple(_ c: Cell) { tuple(c).1.x = 2 }
@inline(never) func writeNest(_ c: Cell) { nest(c).t.0.x = 2 }
@inline(never) func writeChoice(_ c: Cell) { if case .one(let d) = choice(c, true) { d.x = 2 } }
@inline(never) func writeOptional(_ c: Cell) { optional(c, true)?.x = 2 }
@inline(never) func writeGeneric(_ c: Cell) { generic(c).x = 2 }
@inline(never) func writePicked(_ a: Cell, _ b: Cell) { pick(a, b, false).x = 2 }
@inline(never) func writeClosure(_ c: Cell) { closure(c)() }
@inline(never) func writeKept() { kept!.x = 2 }
@inline(never) func readLent(_ c: Cell) -> Int { return lend(c).x }

@inline(never) func forwarded() -> Int { let c = Cell(); writeForwarded(c); return c.x }
@inline(never) func lent() -> Int { let c = Cell(); writeLent(c); return c.x }
@inline(never) func tupled() -> Int { let c = Cell(); writeTuple(c); return c.x }
@inline(never) func nested() -> Int { let c = Cell(); writeNest(c); return c.x }
@inline(never) func chosen() -> Int { let c = Cell(); writeChoice(c); return c.x }
@inline(never) func unwrapped() -> Int { let c = Cell(); writeOptional(c); return c.x }
@inline(never) func specialized() -> Int { let c = Cell(); writeGeneric(c); return c.x }
@inline(never) func picked() -> Int { let c = Cell(), d = Cell(); writePicked(c, d); return c.x * 10 + d.x }
@inline(never) func closed() -> Int { let c = Cell(); writeClosure(c); return c.x }
@inline(never) func again() -> Int { let c = Cell(); _ = recursive(c, 1); writeKept(); return c.x }
@inline(never) func overwritten() -> Int { let c = Cell(); c.x = 7; let r = readLent(c); c.x = 8; return r * 10 + c.x }

print(forwarded())
print(lent())
print(tupled())
print(nested())
print(chosen())
print(unwrapped())
print(specialized())
print(picked())
print(closed())
print(again())
print(overwritten())
