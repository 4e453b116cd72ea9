// A program's own types have names of the library's: only told by conditional conformances, by the types of fields, or by nothing at all.
struct Task<Value> { var items: [Value] }

extension Task: CustomStringConvertible where Value: CustomStringConvertible {
  var description: String { "Task:" + items.map { $0.description }.joined(separator: ",") }
}

struct CollectionOfOne<Value> {
  var items: [Value]
  func map<R>(_ f: (Value) -> R) -> CollectionOfOne<R> { CollectionOfOne<R>(items: items.map(f)) }
}

class Job {
  let name: String
  init(_ name: String) { self.name = name }
  deinit { print("deinit", name) }
}

enum UTF8 { case one, two(Int) }

func kinds(_ x: Any) -> [Bool] { [x is Job, x is UTF8, x is Task<Int>, x is CollectionOfOne<String>] }

let task = Task(items: [1, 2, 3])
print(task, type(of: task), kinds(task))
let words = CollectionOfOne(items: [4, 5]).map { "<\($0)>" }
print(words, kinds(words))
print(UTF8.two(3), UTF8.self, kinds(UTF8.one), kinds(2))
do {
  let job = Job("a")
  print(kinds(job), Job.self)
}
