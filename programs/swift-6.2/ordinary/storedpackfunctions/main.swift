// Functions that take packs, kept in properties: what they are lowered to is told by the declaration alone.
struct Event<each P> {
  struct Handler { let name: String; let f: (repeat each P) -> String }
  var handlers: [Handler] = []
  mutating func on(_ name: String, _ f: @escaping (repeat each P) -> String) { handlers.append(Handler(name: name, f: f)) }
  @inline(never) func fire(_ p: repeat each P) -> [String] { handlers.map { $0.name + ":" + $0.f(repeat each p) } }
}
final class Curried<R, each A> {
  var f: (repeat each A) -> R
  init(_ f: @escaping (repeat each A) -> R) { self.f = f }
  @inline(never) func call(_ a: repeat each A) -> R { f(repeat each a) }
  deinit { print("curried ends") }
}
var e = Event<Int, String>()
e.on("a") { "\($0)\($1)" }
e.on("b") { n, s in String(repeating: s, count: n) }
print(e.fire(2, "x"))
var none = Event< >()
none.on("none") { "fired" }
print(none.fire())
do {
  let c = Curried { (s: String, d: Double, a: [Int]) in [s, "\(d) \(a)"] }
  print(c.call("s", 1.5, [3]))
  c.f = { s, _, _ in [s + "!"] }
  print(c.call("t", 2, []))
}
