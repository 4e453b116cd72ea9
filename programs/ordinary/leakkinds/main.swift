// What may be said of each kind of leak, and of what is none.
import Glibc

final class Counter {
  var total = 0
  var onChange: (() -> Void)?
  func start(_ other: Counter) {
    onChange = { self.total += other.total }
  }
}

final class Node {
  let id: Int
  var next: Node?
  var values: [Int]
  init(_ id: Int) { self.id = id; values = [id] }
}

final class Parent {
  var children: [Child] = []
  var byName: [String: Child] = [:]
}

final class Child {
  let parent: Parent
  init(_ parent: Parent) { self.parent = parent }
}

final class Token {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print("deinit", id) }
}

final class Watcher {
  unowned let token: Token
  init(_ token: Token) { self.token = token }
}

var kept: Watcher?

// The closure of each captures both.
@inline(never) func closures() {
  let a = Counter(), b = Counter()
  a.start(b)
  a.onChange?()
  print(a.total)
}

// Equal rings: one finding.
@inline(never) func rings(_ n: Int) {
  for i in 0..<n {
    let a = Node(i), b = Node(-i)
    a.next = b
    b.next = a
  }
}

// Neither a let nor a collection can be made weak.
@inline(never) func family() {
  let p = Parent()
  p.children.append(Child(p))
  p.byName["only"] = Child(p)
  print(p.children.count, p.byName.count)
}

// The token was deinited. What is left of it belongs to a watcher that is still needed.
@inline(never) func watched() {
  kept = Watcher(Token(1))
}

// The same, but nobody can reach the watcher.
@inline(never) func watchedByNobody() {
  _ = Unmanaged.passRetained(Watcher(Token(2)))
}

// A status that the caller gives up on is no leak: the token is still in use.
@inline(never) func leave(_ t: Token) -> Never {
  print("leaving", t.id)
  exit(0)
}

closures()
rings(50)
family()
watched()
watchedByNobody()
UnsafeMutablePointer<Int>.allocate(capacity: 4).initialize(repeating: 7, count: 4)
leave(Token(3))
