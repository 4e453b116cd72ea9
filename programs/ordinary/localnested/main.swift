// Types inside functions that are recursive, that have types inside them, and that have superclasses: the text declares none of them.
func tree() {
  indirect enum Tree {
    case leaf, node(Tree, Int, Tree)
    func with(_ x: Int) -> Tree {
      switch self {
      case .leaf: return .node(.leaf, x, .leaf)
      case let .node(l, v, r): return x < v ? .node(l.with(x), v, r) : .node(l, v, r.with(x))
      }
    }
    var all: [Int] { if case let .node(l, v, r) = self { return l.all + [v] + r.all }; return [] }
  }
  indirect enum Rope<T> {
    case one(T), both(Rope, Rope)
    func fold<R>(_ f: (T) -> R, _ g: (R, R) -> R) -> R {
      switch self { case .one(let x): f(x); case .both(let a, let b): g(a.fold(f, g), b.fold(f, g)) }
    }
  }
  print([5, 2, 8, 1].reduce(Tree.leaf) { $0.with($1) }.all)
  print(Rope.both(.one(1), .both(.one(2), .one(3))).fold({ "\($0)" }, { $0 + "," + $1 }))
}
func stack() {
  struct Stack<T> {
    final class Node {
      let v: T, next: Node?
      init(_ v: T, _ next: Node?) { self.v = v; self.next = next }
      deinit { print("bye", v) }
    }
    var head: Node?
    mutating func push(_ v: T) { head = Node(v, head) }
    mutating func pop() -> T? { defer { head = head?.next }; return head?.v }
  }
  var s = Stack<Int>(), t = Stack<String>()
  for i in 1...3 { s.push(i) }
  t.push("a")
  print(s.pop()!, t.pop()!)
}
func base() {
  class Shape { // two classes of the name: this one has others inside
    enum Unit: String, CaseIterable { case metre, inch }
    class Part { var n = 1; func f() -> String { "part \(n)" } }
    final class Screw: Part { var m = 2; override func f() -> String { super.f() + " screw \(m)" }; deinit { print("unscrewed") } }
    var unit = Unit.inch, parts: [Part] = [Screw(), Part()]
    @inline(never) func all() -> [String] { parts.map { $0.f() + " " + unit.rawValue } }
  }
  let s = Shape()
  for p in s.all() { print(p) }
  print(Shape.Unit.allCases.count)
}
func other() {
  struct Shape { enum Unit { case deep(Int), flat(String) }; var unit: Unit }
  for case .deep(let n) in [Shape(unit: .deep(3)), Shape(unit: .flat("x"))].map(\.unit) { print("deep", n) }
}
tree(); stack(); base(); other()
