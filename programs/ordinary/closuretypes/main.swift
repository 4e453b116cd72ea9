// Types inside closures, and types of one name in several functions and closures.

var tests: [(String, () -> Void)] = []
func test(_ name: String, _ body: @escaping () -> Void) { tests.append((name, body)) }

protocol Shape { func area() -> Double }

test("enum") {
  enum Side: CaseIterable, Comparable { case left, right, top }
  print(Side.allCases.map { "\($0)" }, Side.left < .top, Side.right == .right, Set(Side.allCases).count)
}
test("other enum") {
  enum Side { case up(Int), down(String) }
  for s in [Side.up(3), .down("low")] {
    switch s {
    case .up(let n): print("up", n)
    case .down(let t): print("down", t)
    }
  }
}
test("struct") {
  struct Box: Shape, Equatable {
    var w: Double, h: Int
    func area() -> Double { w * Double(h) }
  }
  let shapes: [any Shape] = [Box(w: 2, h: 3), Box(w: 4, h: 5)]
  print(shapes.map { $0.area() }, shapes[0] as? Box == Box(w: 2, h: 3))
}
test("other struct") {
  struct Box: Shape {
    var side: Int
    var name = "square"
    func area() -> Double { Double(side * side) }
  }
  let shape: any Shape = Box(side: 3)
  print(shape.area(), (shape as? Box)?.name ?? "none")
}
test("class") {
  class Node {
    var next: Node?
    let id: Int
    init(_ id: Int, _ next: Node? = nil) { self.id = id; self.next = next }
    deinit { print("node", id) }
  }
  let list = Node(1, Node(2))
  withExtendedLifetime(list) { print(list.next!.id) }
}
test("other class") {
  class Node {
    var text: String
    init(_ text: String) { self.text = text }
    func shout() -> String { text.uppercased() }
    deinit { print("node", text) }
  }
  class Loud: Node {
    override func shout() -> String { super.shout() + "!" }
  }
  let nodes = [Node("a"), Loud("b")]
  withExtendedLifetime(nodes) { print(nodes.map { $0.shout() }) }
}
test("errors") {
  struct Failure: Error { var code: Int }
  func fail(_ n: Int) throws { throw Failure(code: n) }
  do { try fail(7) } catch let e as Failure { print("code", e.code) } catch { print("other") }
}
test("other errors") {
  struct Failure: Error { var why: String }
  func fail(_ s: String) throws { throw Failure(why: s) }
  do { try fail("late") } catch let e as Failure { print("why", e.why) } catch { print("other") }
}

for (name, body) in tests {
  print(name)
  body()
}

@inline(never)
func one(_ n: Int) -> Any {
  struct Local: CustomStringConvertible { var a: Int; var description: String { "one \(a)" } }
  return Local(a: n)
}
@inline(never)
func two(_ s: String) -> Any {
  struct Local: CustomStringConvertible { var b: String; var c = 2; var description: String { "two \(b) \(c)" } }
  return Local(b: s)
}
print(one(1), two("x"), type(of: one(1)) == type(of: two("y")), type(of: one(1)) == type(of: one(2)))
