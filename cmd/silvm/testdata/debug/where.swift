final class Cell { var v = 0; func add(_ n: Int) { let old = v; v += n; if v > 8 { v = old } } }
func fact(_ n: Int) -> Int { if n < 2 { return 1 }; return n * fact(n - 1) }
func go() -> Int {
  let c = Cell()
  var total = 0
  var i = 0
  while i < 6 {
    c.add(i)
    total += c.v
    if total > 20 { total -= 15 }
    i += 1
  }
  return total + fact(5)
}
let result = go()
