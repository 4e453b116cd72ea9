// OptionSet, RawRepresentable, custom literals, static members and subscripts.
struct Permissions: OptionSet {
  let rawValue: UInt8
  static let read = Permissions(rawValue: 1)
  static let write = Permissions(rawValue: 2)
  static let execute = Permissions(rawValue: 4)
  static let all: Permissions = [.read, .write, .execute]
}
struct Meters: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, AdditiveArithmetic, Comparable {
  var value: Double
  init(_ v: Double) { value = v }
  init(integerLiteral v: Int) { value = Double(v) }
  init(floatLiteral v: Double) { value = v }
  static var zero: Meters { return 0 }
  static func + (a: Meters, b: Meters) -> Meters { return Meters(a.value + b.value) }
  static func - (a: Meters, b: Meters) -> Meters { return Meters(a.value - b.value) }
  static func < (a: Meters, b: Meters) -> Bool { return a.value < b.value }
}
struct Row: ExpressibleByArrayLiteral {
  var cells: [Int]
  init(arrayLiteral e: Int...) { cells = e }
  static subscript(n: Int) -> Row { return Row(cells: [Int](repeating: n, count: n)) }
  init(cells: [Int]) { self.cells = cells }
}
struct Table: ExpressibleByDictionaryLiteral {
  var entries: [(Int, Int)] = []
  init(dictionaryLiteral e: (Int, Int)...) { entries = e }
  subscript(key: Int, default d: Int = -1) -> Int {
    for (k, v) in entries where k == key { return v }
    return d
  }
}
struct Name: ExpressibleByStringLiteral {
  let text: StaticString
  init(stringLiteral s: StaticString) { text = s }
}
enum Weekday: Int8 { case monday = -3, tuesday, wednesday, thursday }
func sum(_ xs: Int...) -> Int { return xs.reduce(0, +) }

var p: Permissions = [.read, .write]
print(p.rawValue)
print(p.contains(.write))
p.remove(.read)
p.formUnion(.execute)
print(p == [.write, .execute])
print(p.isSubset(of: .all))
print(Permissions.all.subtracting(p).rawValue)
print(p.insert(.read).inserted)
print(Permissions(rawValue: 3).symmetricDifference([.write, .execute]).rawValue)
let lengths: [Meters] = [1, 2.5, 3]
print(Int(lengths.reduce(.zero, +).value * 10))
print(lengths.max()! > 2.9)
let row: Row = [1, 2, 3]
print(row.cells.reduce(0, +) + Row[4].cells.count)
let table: Table = [1: 10, 2: 20]
print(table[2] + table[7])
print(table[7, default: 5])
let n: Name = "swift"
print(n.text)
print(Weekday.wednesday.rawValue)
print(Weekday(rawValue: 0) == .thursday)
print(sum() + sum(1, 2, 3))
