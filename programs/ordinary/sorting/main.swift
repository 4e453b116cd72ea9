// Sorting records with keys and comparators.
struct Employee: Comparable, CustomStringConvertible {
  let name: String
  let age: Int
  let salary: Double
  static func < (a: Employee, b: Employee) -> Bool { return (a.age, a.name) < (b.age, b.name) }
  var description: String { return "\(name)(\(age))" }
}
let staff = [
  Employee(name: "Eve", age: 35, salary: 4200.5), Employee(name: "Bob", age: 28, salary: 3100),
  Employee(name: "Al", age: 35, salary: 5000), Employee(name: "Di", age: 61, salary: 2900.25),
]
print(staff.sorted())
print(staff.sorted { $0.salary > $1.salary }.map { $0.name })
print(staff.min()!, staff.max()!)
print(staff.filter { $0.age > 30 }.map { $0.salary }.reduce(0, +))
var byAge: [Int: [String]] = [:]
for e in staff { byAge[e.age, default: []].append(e.name) }
for (age, names) in byAge.sorted(by: { $0.key < $1.key }) { print(age, names.sorted()) }
let average = staff.map { Double($0.age) }.reduce(0, +) / Double(staff.count)
print("average age", average)
