// Three owners with a child that refers back to them without owning them: the first goes, the second is in a ring with its own
// closure, the third has a reference too many.
final class Owner {
  var handler: (() -> Void)?
  var child: Child?
  var any: Any?
  let number: Int
  init(_ number: Int) { self.number = number }
  deinit { print("owner", number) }
}

final class Child {
  unowned let parent: Owner
  weak var again: Owner?
  unowned(unsafe) var unchecked: Owner
  init(_ owner: Owner) {
    parent = owner
    again = owner
    unchecked = owner
  }
  deinit { print("child") }
}

func gone() {
  let owner = Owner(1)
  owner.child = Child(owner)
  owner.handler = { [unowned owner] in print(owner.number) }
  owner.handler?()
}

func ring() {
  let owner = Owner(2)
  owner.child = Child(owner)
  owner.handler = { print(owner.number) }
  owner.handler?()
}

func lost() {
  let owner = Owner(3)
  owner.child = Child(owner)
  owner.any = owner.child
  owner.handler = { [unowned owner] in print(owner.number) }
  _ = Unmanaged.passRetained(owner)
}

gone()
ring()
lost()
