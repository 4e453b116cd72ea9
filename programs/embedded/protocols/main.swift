// Protocols: generics over requirements, associated types, default implementations,
// class-bound protocols, opaque result types. (Embedded Swift has no existentials.)
protocol Shape {
  var area: Int { get }
  func scaled(by k: Int) -> Self
}
extension Shape {
  var doubled: Int { return area * 2 }
  func isLarger<S: Shape>(than other: S) -> Bool { return area > other.area }
}
struct Square: Shape {
  var side: Int
  var area: Int { return side * side }
  func scaled(by k: Int) -> Square { return Square(side: side * k) }
}
struct Rect: Shape {
  var w, h: Int
  var area: Int { return w * h }
  func scaled(by k: Int) -> Rect { return Rect(w: w * k, h: h * k) }
  var doubled: Int { return -1 }
}

protocol Container {
  associatedtype Item
  var count: Int { get }
  mutating func push(_ item: Item)
  mutating func pop() -> Item?
}
struct Stack<T>: Container {
  private var items: [T] = []
  var count: Int { return items.count }
  mutating func push(_ item: T) { items.append(item) }
  mutating func pop() -> T? { return items.popLast() }
}
struct Queue<T>: Container {
  private var front = Stack<T>()
  private var back = Stack<T>()
  var count: Int { return front.count + back.count }
  mutating func push(_ item: T) { back.push(item) }
  mutating func pop() -> T? {
    if front.count == 0 { while let x = back.pop() { front.push(x) } }
    return front.pop()
  }
}
func drain<C: Container>(_ c: inout C) -> Int where C.Item == Int {
  var n = 0
  var weight = 1
  while let x = c.pop() {
    n += x * weight
    weight *= 10
  }
  return n
}
func fill<C: Container>(_ c: inout C, _ items: [C.Item]) {
  for i in items { c.push(i) }
}

protocol Listener: AnyObject {
  func notify(_ event: Int)
  var received: Int { get }
}
extension Listener { func twice(_ event: Int) { notify(event); notify(event) } }
final class Counter: Listener {
  var received = 0
  func notify(_ event: Int) { received += 1 }
}
class Summer: Listener {
  var received = 0
  func notify(_ event: Int) { received += event }
  deinit { print("summer gone") }
}
final class Doubler: Summer {
  override func notify(_ event: Int) { super.notify(event * 2) }
}

print(Square(side: 4).scaled(by: 3).area)
print(Square(side: 4).doubled)
print(Rect(w: 2, h: 3).doubled)
print(Rect(w: 2, h: 3).isLarger(than: Square(side: 2)))
var s = Stack<Int>()
fill(&s, [1, 2, 3])
print(drain(&s))
var q = Queue<Int>()
fill(&q, [1, 2, 3])
print(drain(&q))

func feed<L: Listener>(_ listeners: [L]) -> Int {
  for e in 1...4 { for l in listeners { l.notify(e) } }
  for l in listeners { l.twice(100) }
  return listeners.reduce(0) { $0 + $1.received }
}
func makeShape(_ n: Int) -> some Shape { return Rect(w: n, h: n + 1) }
print(feed([Counter(), Counter()]))
print(feed([Summer(), Doubler()]))
print(makeShape(6).scaled(by: 2).area)
