// Types of the program that are called like generic types of the library, which the program uses as well.
struct Range { var lo = 0, hi = 5; var width: Int { hi - lo } }
enum Result: Equatable { case win(Int), lose; var text: String { switch self { case .win(let n): return "won \(n)"; case .lose: return "lost" } } }
final class Set { var items: [String] = []; func insert(_ s: String) { if !items.contains(s) { items.append(s) } } }
enum Optional { case present, absent }
struct Task { var title: String; var done = false }
struct Failure: Error {}
@inline(never) func check(_ n: Int) throws -> Int { if n > 1 { throw Failure() }; return n }
let r = Range(), results: [Result] = [.win(1), .lose], s = Set()
print(r, r.width, (0..<3).map { $0 }, [1, 2, 3][0..<2].count)
print(results.map(\.text), results, results[0] == .win(1), Swift.Result { try check(2) }, (try? check(1)) as Any)
for w in ["a", "b", "a"] { s.insert(w) }
print(s.items, Swift.Set([1, 1]).count, Optional.present, [1, nil, 3].compactMap { $0 })
var tasks = [Task(title: "x"), Task(title: "y")]
tasks[0].done = true
print(tasks.filter { !$0.done }.map(\.title), type(of: r), type(of: 0..<1))
