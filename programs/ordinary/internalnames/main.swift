// The program calls its types like types that only the library itself knows: no code that is inlined into the program names those.
struct PriorityQueue<T: Comparable> {
  private var heap: [T] = []
  mutating func push(_ x: T) { heap.append(x); var i = heap.count - 1; while i > 0, heap[i] < heap[(i - 1) / 2] { heap.swapAt(i, (i - 1) / 2); i = (i - 1) / 2 } }
  mutating func pop() -> T? { if heap.isEmpty { return nil }; heap.swapAt(0, heap.count - 1); let r = heap.removeLast(); var i = 0; while 2 * i + 1 < heap.count { var c = 2 * i + 1; if c + 1 < heap.count, heap[c + 1] < heap[c] { c += 1 }; if heap[i] <= heap[c] { break }; heap.swapAt(i, c); i = c }; return r }
}
final class _DequeBuffer<Element>: ManagedBuffer<Int, Element> { deinit { print("freed", header) } }
struct _Pair<A> { var a: A, b: A }
enum PollStatus { case ready, waiting(Int) }
struct KeyPathComponent { var name: String }
var q = PriorityQueue<Int>(); for x in [5, 1, 4] { q.push(x) }
print(q.pop()!, q.pop()!, q)
do { let b = _DequeBuffer<String>.create(minimumCapacity: 4) { _ in 7 }; print(b.header) }
print(_Pair(a: 1, b: 2), PollStatus.waiting(3), KeyPathComponent(name: "x"), [PollStatus.ready])
