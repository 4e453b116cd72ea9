// any Error conforms to Error: its code and domain are those of the value inside.
enum Code: Error { case a, b(Int), c }
struct Named: Error { var _domain: String { "named" }; var _code: Int { 42 } }
struct Plain: Error {}
final class Object: Error {}
struct Wrap<R> { var raw: R }
extension Wrap: Error where R: Error {}
@_semantics("optimize.sil.specialize.generic.never") @inline(never) func parts<X: Error>(_ x: X) -> (String, Int) { (x._domain, x._code) }
@_semantics("optimize.sil.specialize.generic.never") @inline(never) func inside<R: Error>(_ w: Wrap<R>) -> (String, Int) { parts(w.raw) }
@_semantics("optimize.sil.specialize.generic.never") @inline(never) func run<E: Error>(_ list: [E]) { for e in list { print(parts(e)) } }

let all: [any Error] = [Code.a, Code.b(1), Code.c, Named(), Plain(), Object(), Wrap<any Error>(raw: Code.c)]
run(all)
run([Code.a, .b(2)])
for e in all { print(inside(Wrap<any Error>(raw: e))) }
