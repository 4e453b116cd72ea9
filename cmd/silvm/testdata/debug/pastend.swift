final class Box { var n = 1 }
@inline(never) func poke(_ p: UnsafeMutablePointer<Int>, _ k: Int) { p[k] = 5 }
@inline(never) func spin() { var x = 1; while x != 0 { x = x &* 3 | 1 } }
let p = UnsafeMutablePointer<Int>.allocate(capacity: 2)
p.initialize(repeating: 0, count: 2)
poke(p, 2)
spin()
