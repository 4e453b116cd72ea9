// Classes: inheritance, overriding, super calls, final and lazy members, deinit order.
class Animal {
  let name: StaticString
  var legs: Int { return 4 }
  init(_ name: StaticString) { self.name = name }
  func speak() { print(name) }
  func describe() {
    speak()
    print(legs)
  }
  class func kingdom() { print("animals") }
  deinit { print("animal deinit") }
}

class Bird: Animal {
  var feathers: Int
  override var legs: Int { return 2 }
  init(feathers: Int) {
    self.feathers = feathers
    super.init("bird")
  }
  override func speak() {
    super.speak()
    print("tweet")
  }
  override class func kingdom() {
    super.kingdom()
    print("birds")
  }
  deinit { print("bird deinit") }
}

final class Parrot: Bird {
  var words: [Int]
  lazy var vocabulary: Int = {
    print("counting")
    return words.count
  }()
  convenience init() { self.init(words: [1, 2, 3]) }
  init(words: [Int]) {
    self.words = words
    super.init(feathers: 100)
  }
  override func speak() {
    super.speak()
    for w in words { print(w) }
  }
  deinit { print("parrot deinit") }
}

class Owner {
  var pets: [Animal] = []
  let first: Animal
  init(first: Animal) { self.first = first }
  deinit { print("owner deinit") }
}

func run() {
  let owner = Owner(first: Animal("dog"))
  owner.pets.append(Bird(feathers: 12))
  owner.pets.append(Parrot())
  owner.first.describe()
  for p in owner.pets { p.describe() }
  type(of: owner.pets[0]).kingdom()
  let parrot = owner.pets[1] as! Parrot
  print(owner.pets[0] is Parrot)
  print(parrot.vocabulary)
  parrot.words.append(4)
  print(parrot.vocabulary)
  print(owner.pets[1] === parrot)
  print(owner.pets[0] !== owner.pets[0])
  owner.pets.removeFirst()
  print("removed")
}

run()
print("end")
