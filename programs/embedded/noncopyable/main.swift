// Noncopyable structs and enums: deinit exactly once, consuming and borrowing, discard.
struct File: ~Copyable {
  let descriptor: Int
  var position = 0
  init(_ d: Int) {
    descriptor = d
    print("open")
  }
  mutating func read(_ n: Int) -> Int {
    position += n
    return position * 100 + descriptor
  }
  borrowing func peek() -> Int { return position }
  consuming func close() -> Int {
    let d = descriptor
    discard self
    return d
  }
  deinit { print(-descriptor) }
}

struct Pair: ~Copyable {
  var left: File
  var right: File
}

enum Slot: ~Copyable {
  case empty
  case full(File)
  mutating func take() -> Int {
    switch consume self {
    case .empty:
      self = .empty
      return 0
    case .full(let f):
      self = .empty
      return f.descriptor
    }
  }
}

final class Owner {
  var file: File
  init(_ f: consuming File) { file = f }
  deinit { print("owner deinit") }
}

func use(_ f: borrowing File) { print(f.peek()) }
func drop(_ f: consuming File) { print("dropping") }
func choose(_ c: Bool, _ f: consuming File) -> Int {
  if c { return f.close() }
  return 0
}

func files() {
  var a = File(1)
  print(a.read(3))
  use(a)
  drop(a)
  let b = File(2)
  print(b.close())
  print(choose(true, File(3)))
  print(choose(false, File(4)))
}
func pairs() {
  var p = Pair(left: File(5), right: File(6))
  p.left = File(7)
  print(p.right.read(1))
  drop(p.left)
}
func slots() {
  var s = Slot.full(File(8))
  print(s.take())
  print(s.take())
}
func owners() {
  let o = Owner(File(9))
  print(o.file.read(2))
  o.file = File(10)
  print("end of owners")
}
files()
pairs()
slots()
owners()
