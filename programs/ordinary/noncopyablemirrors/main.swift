// Mirrors have nothing to show of a property whose declared type is not copyable for all arguments, and functions give such values unowned where they are trivial.
enum Maybe<W: ~Copyable>: ~Copyable { case some(W), none }
extension Maybe: Copyable where W: Copyable {}
struct G<T: ~Copyable>: ~Copyable { var t: T; var m: Maybe<T>; var o: Maybe<T>?; var q: Optional<T>; var i: Maybe<Int>; var f: () -> Maybe<T>; var mm: Maybe<Maybe<T>> }
extension G: Copyable where T: Copyable {}
final class A<T: ~Copyable, U> { var u: Maybe<U>; var t: Maybe<T>; var n: [U] = []; init(_ t: consuming T, _ u: U) { self.t = .some(t); self.u = .some(u) } }
enum K<T: ~Copyable>: ~Copyable { case a(Maybe<T>), b(T), c(x: Maybe<T>, Int) }
extension K: Copyable where T: Copyable {}
func show(_ x: Any) { print(Mirror(reflecting: x).children.map { "\($0.label ?? "_")=\(type(of: $0.value))" }) }
show(A("x", 3)); show(G(t: 1, m: .some(1), o: .some(.none), q: 3, i: .some(1), f: { .none }, mm: .none))
show(K.a(Maybe.some(1))); show(K.b(2)); show(K.c(x: Maybe.some(3), 1))
let g = G(t: "q", m: .some("w"), o: .some(.none), q: "e", i: .some(1), f: { .none }, mm: .none)
print(g, K.a(Maybe.some(1)), K.b(2), [K.a(Maybe.some("s"))]); dump(g); dump(K.a(Maybe.some(1))); dump(A("x", 3)); print(K.c(x: .some(1), 2), Optional(K.a(Maybe.some(1))) as Any)
debugPrint(g); print(String(reflecting: K.a(Maybe.some([1]))))
struct H { var g: L<Int> = L(t: 1); var f: () -> L<Int> = { L(t: 2) } }
struct L<T: ~Copyable>: ~Copyable { var t: T }; extension L: Copyable where T: Copyable {}
let h = H(); print(h.g, h.f().t)
