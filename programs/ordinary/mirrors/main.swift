struct P { var x = 1; var name = "n"; var o: Int? = nil }
class A { var a = 1; let b = "two" }
class B: A { var c = [1, 2] }
enum E { case one, two(Int), three(a: Int, b: String); indirect case rec(E) }
func show(_ v: Any) {
  let m = Mirror(reflecting: v)
  print(m.subjectType, m.displayStyle.map { "\($0)" } ?? "nil", m.children.count)
  for c in m.children { print(" ", c.label ?? "-", c.value) }
  if let s = m.superclassMirror { print("  super", s.subjectType); for c in s.children { print("   ", c.label ?? "-", c.value) } }
}
show(P()); show(A()); show(B()); show(E.one); show(E.two(3)); show(E.three(a: 1, b: "b")); show(E.rec(.one))
show([1, 2]); show((1, "a")); show((x: 1, y: 2)); show(Optional(5) as Any); show(["k": 1]); show(Set([4])); show(5); show("s"); show(1...3)
show(A.self); show({ (x: Int) in x })
dump(P()); dump(B()); dump([1, 2, 3]); dump(["k": [1]]); dump(E.three(a: 1, b: "z")); dump((1, (2, 3)))
dump(P(), name: "pp", indent: 2); dump([[1,2],[3]], maxDepth: 1); dump([1,2,3,4,5], maxItems: 3)
struct C: CustomReflectable { var customMirror: Mirror { Mirror(self, children: ["z": 1, "y": "q"], displayStyle: .struct) } }
show(C()); dump(C())
print(Mirror(reflecting: B()).descendant("c", 1) ?? "none")

// A dump goes to its stream piece by piece.
struct Pieces: TextOutputStream {
  var all: [String] = []
  mutating func write(_ s: String) { all.append(s) }
}
enum Level { case low, high(Int, String) }
class Root { var q = 1 }
class Branch: Root { var z = [1: 2] }
for x in [Level.low, Level.high(2, "q"), Branch(), (1, x: "y"), [3, 4], Int.self] as [Any] {
  var out = Pieces()
  dump(x, to: &out, name: "it", indent: 1, maxDepth: 2, maxItems: 4)
  print(out.all)
}
print(KeyValuePairs(dictionaryLiteral: ("a", 1)).description)

// An empty tuple stands for a property that can't be copied.
struct Handle: ~Copyable { var a = 1; deinit { print("closed") } }
final class Owner { var h = Handle(); var o: Handle? = Handle(); let n = 5 }
print(Mirror(reflecting: Owner()).children.map { ($0.label ?? "-", type(of: $0.value)) })
dump(Owner())
