// Types of one name in a function and in blocks of the top-level code.
@inline(never) func f(_ n: Int) -> String {
  class P: CustomStringConvertible { var a: Int; init(_ a: Int) { self.a = a }; var description: String { "f.P \(a)" } }
  struct Q { var s: String; func text() -> String { "f.Q " + s } }
  return "\(P(n)) \(Q(s: "q").text())"
}
print(f(3))
do {
  class P: CustomStringConvertible { var name: String; var k: [Int]; init(_ n: String) { name = n; k = [1] }; var description: String { "P \(name) \(k)" }; deinit { print("gone", name) } }
  let p = P("a")
  p.k.append(2)
  print(p, type(of: p))
  struct Q { var n: Int; var m = 2; func text() -> String { "Q \(n)" }; mutating func up() { n += m } }
  var q = Q(n: 4)
  q.up()
  print(q.text(), q.m)
}
