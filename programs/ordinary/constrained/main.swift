// Existentials with type arguments: printing, which does not look into them, and mirrors.
protocol P<T> { associatedtype T; var t: T { get } }
struct A: P { var t = 1 }; struct D: P, CustomStringConvertible { var t = "s"; var description: String { "D!" } }; enum E: P { case x; var t: Int { 2 } }
class K: P { var t = 5 }
func show<T>(_ t: T) { print(t, "\(t)", String(describing: t), String(reflecting: t), type(of: t), T.self); debugPrint(t); dump(t) ; let a: Any = t; print(a, t as Any, a is A, Mirror(reflecting: t).children.count) }
let a: any P<Int> = A(); let e: any P<Int> = E.x; let d: any P<String> = D(); let k: any P<Int> = K()
print(a, e, d, k); show(a); show(e); show(d)
print([a], [e], [d], [k], (a, 1), Optional(a) as Any, ["k": a], [d, d])
debugPrint(a, [d]); struct S { var p: any P<Int> = A(); var q: any P<String> = D() }; print(S()); dump(S())
