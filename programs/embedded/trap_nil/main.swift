// Ends in a trap: forced unwrapping of nil after some successes.
struct Table {
  var slots: [Int?]
  func find(_ x: Int) -> Int? {
    for (i, s) in slots.enumerated() where s == x { return i }
    return nil
  }
}
let t = Table(slots: [nil, 5, nil, 7])
print(t.find(5)!)
print(t.find(7)!)
print(t.find(9)!)
