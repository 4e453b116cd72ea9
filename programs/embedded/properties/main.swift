// Properties: observers, lazy, static, computed, overriding, accessors that yield.
struct Grid {
  private var cells: [Int]
  let width: Int
  var touched = 0
  init(width: Int, height: Int) {
    self.width = width
    cells = [Int](repeating: 0, count: width * height)
  }
  subscript(x: Int, y: Int) -> Int {
    _read { yield cells[y * width + x] }
    _modify {
      touched += 1
      yield &cells[y * width + x]
      touched += 10
    }
  }
  var total: Int { return cells.reduce(0, +) }
}

class Thermostat {
  static var made = 0
  static let table: [Int] = {
    print("table made")
    return [10, 20, 30]
  }()
  var target = 20 {
    willSet { print(newValue) }
    didSet { if target > 30 { target = 30 } }
  }
  lazy var history: [Int] = {
    print("history made")
    return [target]
  }()
  var celsius: Double = 21.5
  var fahrenheit: Double {
    get { return celsius * 9 / 5 + 32 }
    set { celsius = (newValue - 32) * 5 / 9 }
  }
  init() { Thermostat.made += 1 }
}
final class Logged: Thermostat {
  var changes = 0
  override var target: Int {
    didSet { changes += 1 }
  }
  override var fahrenheit: Double {
    get { return super.fahrenheit }
    set {
      print("set fahrenheit")
      super.fahrenheit = newValue
    }
  }
}

func bump(_ x: inout Int) { x += 5 }
func swapTwo(_ a: inout Int, _ b: inout Int) { (a, b) = (b, a) }

var g = Grid(width: 4, height: 3)
g[1, 2] += 7
bump(&g[0, 0])
g[3, 1] = g[1, 2] * 2
print(g.total)
print(g.touched)
let t: Thermostat = Logged()
t.target += 5
bump(&t.target)
t.target = 99
print(t.target)
t.history.append(4)
print(t.history.count)
t.fahrenheit += 9
print(Int(t.celsius * 10))
print((t as! Logged).changes)
print(Thermostat.table[1])
print(Thermostat.table[2])
_ = Thermostat()
print(Thermostat.made)
var a = 1
var b = 2
swapTwo(&a, &b)
print(a)
swapTwo(&g[0, 0], &a)
print(a)
