// Compiled with 6.0.3: swiftc -emit-sil -Onone -g -module-name main -D SET (or UNSET, OVERRIDDEN, HELPER, LOCAL) weaknil.swift
final class Pet {
  let age = 3
}
class Owner {
  weak var pet: Pet?
  func age() -> Int { pet!.age }
}
#if OVERRIDDEN
class Sitter: Owner {
  var own: Pet?
  override var pet: Pet? {
    get { super.pet == nil ? own : own }
    set { super.pet = newValue }
  }
}
#endif
func run() {
  var p: Pet? = Pet()
#if SET
  let o = Owner()
  o.pet = p
  p = nil
  print(o.age())
#elseif UNSET
  let o = Owner()
  print(o.age())
#elseif OVERRIDDEN
  let o = Sitter()
  o.pet = p
  p = nil
  print(o.age())
#elseif HELPER
  func give(_ n: Int?) -> Never { fatalError("\(n!)") }
  let o = Owner()
  o.pet = p
  p = nil
  guard let q = o.pet else { give(nil) }
  print(q.age)
#else
  weak var w = p
  p = nil
  if w == nil { print("gone") }
  print(w!.age)
#endif
}
run()
