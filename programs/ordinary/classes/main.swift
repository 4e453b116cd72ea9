// Classes: inheritance, overriding, deinit order, identity, weak and unowned references.
class Animal {
  let name: String
  init(name: String) { self.name = name }
  func sound() -> String { return "..." }
  func speak() { print("\(name) says \(sound())") }
  deinit { print("\(name) is gone") }
}
class Dog: Animal {
  override func sound() -> String { return "Woof" }
}
final class Puppy: Dog {
  var toys: [String] = []
  override func sound() -> String { return super.sound().lowercased() + "!" }
  override func speak() {
    super.speak()
    for t in toys { print("  plays with \(t)") }
  }
}
class Owner {
  let name: String
  var pet: Animal?
  weak var friend: Owner?
  init(_ name: String) { self.name = name }
  deinit { print("owner \(name) is gone") }
}
class Card {
  unowned let owner: Owner
  init(owner: Owner) { self.owner = owner }
  deinit { print("card is gone") }
}
func run() {
  let rex = Dog(name: "Rex")
  let bit = Puppy(name: "Bit")
  bit.toys = ["ball", "bone"]
  let animals: [Animal] = [rex, bit, Animal(name: "Thing")]
  for a in animals { a.speak() }
  let ann = Owner("Ann")
  ann.pet = rex
  do {
    let bob = Owner("Bob")
    ann.friend = bob
    bob.friend = ann
    print(ann.friend?.name ?? "nobody", bob.friend!.name)
  }
  print(ann.friend?.name ?? "nobody")
  let card = Card(owner: ann)
  print(card.owner.name)
  print(animals[0] === rex, animals[1] is Dog, animals[2] is Dog)
  if let p = animals[1] as? Puppy { print(p.toys.count) }
}
run()
print("end")
