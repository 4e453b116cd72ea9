// Globals and statics: order of initialization, lazy once, tables in constant data, mutation.
struct Config {
  static let limits = [10, 20, 30, 40]
  static let names: [StaticString] = ["zero", "one", "two"]
  static let pairs: [(key: UInt8, value: Int)] = [(1, 100), (2, 200), (3, 300)]
  static var counter = 0
  static let shared = Registry("shared")
  static let computed: Int = {
    print("computing")
    counter += 1
    return limits.reduce(0, +) + counter
  }()
}
final class Registry {
  let name: StaticString
  var entries: [Int] = []
  static let standard = Registry("standard")
  static var all: [Registry] = []
  init(_ name: StaticString) {
    self.name = name
    print(name)
  }
  func add(_ x: Int) -> Registry {
    entries.append(x)
    return self
  }
  deinit { print("registry deinit") }
}
let matrix = [[1, 2, 3], [4, 5, 6]]
let empty: [Int] = []
var first = make("first", 1)
var second = make("second", first + 1)
func make(_ s: StaticString, _ n: Int) -> Int {
  print(s)
  return n + third
}
var third = 5
enum Cache {
  static var squares: [Int: Int] = [:]
  static func square(_ n: Int) -> Int {
    if let s = squares[n] { return s }
    squares[n] = n * n
    return n * n
  }
}
print(first)
print(second)
print(make("again", 1))
print(Config.limits[2] + Config.pairs[1].value)
print(Config.names[2])
print(Config.computed)
print(Config.computed)
print(Config.counter)
_ = Config.shared.add(1).add(2)
print(Config.shared.entries.count)
print(Registry.standard.name)
Registry.all.append(Registry.standard)
Registry.all.append(Registry("local"))
Registry.all.removeLast()
print(Registry.all[0] === Registry.standard)
print(matrix.map { $0.reduce(0, +) }[1] + empty.count)
print(Cache.square(12) + Cache.square(12))
print(Cache.squares.count)
var copy = Config.limits
copy[0] = 99
print(Config.limits[0] + copy[0])
for (k, v) in Config.pairs where k != 2 { print(Int(k) + v) }
