// Casts to a protocol that a type meets by a conformance isolated to the main actor: only code on that actor finds it.
protocol P { func hi() -> String }
protocol Q: P {}
@MainActor final class C: @MainActor P { func hi() -> String { "C" } }
@MainActor struct S: @MainActor Q { func hi() -> String { "S" } }
struct N: P { func hi() -> String { "N" } }
struct Box<T>: Sendable { init(_ t: T.Type) {} }
extension Box: P where T: P { func hi() -> String { "Box" } }
@inline(never) func test(_ x: Any) -> Bool { x is any P }
@inline(never) func kind(_ t: Any.Type) -> Bool { t is any P.Type }
@inline(never) @MainActor func here() {
  print("main", test(C()), test(S()), test(N()), test(Box(S.self)), test(Box(N.self)), kind(C.self), kind(N.self))
  if let p = S() as Any as? any Q { print(p.hi()) }
}
@concurrent func away() async {
  let c = await C(); let s = await S()
  print("away", test(c), test(s), test(N()), test(Box(S.self)), test(Box(N.self)), kind(C.self), kind(N.self))
}
@main struct M {
  static func main() async {
    here()
    await away()
    await Task.detached { print("detached", test(await C())) }.value
    here()
  }
}
