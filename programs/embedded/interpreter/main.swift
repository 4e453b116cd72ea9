// A byte-code interpreter with a stack, calls and a program that computes factorials.
enum Op: UInt8 {
  case push, add, sub, mul, dup, swap, jump, jumpZero, call, ret, print, halt, over, pop
}

struct Machine {
  var stack: [Int] = []
  var frames: [Int] = []
  var pc = 0
  var steps = 0
  let code: [Int]

  mutating func pop() -> Int { return stack.removeLast() }

  mutating func run() {
    while let op = Op(rawValue: UInt8(code[pc])) {
      pc += 1
      steps += 1
      switch op {
      case .push:
        stack.append(code[pc])
        pc += 1
      case .add, .sub, .mul:
        let b = pop()
        let a = pop()
        stack.append(op == .add ? a + b : op == .sub ? a - b : a * b)
      case .dup: stack.append(stack[stack.count - 1])
      case .over: stack.append(stack[stack.count - 2])
      case .swap: stack.swapAt(stack.count - 1, stack.count - 2)
      case .pop: _ = pop()
      case .jump: pc = code[pc]
      case .jumpZero: pc = pop() == 0 ? code[pc] : pc + 1
      case .call:
        frames.append(pc + 1)
        pc = code[pc]
      case .ret: pc = frames.removeLast()
      case .print: Swift.print(pop())
      case .halt: return
      }
    }
    Swift.print("bad instruction")
  }
}

final class Assembler {
  private(set) var code: [Int] = []
  private var fixups: [(at: Int, label: Int)] = []
  private var labels = [Int](repeating: -1, count: 8)
  func emit(_ op: Op) { code.append(Int(op.rawValue)) }
  func emit(_ op: Op, _ operand: Int) {
    emit(op)
    code.append(operand)
  }
  func jump(_ op: Op, to label: Int) {
    emit(op)
    fixups.append((at: code.count, label: label))
    code.append(0)
  }
  func mark(_ label: Int) { labels[label] = code.count }
  func finish() -> [Int] {
    for f in fixups { code[f.at] = labels[f.label] }
    return code
  }
}

let asm = Assembler()
asm.emit(.push, 1)
asm.mark(0)
asm.emit(.dup)
asm.jump(.call, to: 1)
asm.emit(.print)
asm.emit(.push, 1)
asm.emit(.add)
asm.emit(.dup)
asm.emit(.push, 11)
asm.emit(.sub)
asm.jump(.jumpZero, to: 4)
asm.jump(.jump, to: 0)
asm.mark(4)
asm.emit(.halt)
asm.mark(1)  // factorial: n -- n!
asm.emit(.dup)
asm.jump(.jumpZero, to: 2)
asm.emit(.dup)
asm.emit(.push, 1)
asm.emit(.sub)
asm.jump(.call, to: 1)
asm.emit(.mul)
asm.emit(.ret)
asm.mark(2)
asm.emit(.pop)
asm.emit(.push, 1)
asm.emit(.ret)
var machine = Machine(code: asm.finish())
machine.run()
print(machine.steps)
print(machine.stack.count)
