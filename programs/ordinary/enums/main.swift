// Enums: raw values, payloads, printing, iteration, recursion.
enum Compass: String, CaseIterable { case north, east, south, west }
enum Planet: Int { case mercury = 1, venus, earth }
enum Result2 {
  case success(Int)
  case failure(code: Int, message: String)
  case pending
}
indirect enum Tree {
  case leaf
  case node(Tree, Int, Tree)
  var sum: Int {
    switch self {
    case .leaf: return 0
    case let .node(l, v, r): return l.sum + v + r.sum
    }
  }
}
func describe(_ r: Result2) -> String {
  switch r {
  case .success(let n) where n > 100: return "big success"
  case .success(let n): return "success \(n)"
  case let .failure(code, message): return "failure \(code): \(message)"
  case .pending: return "pending"
  }
}
for c in Compass.allCases { print(c, c.rawValue) }
print(Planet(rawValue: 3)!, Planet(rawValue: 9) == nil, Planet.venus.rawValue)
print(describe(.success(5)), describe(.success(500)), describe(.failure(code: 404, message: "not found")))
print(Result2.pending, Result2.success(1), Result2.failure(code: 2, message: "m"))
let t = Tree.node(.node(.leaf, 1, .leaf), 2, .node(.leaf, 3, .leaf))
print(t.sum)
print(t)
print(Optional(Compass.east) as Any)
