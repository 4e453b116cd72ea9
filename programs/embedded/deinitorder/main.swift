// Deinits that read and write memory, between stores to the same memory: each runs where the source gives the object up.
final class Cell {
  var v = 1
  init() {}
}
var log = 0
func note(_ n: Int) { log = log &* 7 &+ n }
final class Reader {
  let c: Cell
  init(_ c: Cell) { self.c = c }
  deinit { note(c.v) }
}
final class Writer {
  let c: Cell
  let n: Int
  init(_ c: Cell, _ n: Int) { self.c = c; self.n = n }
  deinit { c.v = n }
}
@inline(never) func assign(_ x: inout Reader?, _ y: Reader?) { x = y }
@inline(never) func use(_ w: Writer) {}

// At -O the compiler merges the two accesses to c.v over the call that runs the deinit.
@inline(never) func merged() -> Int {
  let c = Cell()
  var x: Reader? = Reader(c)
  c.v = 12
  assign(&x, nil)
  c.v = 13
  return log
}
@inline(never) func loop() -> Int {
  let c = Cell()
  var s = 0
  for i in 0..<4 {
    let w = Writer(c, i)
    s += c.v
    use(w)
  }
  return s * 10 + c.v
}
@inline(never) func global() -> Int {
  let c = Cell()
  do { let r = Reader(c); c.v = 4; withExtendedLifetime(r) {} }
  c.v = 6
  return log
}
print(merged())
print(loop())
print(global())
