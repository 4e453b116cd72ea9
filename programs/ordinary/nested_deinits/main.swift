// Deinits of noncopyable types inside others, inside functions and inside generic types: the tables name them without the types around them.
struct A: ~Copyable { struct I: ~Copyable { var k: Int; deinit { print("A.I", k) } }; var i: I; enum J: ~Copyable { case a(Int), b } }
enum B { struct I: ~Copyable { var k: Int; deinit { print("B.I", k) } } }
extension A { struct G<T>: ~Copyable { var t: T; deinit { print("A.G", t) }; struct H<U>: ~Copyable { var t: T; var u: U; deinit { print("H", t, u) } } } }
struct I: ~Copyable { var k: Int }
@inline(never) func f<T>(_ x: T) { let g = A.G(t: x); let h = A.G<T>.H(t: x, u: 5); print("f") ; _ = g.t; _ = h.u }
@inline(never) func loc() { struct I: ~Copyable { var k: Int; deinit { print("loc.I", k) }; struct Z: ~Copyable { var q: Int; deinit { print("Z", q) } } }; let i = I(k: 1); let z = I.Z(q: 6); print("l"); _ = z.q; _ = i.k }
@inline(never) func loc2() { struct I: ~Copyable { var k: Int; deinit { print("loc2.I", k) } }; let i = I(k: 2); print("l"); _ = i.k }
do { let a = A(i: .init(k: 3)); let b = B.I(k: 4); let c = I(k: 5); let j = A.J.a(2); print("x"); _ = b.k; _ = a.i.k; _ = c.k; _ = consume j }
f(1); f("s"); loc(); loc2()
