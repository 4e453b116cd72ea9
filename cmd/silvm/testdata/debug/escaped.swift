final class Registry { static let shared = Registry(); var last: Item?; var all: [Item] = [] }
final class Item { let n: Int; init(_ n: Int) { self.n = n }
  deinit { if n == 1 { Registry.shared.last = self } else if n == 2 { Registry.shared.all.append(self) } else { _ = Unmanaged.passRetained(self) } } }
func go(_ n: Int) { let i = Item(n); print(i.n) }
go(CommandLine.argc == 1 ? 1 : Int(CommandLine.argc))
