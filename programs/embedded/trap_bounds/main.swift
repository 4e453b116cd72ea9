// Ends in a trap: an array index one past the end, inside a closure, with objects alive.
final class Resource {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
func last(_ a: [Int], _ index: (Int) -> Int) -> Int { return a[index(a.count)] }
let r = Resource(1)
do {
  let s = Resource(2)
  print(s.id)
}
let values = [10, 20, 30]
print(last(values) { $0 - 1 })
print(last(values) { $0 })
print(r.id)
