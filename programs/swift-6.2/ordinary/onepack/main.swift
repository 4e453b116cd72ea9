// A tuple of a pack of one element is that element, whatever its type.
enum Either<A, B> { case a(A), b(B) }
final class Node { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("gone", n) } }
struct Group<each N> {
  let nodes: (repeat each N)
  @_optimize(none) init(_ n: repeat each N) { nodes = (repeat each n) }
  @_optimize(none) func show() { repeat print(each nodes) }
}
@_optimize(none) func build<each N>(_ n: repeat each N) -> Group<repeat each N> { Group(repeat each n) }
build(Either<Int, String>.a(5)).show()
build(Either<Int, String>.b("text")).show()
build(Optional(3)).show()
build(Node(2).n).show()
build((1, 2)).show()
build([1, 2]).show()
build(Node(3)).nodes.show()
extension Node { func show() { print("node", n) } }
build(7, "eight").show()
build().show()
