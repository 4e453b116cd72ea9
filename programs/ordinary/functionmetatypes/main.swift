// A function type is one type where a metatype's instances are written and where it is an associated type.
protocol P { associatedtype A; func f() -> A.Type }
extension P { func f() -> A.Type { A.self } }
struct F<each T>: P { typealias A = (Bool, repeat each T) -> () }
struct F2<each T>: P { typealias A = (repeat each T, Bool) -> (repeat each T) }
struct F3<each T>: P { typealias A = (repeat each T) throws -> Int }
func fam<each T>(_ t: repeat each T) -> Any.Type { ((repeat each T) -> Bool).self }
@inline(never) @_semantics("optimize.sil.specialize.generic.never") func inner<T: P>(_ t: T) -> Any.Type { T.A.self }
print(F<Int, String>().f() == ((Bool, Int, String) -> ()).self, F< >().f() == ((Bool) -> ()).self, F2<Int>().f() == ((Int, Bool) -> Int).self, F2<Int, Int>().f() == ((Int, Int, Bool) -> (Int, Int)).self)
print(F3<Int>().f() == ((Int) throws -> Int).self, fam(1, "a") == ((Int, String) -> Bool).self, inner(F<[Int]>()) == ((Bool, [Int]) -> ()).self, inner(F3< >()) == (() throws -> Int).self)
print([F<Int>().f() as Any.Type, F2<Int>().f(), F3<Int, Int>().f(), fam()], Set([ObjectIdentifier(F<Int>().f()), ObjectIdentifier(((Bool, Int) -> ()).self)]).count)
let g: Any = { (a: Bool, b: Int) -> () in print(a, b) }; func call<T: P>(_ t: T) -> Bool { g is T.A }; print(call(F<Int>()), call(F<String>()), call(F3<Int>()))
