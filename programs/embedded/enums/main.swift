// Enums of every layout: no payload, single payload, several payloads, raw values.
enum Direction: UInt8, CaseIterable {
  case north = 1, east, south = 10, west
  var turned: Direction {
    switch self {
    case .north: return .east
    case .east: return .south
    case .south: return .west
    case .west: return .north
    }
  }
}

enum Shape {
  case point
  case circle(radius: Int)
  case rect(width: Int, height: Int)
  case polygon([Int])
  case flag(Bool)
  var measure: Int {
    switch self {
    case .point: return 0
    case .circle(let r): return 3 * r * r
    case let .rect(w, h) where w == h: return w * w
    case let .rect(width: w, height: h): return w * h
    case .polygon(let sides): return sides.reduce(0, +)
    case .flag(true): return 1
    case .flag(false): return -1
    }
  }
}

final class Handle { let n: Int; init(_ n: Int) { self.n = n } }

enum Resource {
  case none
  case handle(Handle)
  case pair(Handle, Handle)
  case small(UInt8)
  case bool(Bool)
  func value() -> Int {
    switch self {
    case .none: return 0
    case .handle(let h): return h.n
    case .pair(let a, let b): return a.n * b.n
    case .small(let x): return Int(x)
    case .bool(let b): return b ? 1 : 2
    }
  }
}

enum Tiny { case a(Bool), b(UInt8), c }
enum Wrapped { case some(Direction), other }

func code(_ t: Tiny) -> Int {
  switch t {
  case .a(let f): return f ? 1000 : 2000
  case .b(let n): return Int(n)
  case .c: return 3000
  }
}

for d in Direction.allCases {
  print(d.rawValue)
  print(d.turned.rawValue)
}
print(Direction(rawValue: 10) == .south)
print(Direction(rawValue: 5) == nil)
let shapes: [Shape] = [.point, .circle(radius: 4), .rect(width: 3, height: 5), .rect(width: 6, height: 6),
                       .polygon([3, 4, 5]), .flag(true), .flag(false)]
for s in shapes { print(s.measure) }
let resources: [Resource] = [.none, .handle(Handle(7)), .pair(Handle(6), Handle(9)), .small(255), .bool(true), .bool(false)]
for r in resources { print(r.value()) }
for t in [Tiny.a(true), .a(false), .b(0), .b(255), .c] { print(code(t)) }
let w: [Wrapped?] = [.some(.some(.west)), .some(.other), nil]
for x in w {
  switch x {
  case .some(.some(let d)): print(d.rawValue)
  case .some(.other): print("other")
  case nil: print("nil")
  }
}
print(MemoryLayout<Shape>.size)
print(MemoryLayout<Resource>.size)
print(MemoryLayout<Tiny>.size)
print(MemoryLayout<Wrapped?>.size)
print(MemoryLayout<Handle?>.size)
