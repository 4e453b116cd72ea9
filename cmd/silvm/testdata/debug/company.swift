// A ring of three classes, in which one owner is generic and one reference is in an optional struct.
final class Box<T> {
  var value: T?
  init(_ v: T?) { value = v }
}
struct Link {
  var kind: Int
  var target: Company
}
final class Employee {
  let id: Int
  var employer: Link?
  init(_ id: Int) { self.id = id }
  deinit { print("employee", id, "gone") }
}
final class Department {
  var head: Box<Employee>
  var staff: [Employee] = []
  init(head: Employee) { self.head = Box(head) }
  deinit { print("department gone") }
}
final class Company {
  var departments: [Department] = []
  let name: String
  init(_ n: String) { name = n }
  deinit { print("company", name, "gone") }
}
func found(_ name: String, _ n: Int) -> Company {
  let c = Company(name)
  for k in 0..<n {
    let e = Employee(k)
    if k % 2 == 0 { e.employer = Link(kind: k, target: c) }
    let d = Department(head: e)
    d.staff.append(Employee(100 + k))
    c.departments.append(d)
  }
  return c
}
for n in 0..<3 { print(found("c\(n)", 3).departments.count) }
let ok = found("one", 0)
print(ok.name)
