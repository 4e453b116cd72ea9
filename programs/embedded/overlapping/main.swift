var g = 1
@inline(never) func two(_ a: inout Int, _ f: () -> Int) { a = f() + 1 }
final class C { var x = 5 }
let c = C()
@inline(never) func modC(_ a: inout Int, _ c: C) { a = 7; print(c.x); a += c.x }
two(&g) { g + 10 }
print(g)
modC(&c.x, c)
print(c.x)
