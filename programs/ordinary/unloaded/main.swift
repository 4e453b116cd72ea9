// Plugins are in two dictionaries of their registry, and unload forgets one of them: the ring leads through that one only, though the other
// has the words of what was removed. A set of them is emptied, and a stack of references in an array literal ends before its elements do.
protocol Plugin: AnyObject {
  var host: Registry { get }
  func run() -> Int
}
final class Adder: Plugin, Hashable {
  let host: Registry
  let by: Int
  init(_ h: Registry, by: Int) { host = h; self.by = by }
  func run() -> Int { host.total + by }
  static func == (a: Adder, b: Adder) -> Bool { a === b }
  func hash(into h: inout Hasher) { h.combine(by) }
  deinit { print("adder", by, "gone") }
}
final class Registry {
  var byName: [String: any Plugin] = [:]
  var byId: [Int: any Plugin] = [:]
  var fresh: Set<Adder> = []
  var total = 40
  func load(_ name: String, _ id: Int) {
    let p = Adder(self, by: id)
    byName[name] = p
    byId[id] = p
    fresh.insert(p)
  }
  func unload(_ name: String) {
    byName[name] = nil
    for p in fresh where p.by == 1 { fresh.remove(p) }
    fresh = fresh.filter { $0.by > 2 }
  }
  deinit { print("registry gone") }
}
func go() {
  let r = Registry()
  r.load("a", 1)
  print(r.byName["a"]!.run(), r.byId[1]!.run())
  r.unload("a")
  print(r.byName.count, r.byId.count, r.fresh.count)
}
go()

class Node {
  let text: String
  init(_ t: String) { text = t }
  func shout() -> String { text + "!" }
  deinit { print("node", text) }
}
final class Loud: Node {
  override func shout() -> String { super.shout() + "!" }
}
func literal() {
  let nodes = [Node("a"), Loud("b")]
  withExtendedLifetime(nodes) { print(nodes.map { $0.shout() }) }
}
literal()
