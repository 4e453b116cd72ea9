// Enums inside a function whose cases carry tuples and each other.
final class Node { let n: Int; init(_ n: Int) { self.n = n } }
func walk(_ start: Int) -> String {
  enum Kind { case leaf(Node), pair(Node, Int) }
  enum Failure: Error { case early(Node), late(Kind, Node) }
  struct Step {
    var failure: Failure = .late(.leaf(Node(1)), Node(2))
    func run() -> String {
      do { throw failure }
      catch let Failure.late(.pair(k, m), _) { return "pair \(k.n) \(m)" }
      catch let Failure.late(.leaf(k), l) { return "leaf \(k.n) \(l.n)" }
      catch { return "other" }
    }
  }
  return [Step(), Step(failure: .late(.pair(Node(start), 3), Node(4))), Step(failure: .early(Node(9)))].map { $0.run() }.joined(separator: ", ")
}
print(walk(5))
