// Optionals: binding, chaining, mapping, printing.
struct Address { var street: String? }
final class Person {
  var address: Address?
  let name: String
  init(_ name: String) { self.name = name }
}
func find(_ n: Int) -> String? { return n > 0 ? "found \(n)" : nil }
let ann = Person("Ann")
print(ann.address?.street ?? "no street")
ann.address = Address(street: nil)
ann.address?.street = "Main"
print(ann.address?.street?.count ?? 0)
if let s = find(3) { print(s) }
guard let t = find(1) else { fatalError("no t") }
print(t, find(0) ?? "nothing")
print(find(2).map { $0.count } ?? 0)
let n: Int? = 4
print(n as Any, n! + 1, n == 4, n == nil)
let deep: Int?? = .some(nil)
print(deep as Any, deep == nil)
print([1, nil, 3].compactMap { $0 })
switch n {
case .some(let x) where x > 3: print("big", x)
case .some(let x): print("small", x)
case .none: print("none")
}
if let p = Optional(ann), let a = p.address, let s = a.street, s.hasPrefix("M") { print(p.name, s) }
