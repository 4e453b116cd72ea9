// State machines in three styles: nested enums, tables of closures, polymorphic state objects.
enum Door: Equatable {
  case open(angle: Int)
  case closed(Lock)
  enum Lock: Equatable {
    case unlocked
    case locked(code: UInt16, attempts: UInt8)
  }
}
enum Event {
  case push(Int), pull, lock(UInt16), unlock(UInt16)
}
func next(_ d: Door, _ e: Event) -> Door {
  switch (d, e) {
  case (.open(let a), .push(let n)): return .open(angle: min(a + n, 180))
  case (.open, .pull): return .closed(.unlocked)
  case (.closed(.unlocked), .push(let n)): return .open(angle: n)
  case (.closed(.unlocked), .lock(let c)): return .closed(.locked(code: c, attempts: 0))
  case let (.closed(.locked(c, _)), .unlock(d)) where c == d: return .closed(.unlocked)
  case let (.closed(.locked(c, n)), .unlock): return .closed(.locked(code: c, attempts: n + 1))
  default: return d
  }
}
func show(_ d: Door) {
  switch d {
  case .open(angle: let a): print(a)
  case .closed(.unlocked): print("unlocked")
  case .closed(.locked(_, attempts: 0)): print("locked")
  case .closed(.locked(_, attempts: let n)): print(-Int(n))
  }
}

final class Traffic {
  enum Light: Int { case red, green, yellow }
  private(set) var light = Light.red
  private var ticks = 0
  private let durations: [Int]
  private var actions: [(Traffic) -> Void]
  init() {
    durations = [3, 2, 1]
    actions = [{ _ in print("stop") }, { print($0.total) }, { _ in print("slow") }]
  }
  private(set) var total = 0
  func tick() {
    ticks += 1
    total += 1
    if ticks < durations[light.rawValue] { return }
    ticks = 0
    light = Light(rawValue: (light.rawValue + 1) % 3)!
    actions[light.rawValue](self)
  }
}

class State {
  func handle(_ n: Int) -> State? { return self }
  var name: StaticString { return "state" }
}
final class Idle: State {
  override func handle(_ n: Int) -> State? { return n > 0 ? Busy(n) : self }
  override var name: StaticString { return "idle" }
}
final class Busy: State {
  var left: Int
  init(_ n: Int) { left = n }
  override func handle(_ n: Int) -> State? {
    left -= 1
    if n < 0 { return nil }
    return left == 0 ? Idle() : self
  }
  override var name: StaticString { return "busy" }
  deinit { print("busy deinit") }
}

var door = Door.closed(.unlocked)
for e: Event in [.push(30), .push(170), .pull, .lock(1234), .unlock(1), .unlock(2), .push(5), .unlock(1234), .push(10)] {
  door = next(door, e)
  show(door)
}
print(door == .open(angle: 10))
print(MemoryLayout<Door>.size)
let t = Traffic()
for _ in 0..<9 { t.tick() }
print(t.light.rawValue)
var state: State? = Idle()
for n in [0, 2, 0, 0, 1, -1, 0] {
  guard let s = state else { break }
  state = s.handle(n)
  print(state?.name ?? "gone")
}
