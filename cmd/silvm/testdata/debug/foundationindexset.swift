import Foundation

func show(_ s: IndexSet) {
  var steps: [String] = []
  var i = s.startIndex
  let end = s.endIndex.description
  while i.description != end {
    steps.append(i.description)
    s.formIndex(after: &i)
  }
  print(s.description, s.first ?? -1, s.last ?? -1, steps)
}
var s = IndexSet(integersIn: 3..<6)
let t = s
print(s.insert(6), s.remove(4) ?? -1, s.remove(40) ?? -1)
s.insert(integersIn: 9..<12)
show(s)
show(t)
show(s.union(t))
show(s.intersection(t))
show(s.symmetricDifference(t))
s.shift(startingAt: 6, by: 2)
show(s)
s.shift(startingAt: 9, by: -3)
show(s.filteredIndexSet { $0 != 8 })
print(s.contains(integersIn: 7..<9), s.intersects(integersIn: 0..<4), s.count(in: 4..<8), s.integerGreaterThan(5) ?? -1, s.integerLessThanOrEqualTo(6) ?? -1)
s.removeAll()
show(s)
