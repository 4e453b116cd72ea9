struct Item: Comparable {
  let key: Int
  static func < (a: Item, b: Item) -> Bool { a.key < b.key }
}
final class Box { var items: [Item] = []; deinit { print("box gone") } }
func run() {
  let box = Box()
  for k in [5, 3, 9, 1] { box.items.append(Item(key: k)) }
  if let big = box.items.max() { print("max", big.key) }
}
run()
