private final class Item {
  let n: Int
  init(_ n: Int) { self.n = n }
  @inline(never) func show() { print("first item", n) }
}

final class FirstCheck {
  init() {}
  @inline(never) @_optimize(none) func run() {
    let item = Item(3)
    let more = [Item(4), Item(5)]
    check {
      item.n + more[0].n
    }
    hold({ more[$0] }) { (i: Item) in i.show() }
  }
}

@inline(never) func hold<T>(_ f: (Int) -> T, _ g: (T) -> Void) { g(f(1)) }
