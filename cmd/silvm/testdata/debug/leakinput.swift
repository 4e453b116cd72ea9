final class Person {
  let name: String
  var home: Home?
  init(_ name: String) { self.name = name }
}
final class Home {
  var owner: Person?
}
func settle(_ p: Person) {
  let h = Home()
  p.home = h
  h.owner = p
}
while let line = readLine() {
  let p = Person(line)
  if line == "Ann" { settle(p) }
}
