// Optionals: chains, binding, nesting, defaults, mapping.
final class Address {
  var zip: Int?
  init(zip: Int?) { self.zip = zip }
}
final class Person {
  var address: Address?
  var boss: Person?
  let age: UInt8?
  init(age: UInt8?, address: Address? = nil, boss: Person? = nil) {
    self.age = age
    self.address = address
    self.boss = boss
  }
  deinit { print("person gone") }
}

func parseDigit(_ c: UInt8) -> Int? {
  return c >= 48 && c <= 57 ? Int(c) - 48 : nil
}

func parse(_ bytes: [UInt8]) -> Int? {
  guard !bytes.isEmpty else { return nil }
  var n = 0
  for b in bytes {
    guard let d = parseDigit(b) else { return nil }
    n = n * 10 + d
  }
  return n
}

func nested(_ x: Int) -> Int?? {
  switch x {
  case 0: return .none
  case 1: return .some(.none)
  default: return x
  }
}

func describe(_ x: Int??) -> Int {
  switch x {
  case .none: return -1
  case .some(.none): return -2
  case .some(.some(let n)) where n > 100: return 100
  case let .some(.some(n)): return n
  }
}

do {
  let boss = Person(age: 60, address: Address(zip: 12345))
  let p = Person(age: nil, boss: boss)
  print(p.boss?.address?.zip ?? 0)
  print(p.address?.zip ?? -1)
  print(p.age == nil)
  p.boss?.address?.zip = nil
  print(boss.address?.zip == nil)
  p.boss?.address = nil
  print(boss.address == nil)
  print(boss.age.map { Int($0) * 2 } ?? 0)
  p.boss = nil
}
print(parse([49, 50, 51])!)
print(parse([49, 65]) == nil)
print(parse([]) ?? 77)
for i in 0..<3 { print(describe(nested(i))) }
print(describe(nested(500)))
let values: [Int?] = [1, nil, 3, nil, 5]
print(values.compactMap { $0 }.reduce(0, +))
var total = 0
for case let v? in values { total += v }
print(total)
if let a = values[0], let b = values[2], a < b { print("ordered") }
let flat: Int? = values[4].flatMap { $0 > 4 ? $0 * 2 : nil }
print(flat!)
