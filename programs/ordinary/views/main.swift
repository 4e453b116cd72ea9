// A variadic type conforms to a protocol for every pack of types that do: its witnesses get the pack.
protocol View { func render(_ depth: Int) -> String }
struct Text: View, ExpressibleByStringInterpolation { let s: String; init(stringLiteral s: String) { self.s = s }; func render(_ d: Int) -> String { String(repeating: " ", count: d) + s + "\n" } }
struct Group<each V: View>: View {
  var v: (repeat each V)
  init(_ v: repeat each V) { self.v = (repeat each v) }
  func render(_ d: Int) -> String { var r = ""; repeat r += (each v).render(d); return r }
}
struct Pair<A: View, each V: View, B: View>: View { let a: A; let g: Group<repeat each V>; let b: B; func render(_ d: Int) -> String { a.render(d) + g.render(d + 1) + b.render(d) } }
struct Stack<C: View>: View { let c: C; init(@Builder _ f: () -> C) { c = f() }; func render(_ d: Int) -> String { "stack\n" + c.render(d + 2) } }
@resultBuilder enum Builder { static func buildBlock<each V: View>(_ v: repeat each V) -> Group<repeat each V> { Group(repeat each v) } }
@inline(never) func show(_ v: some View) { print(v.render(0), terminator: "") }
@inline(never) func any(_ v: any View) { print(v.render(1), type(of: v)) }
let n = [1, 2].count
show(Stack { "n is \(n)" as Text; Stack { }; Group("a" as Text, Stack { "b" as Text }) })
any(Group()); any(Pair(a: "<" as Text, g: Group("1" as Text, "2" as Text), b: ">" as Text))
protocol Wrapping { associatedtype Inner: View; var inner: Inner { get } }
extension Group: Wrapping { var inner: Group<repeat each V> { self } }
@inline(never) func unwrap(_ w: any Wrapping) { any(w.inner) }
unwrap(Group("y" as Text, "z" as Text))
