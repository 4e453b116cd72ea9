// Conformances that ask for two packs of one length, and the label of a tuple of which a pack leaves one element.
protocol P { func hi() -> String }
struct Outer<each T> { struct Inner<each U> { var n = 1 } }
extension Outer.Inner: P where (repeat (each T, each U)): Any { func hi() -> String { "same" } }
func test(_ x: Any) { print((x as? any P)?.hi() ?? "no", x is any P) }
test(Outer<Int>.Inner<Bool>())
test(Outer<Int, String>.Inner<Bool>())
test(Outer<Int, String>.Inner<Bool, Int>())
test(Outer< >.Inner<Bool>())
test(Outer< >.Inner< >())
@inline(never) func show<T>(_ t: T.Type) { print(t, String(reflecting: t)) }
@_optimize(none) func packs<each T>(_ t: repeat each T) {
  show((first: Int, repeat each T).self)
  show((repeat each T, last: Int).self)
  show((((first: Int, repeat each T)) -> Int).self)
  show((rest: (repeat each T), n: Int).self)
  show((repeat (x: each T, y: Int)).self)
}
packs(1, "a"); packs(); packs(2.5)
