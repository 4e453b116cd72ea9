// Machines: an interpreter of enum instructions over a stack, a tape machine over bytes, a state machine, a simulation of events.
let size = 30_000
var runtimeSize = size

enum Instruction {
  case push(Int)
  case add, subtract, multiply
  case load(Int), store(Int)
  case jumpIfZero(Int), jump(Int)
  case halt
}

struct Calculator {
  var stack: [Int] = []
  var locals = [Int](repeating: 0, count: 4)
  mutating func run(_ program: [Instruction]) -> Int {
    var pc = 0
    while true {
      let i = program[pc]
      pc += 1
      switch i {
      case .push(let n): stack.append(n)
      case .add:
        let b = stack.removeLast(), a = stack.removeLast()
        stack.append(a &+ b)
      case .subtract:
        let b = stack.removeLast(), a = stack.removeLast()
        stack.append(a &- b)
      case .multiply:
        let b = stack.removeLast(), a = stack.removeLast()
        stack.append(a &* b)
      case .load(let k): stack.append(locals[k])
      case .store(let k): locals[k] = stack.removeLast()
      case .jumpIfZero(let to): if stack.removeLast() == 0 { pc = to }
      case .jump(let to): pc = to
      case .halt: return locals[0]
      }
    }
  }
}

@inline(never) func tape(_ program: [UInt8], _ limit: Int) -> Int {
  var cells = [UInt8](repeating: 0, count: 256)
  var at = 0, pc = 0, steps = 0
  while pc < program.count && steps < limit {
    steps += 1
    switch program[pc] {
    case 62: at = (at + 1) & 255
    case 60: at = (at - 1) & 255
    case 43: cells[at] &+= 1
    case 45: cells[at] &-= 1
    case 91:
      if cells[at] == 0 {
        var depth = 1
        while depth > 0 {
          pc += 1
          if program[pc] == 91 { depth += 1 } else if program[pc] == 93 { depth -= 1 }
        }
      }
    case 93:
      if cells[at] != 0 {
        var depth = 1
        while depth > 0 {
          pc -= 1
          if program[pc] == 93 { depth += 1 } else if program[pc] == 91 { depth -= 1 }
        }
      }
    default: break
    }
    pc += 1
  }
  return steps + Int(cells[at])
}

enum State: CaseIterable { case idle, starting, running, failed, done }

@inline(never) func next(_ s: State, _ input: Int) -> State {
  switch (s, input & 3) {
  case (.idle, 0): return .idle
  case (.idle, _): return .starting
  case (.starting, 3): return .failed
  case (.starting, _): return .running
  case (.running, 0): return .done
  case (.running, 1...2): return .running
  case (.failed, 1): return .starting
  case (.failed, _): return .failed
  case (.done, let k) where k == 2: return .idle
  default: return .done
  }
}

struct Event: Comparable {
  var time: Int
  var kind: Int
  static func < (a: Event, b: Event) -> Bool { return (a.time, a.kind) < (b.time, b.kind) }
}

@inline(never) func simulate(_ n: Int) -> Int {
  var events = [Event(time: 0, kind: 0)]
  var clients = 0, served = 0, now = 0
  for _ in 0..<n {
    guard let first = events.min(), let k = events.firstIndex(of: first) else { break }
    events.remove(at: k)
    now = first.time
    if first.kind == 0 {
      clients += 1
      events.append(Event(time: now + 3 + now % 5, kind: 0))
      if clients == 1 { events.append(Event(time: now + 4 + now % 3, kind: 1)) }
    } else {
      clients -= 1
      served += 1
      if clients > 0 { events.append(Event(time: now + 2 + now % 7, kind: 1)) }
    }
  }
  return served &* 1000 &+ now % 1000
}

let program: [Instruction] = [
  .push(runtimeSize), .store(1), .push(1), .store(0),
  .load(1), .jumpIfZero(15), .load(0), .push(3), .multiply, .load(1), .add, .store(0),
  .load(1), .push(1), .jump(16), .halt, .subtract, .store(1), .jump(4),
]
var c = Calculator()
var state = State.idle
var counts = [State: Int]()
for k in 0..<runtimeSize {
  state = next(state, k &* k >> 2)
  counts[state, default: 0] += 1
}
let nested = Array("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.".utf8)
print(c.run(program), tape(nested, runtimeSize * 2), State.allCases.map { counts[$0] ?? 0 }, simulate(runtimeSize / 4))
