// Types inside functions of which values are only made in arrays that the optimizer lays out as constants.
func rows() {
  struct Row { let id: Int; let name: String; let ratio: Double }
  let rows = [Row(id: 1, name: "a", ratio: 0.5), Row(id: 2, name: "b", ratio: 1.5), Row(id: 3, name: "c", ratio: 2.5)]
  for r in rows { print(r.name, r.ratio, r.id) }
}

func paints() {
  enum Colour { case red, green, blue }
  struct Paint { let colour: Colour; let amount: Int }
  let colours: [Colour] = [.red, .green, .blue, .green]
  for c in colours { print(c) }
  let paints = [Paint(colour: .red, amount: 1), Paint(colour: .blue, amount: 2)]
  for p in paints where p.colour == .blue { print(p.amount) }
}

func shapes() {
  enum Shape { case circle(Int), box(Int, Int), none }
  let shapes: [Shape] = [.circle(3), .box(2, 5), .none]
  for s in shapes {
    switch s {
    case .circle(let r): print("circle", r)
    case .box(let w, let h): print("box", w, h)
    case .none: print("none")
    }
  }
}

func cases() {
  struct Case { let input: [Int]; let want: Int?; let line: UInt }
  let cases = [Case(input: [], want: nil, line: 1), Case(input: [1, 2], want: 3, line: 2), Case(input: [4], want: 5, line: 3)]
  for c in cases { print(c.input.reduce(0, +) == (c.want ?? 0), c.line) }
}

func pairs() {
  struct Pair { var a: Int32; var b: UInt8 } // nothing names its fields
  let pairs = [Pair(a: 1, b: 2), Pair(a: 3, b: 4)]
  pairs.withUnsafeBytes { print($0.count, $0.load(fromByteOffset: 8, as: Int32.self), MemoryLayout<Pair>.size) }
}

func labels() {
  struct Entry { let key: UInt8; let span: (Int, String); let next: Int? }
  let entries = [Entry(key: 1, span: (5, "five"), next: nil), Entry(key: 2, span: (6, "six"), next: 9)]
  for e in entries { print(e.span.1, e.next ?? -1, e.key, e.span.0) }
}

@inline(never) func show<T: Equatable>(_ a: T, _ b: T) { print(a == b) }

func equated() {
  struct Ends: Equatable { let last: String; let z: Int; let first: String; let n: Int; let list: [Int]; let a: Int } // == tells the order of its fields
  let ends = [Ends(last: "x", z: 1, first: "f", n: 2, list: [1], a: 4), Ends(last: "y", z: 1, first: "f", n: 3, list: [2], a: 5)]
  show(ends[0], ends[1])
  show(ends[1], ends[1])
  show(ends, ends)
  for e in ends { print(e.a, e.first, e.n, e.last, e.z, e.list) }
}

rows()
paints()
shapes()
cases()
pairs()
labels()
equated()
