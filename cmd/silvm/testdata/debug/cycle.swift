final class Parent {
  let name: String
  var children: [Child] = []
  init(_ n: String) { name = n }
  deinit { print("parent", name) }
}
final class Child {
  let id: Int
  var parent: Parent?
  init(_ i: Int) { id = i }
  deinit { print("child", id) }
}
func build() {
  let p = Parent("root")
  for i in 1...2 {
    let c = Child(i)
    c.parent = p
    p.children.append(c)
  }
  print(p.children.count)
}
build()
print("done")
