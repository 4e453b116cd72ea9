private final class Item {
  let n: Int
  let text = "second"
  init(_ n: Int) { self.n = n }
  @inline(never) func show() { print(text, "item", n) }
}

final class SecondCheck {
  init() {}
  @inline(never) @_optimize(none) func run() {
    let item = Item(6)
    let more: Item? = Item(7)
    check {
      item.n + more!.n
    }
    hold({ $0 > 0 ? more : item }) { (i: Item?) in i?.show() }
  }
}
