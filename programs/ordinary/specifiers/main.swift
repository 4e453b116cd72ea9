// Specifiers of parameters and results are part of a function's type: its name shows them, and casts tell them apart.
class N {}
struct W<T> {}
typealias A = () -> sending N
typealias B = (borrowing N) -> ()
typealias C = (sending N) -> ()
typealias D = (__owned N) -> ()
typealias F = (__shared N) -> ()
typealias G = (consuming N) -> ()
typealias H = (inout sending N) -> ()
typealias I = (N) -> sending (N) -> N
let a: A = { N() }
let b: B = { _ in }
let c: C = { _ in }
let d: D = { _ in }
let f: F = { _ in }
let g: G = { _ in }
let h: H = { _ in }
@inline(never) func show(_ x: Any) {
  print(type(of: x), x is A, x is B, x is C, x is D, x is F, x is G, x is H, x is (N) -> (), x is () -> N)
}
show(a); show(b); show(c); show(d); show(f); show(g); show(h)
@_semantics("optimize.sil.specialize.generic.never")
@inline(never) func name<T>(_ t: T.Type) { print(T.self, String(reflecting: W<T>.self)) }
name(A.self); name(C.self); name(D.self); name(F.self); name(H.self); name(I.self);
print(A.self as Any.Type == (() -> N).self as Any.Type, A.self as Any is (() -> N).Type, A.self as Any is A.Type)
func cast<T>(_ x: Any, _ t: T.Type) -> Bool { x is T }
let k: () -> N = { N() }
for x in [a, k, c] as [Any] { print(cast(x, A.self), cast(x, (() -> N).self), cast(x, C.self)) }
