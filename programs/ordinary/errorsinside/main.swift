// any Error conforms to Error: code, domain and description are those of the value inside.
import Foundation
enum Code: Error { case a, b(Int), c }
struct Named: Error { var _domain: String { "named" }; var _code: Int { 42 } }
struct Said: LocalizedError { var errorDescription: String? { "said" } }
func open<X: Error>(_ x: X) -> String { x.localizedDescription }
func parts<X: Error>(_ x: X) -> (String, Int) { (x._domain, x._code) }
struct Wrap<R> { var raw: R }
extension Wrap: Error where R: Error {}
extension Wrap: LocalizedError where R: Error { var errorDescription: String? { "wrapped: " + raw.localizedDescription } }
let all: [any Error] = [Code.a, Code.b(1), Code.c, Named(), Said(), Wrap<any Error>(raw: Code.c)]
@inline(never) func run<E: Error>(_ list: [E]) { for e in list { print(open(e), parts(e)) } }
run(all)
run([Code.a, .b(2)])
for e in all { print(Wrap<any Error>(raw: e).localizedDescription) }
