// A coder to and from trees of values, with all kinds of containers.

indirect enum Tree: CustomStringConvertible {
  case null, bool(Bool), int(Int), double(Double), text(String), list([Tree]), table([(String, Tree)])
  var description: String {
    switch self {
    case .null: return "null"
    case .bool(let b): return "\(b)"
    case .int(let n): return "\(n)"
    case .double(let d): return "\(d)"
    case .text(let s): return "\"\(s)\""
    case .list(let l): return "[" + l.map(\.description).joined(separator: ", ") + "]"
    case .table(let t): return "{" + t.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }
  }
}

final class Node {
  enum Kind { case empty, one(Tree), list([Node]), table([(String, Node)]) }
  var kind = Kind.empty
  var tree: Tree {
    switch kind {
    case .empty: return .null
    case .one(let t): return t
    case .list(let l): return .list(l.map(\.tree))
    case .table(let t): return .table(t.map { ($0.0, $0.1.tree) })
    }
  }
  func child(_ key: String) -> Node {
    let n = Node()
    if case .table(var t) = kind { t.append((key, n)); kind = .table(t) } else { kind = .table([(key, n)]) }
    return n
  }
  func next() -> Node {
    let n = Node()
    if case .list(var l) = kind { l.append(n); kind = .list(l) } else { kind = .list([n]) }
    return n
  }
}

struct TreeEncoder: Encoder {
  let node: Node
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] = [:]
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .empty = node.kind { node.kind = .table([]) }
    return KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { if case .empty = node.kind { node.kind = .list([]) }; return Unkeyed(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
  func at(_ n: Node, _ key: any CodingKey) -> TreeEncoder { TreeEncoder(node: n, codingPath: codingPath + [key], userInfo: userInfo) }
}
func put<T: Encodable>(_ v: T, _ e: TreeEncoder) throws {
  switch v {
  case let x as Int: e.node.kind = .one(.int(x))
  case let x as String: e.node.kind = .one(.text(x))
  case let x as Double: e.node.kind = .one(.double(x))
  case let x as Bool: e.node.kind = .one(.bool(x))
  default: try v.encode(to: e)
  }
}
struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  mutating func encodeNil(forKey key: Key) throws { encoder.node.child(key.stringValue).kind = .one(.null) }
  mutating func encode<T: Encodable>(_ v: T, forKey key: Key) throws { try put(v, encoder.at(encoder.node.child(key.stringValue), key)) }
  mutating func nestedContainer<N: CodingKey>(keyedBy t: N.Type, forKey key: Key) -> KeyedEncodingContainer<N> { encoder.at(encoder.node.child(key.stringValue), key).container(keyedBy: t) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.at(encoder.node.child(key.stringValue), key).unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { TreeEncoder(node: encoder.node.child("super"), codingPath: codingPath) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.at(encoder.node.child(key.stringValue), key) }
}
struct Index: CodingKey {
  var intValue: Int?
  var stringValue: String { "Index \(intValue!)" }
  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}
struct Unkeyed: UnkeyedEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count = 0
  mutating func next() -> TreeEncoder { defer { count += 1 }; return encoder.at(encoder.node.next(), Index(intValue: count)) }
  mutating func encodeNil() throws { next().node.kind = .one(.null) }
  mutating func encode<T: Encodable>(_ v: T) throws { try put(v, next()) }
  mutating func nestedContainer<N: CodingKey>(keyedBy t: N.Type) -> KeyedEncodingContainer<N> { next().container(keyedBy: t) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}
struct Single: SingleValueEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  mutating func encodeNil() throws { encoder.node.kind = .one(.null) }
  mutating func encode(_ v: Bool) throws { encoder.node.kind = .one(.bool(v)) }
  mutating func encode(_ v: String) throws { encoder.node.kind = .one(.text(v)) }
  mutating func encode(_ v: Double) throws { encoder.node.kind = .one(.double(v)) }
  mutating func encode(_ v: Float) throws { encoder.node.kind = .one(.double(Double(v))) }
  mutating func whole<I: BinaryInteger>(_ v: I) { encoder.node.kind = .one(.int(Int(v))) }
  mutating func encode(_ v: Int) throws { whole(v) }
  mutating func encode(_ v: Int8) throws { whole(v) }
  mutating func encode(_ v: Int16) throws { whole(v) }
  mutating func encode(_ v: Int32) throws { whole(v) }
  mutating func encode(_ v: Int64) throws { whole(v) }
  mutating func encode(_ v: UInt) throws { whole(v) }
  mutating func encode(_ v: UInt8) throws { whole(v) }
  mutating func encode(_ v: UInt16) throws { whole(v) }
  mutating func encode(_ v: UInt32) throws { whole(v) }
  mutating func encode(_ v: UInt64) throws { whole(v) }
  mutating func encode<T: Encodable>(_ v: T) throws { try put(v, encoder) }
}

struct TreeDecoder: Decoder {
  let tree: Tree
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] = [:]
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .table(let t) = tree else { throw DecodingError.typeMismatch([String: Any].self, .init(codingPath: codingPath, debugDescription: "no table")) }
    return KeyedDecodingContainer(KeyedTree<Key>(table: Dictionary(t) { $1 }, order: t.map(\.0), decoder: self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let l) = tree else { throw DecodingError.typeMismatch([Any].self, .init(codingPath: codingPath, debugDescription: "no list")) }
    return UnkeyedTree(list: l, decoder: self)
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleTree(decoder: self) }
}
func get<T: Decodable>(_ t: T.Type, _ tree: Tree, _ path: [any CodingKey]) throws -> T {
  try T(from: TreeDecoder(tree: tree, codingPath: path))
}
struct KeyedTree<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let table: [String: Tree]
  let order: [String]
  let decoder: TreeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { order.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { table[key.stringValue] != nil }
  func find(_ key: Key) throws -> Tree {
    guard let t = table[key.stringValue] else { throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "No value for \(key)")) }
    return t
  }
  func decodeNil(forKey key: Key) throws -> Bool { if case .null = try find(key) { return true } else { return false } }
  func decode<T: Decodable>(_ t: T.Type, forKey key: Key) throws -> T { try get(t, find(key), codingPath + [key]) }
  func nestedContainer<N: CodingKey>(keyedBy t: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> { try TreeDecoder(tree: find(key), codingPath: codingPath + [key]).container(keyedBy: t) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try TreeDecoder(tree: find(key), codingPath: codingPath + [key]).unkeyedContainer() }
  func superDecoder() throws -> any Decoder { TreeDecoder(tree: table["super"] ?? .null, codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { TreeDecoder(tree: try find(key), codingPath: codingPath) }
}
struct UnkeyedTree: UnkeyedDecodingContainer {
  let list: [Tree]
  let decoder: TreeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex >= list.count }
  var currentIndex = 0
  mutating func take() throws -> Tree {
    if isAtEnd { throw DecodingError.valueNotFound(Any.self, .init(codingPath: codingPath + [Index(intValue: currentIndex)], debugDescription: "at end")) }
    defer { currentIndex += 1 }
    return list[currentIndex]
  }
  mutating func decodeNil() throws -> Bool { if case .null = list[currentIndex] { currentIndex += 1; return true }; return false }
  mutating func decode<T: Decodable>(_ t: T.Type) throws -> T { let n = currentIndex; return try get(t, take(), codingPath + [Index(intValue: n)]) }
  mutating func nestedContainer<N: CodingKey>(keyedBy t: N.Type) throws -> KeyedDecodingContainer<N> { try TreeDecoder(tree: take()).container(keyedBy: t) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try TreeDecoder(tree: take()).unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { TreeDecoder(tree: try take()) }
}
struct SingleTree: SingleValueDecodingContainer {
  let decoder: TreeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  func mismatch(_ t: Any.Type) -> DecodingError { .typeMismatch(t, .init(codingPath: codingPath, debugDescription: "found \(decoder.tree)")) }
  func decodeNil() -> Bool { if case .null = decoder.tree { return true } else { return false } }
  func decode(_ t: Bool.Type) throws -> Bool { if case .bool(let b) = decoder.tree { return b }; throw mismatch(t) }
  func decode(_ t: String.Type) throws -> String { if case .text(let b) = decoder.tree { return b }; throw mismatch(t) }
  func decode(_ t: Double.Type) throws -> Double {
    switch decoder.tree { case .double(let d): return d; case .int(let n): return Double(n); default: throw mismatch(t) }
  }
  func decode(_ t: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func whole<I: FixedWidthInteger>(_ t: I.Type) throws -> I {
    guard case .int(let n) = decoder.tree else { throw mismatch(t) }
    guard let v = I(exactly: n) else { throw DecodingError.dataCorruptedError(in: self, debugDescription: "\(n) does not fit \(t)") }
    return v
  }
  func decode(_ t: Int.Type) throws -> Int { try whole(t) }
  func decode(_ t: Int8.Type) throws -> Int8 { try whole(t) }
  func decode(_ t: Int16.Type) throws -> Int16 { try whole(t) }
  func decode(_ t: Int32.Type) throws -> Int32 { try whole(t) }
  func decode(_ t: Int64.Type) throws -> Int64 { try whole(t) }
  func decode(_ t: UInt.Type) throws -> UInt { try whole(t) }
  func decode(_ t: UInt8.Type) throws -> UInt8 { try whole(t) }
  func decode(_ t: UInt16.Type) throws -> UInt16 { try whole(t) }
  func decode(_ t: UInt32.Type) throws -> UInt32 { try whole(t) }
  func decode(_ t: UInt64.Type) throws -> UInt64 { try whole(t) }
  func decode<T: Decodable>(_ t: T.Type) throws -> T { try get(t, decoder.tree, codingPath) }
}

enum Color: String, Codable { case red, green, blue }
enum Level: Int, Codable { case low = 1, high = 9 }
enum Shape: Codable, Equatable { case circle(radius: Double), box(Int, Int), none }
struct Point: Codable, Equatable, Hashable { var x: Int; var y: Int8 }
class Animal: Codable {
  var name: String
  init(name: String) { self.name = name }
}
final class Dog: Animal {
  var tricks: [String] = []
  enum Keys: String, CodingKey { case tricks }
  override init(name: String) { super.init(name: name) }
  required init(from d: any Decoder) throws {
    let c = try d.container(keyedBy: Keys.self)
    tricks = try c.decode([String].self, forKey: .tricks)
    try super.init(from: c.superDecoder())
  }
  override func encode(to e: any Encoder) throws {
    var c = e.container(keyedBy: Keys.self)
    try c.encode(tricks, forKey: .tricks)
    try super.encode(to: c.superEncoder())
  }
}
struct Record: Codable {
  var id: Int
  var title: String
  var score: Double
  var ratio: Float
  var flags: [Bool]
  var point: Point?
  var missing: String?
  var big: UInt64
  var colors: [Color]
  var levels: [String: Level]
  var numbers: [Int: String]
  var shape: Shape
  var span: Range<Int>
  var nested: [[Int?]]
  var dog: Dog
  enum CodingKeys: String, CodingKey { case id, title, score, ratio, flags, point, missing, big = "very_big", colors, levels, numbers, shape, span, nested, dog }
}
func encoded<T: Encodable>(_ v: T) throws -> Tree {
  let e = TreeEncoder(node: Node())
  try put(v, e)
  return e.node.tree
}

let dog = Dog(name: "Rex")
dog.tricks = ["sit", "roll"]
let r = Record(id: 7, title: "one", score: 1.5, ratio: 0.25, flags: [true, false], point: Point(x: 3, y: -4), missing: nil, big: 12345678901,
  colors: [.red, .blue], levels: ["a": .high], numbers: [5: "five"], shape: .circle(radius: 2.5), span: 3..<9, nested: [[1, nil], []], dog: dog)
do {
  let t = try encoded(r)
  print(t)
  let back = try get(Record.self, t, [])
  print(back.id, back.title, back.score, back.ratio, back.flags, back.point!, back.missing as Any, back.big, back.colors, back.levels, back.numbers, back.shape, back.span, back.nested, back.dog.name, back.dog.tricks)
  print(try encoded(back).description == t.description)
  print(try encoded([Shape.box(1, 2), .none, .circle(radius: 0)]))
  print(try get([Shape].self, encoded([Shape.box(1, 2), .none]), []))
  print(try encoded(Set([Point(x: 1, y: 1)])), try encoded([Point(x: 0, y: 0): 5]), try encoded(Optional<Int>.none), try encoded(1...4))
} catch { print("error", error) }
func failing<T: Decodable>(_ t: T.Type, _ tree: Tree) {
  do { print(try get(t, tree, [])) } catch let e as DecodingError {
    switch e {
    case .typeMismatch(let t, let c): print("mismatch", t, c.codingPath.map(\.stringValue), c.debugDescription)
    case .keyNotFound(let k, let c): print("key", k.stringValue, c.codingPath.count, c.debugDescription)
    case .valueNotFound(let t, let c): print("value", t, c.codingPath.last!.intValue!, c.debugDescription)
    case .dataCorrupted(let c): print("corrupted", c.codingPath.map(\.stringValue), c.debugDescription, c.underlyingError == nil)
    @unknown default: print("other")
    }
  } catch { print("other", error) }
}
failing(Point.self, .table([("x", .int(1))]))
failing(Point.self, .table([("x", .int(1)), ("y", .int(1000))]))
failing(Point.self, .table([("x", .text("a")), ("y", .int(1))]))
failing(Color.self, .text("pink"))
failing([Level].self, .list([.int(1), .int(2)]))
failing(Range<Int>.self, .list([.int(5), .int(2)]))
failing(Range<Int>.self, .list([.int(5)]))
failing([Int: Bool].self, .table([("x", .bool(true))]))
failing([Point: Int].self, .list([.null]))
failing(Shape.self, .table([("circle", .table([("radius", .int(3))]))]))
failing(Shape.self, .table([]))
failing([String: [String: Int]].self, .table([("a", .table([("b", .int(1))]))]))
enum CodingError: CodingKey { case a, bcd }
print(CodingError.bcd, CodingError.a.debugDescription, CodingUserInfoKey(rawValue: "me")!.rawValue, CodingUserInfoKey(rawValue: "x") == CodingUserInfoKey(rawValue: "x"))

// What code that is generic over containers by keys finds in those of the library.
enum Place: String, CodingKey, CaseIterable { case a, b, c, d, e }
final class Shared: Codable { var n = 5 }
extension KeyedEncodingContainerProtocol where Key == Place {
  mutating func everything<I: FixedWidthInteger & Codable>(_ i: I, _ text: String, _ none: String?, _ shared: Shared) throws {
    try encode(i, forKey: .a); try encode(text, forKey: .b); try encodeNil(forKey: .c)
    try encodeIfPresent(none, forKey: .d); try encodeIfPresent(Optional(i), forKey: .d); try encodeConditional(shared, forKey: .e)
    var inner = nestedContainer(keyedBy: Place.self, forKey: .e)
    try inner.numbers()
    var list = nestedUnkeyedContainer(forKey: .d)
    try list.encode(true)
    try 1.encode(to: superEncoder()); try 2.encode(to: superEncoder(forKey: .c))
    print(codingPath.map(\.stringValue))
  }
  mutating func numbers() throws {
    try encode(true, forKey: .a); try encode(0.5, forKey: .b); try encode(Float(0.25), forKey: .c); try encode(Int8(-8), forKey: .d); try encode(UInt16(16), forKey: .e)
    try encodeIfPresent(Bool?.none, forKey: .a); try encodeIfPresent(Double?(1.5), forKey: .b); try encodeIfPresent(Int?(7), forKey: .c); try encodeIfPresent(UInt64?.none, forKey: .d)
  }
}
extension KeyedDecodingContainerProtocol where Key == Place {
  func everything<I: FixedWidthInteger & Codable>(_ t: I.Type) throws {
    print(codingPath.count, allKeys.map(\.rawValue).sorted(), contains(.a), contains(.c))
    print(try decode(t, forKey: .a), try decode(String.self, forKey: .b), try decodeNil(forKey: .c), try decodeIfPresent(t, forKey: .e) as Any)
    print(try decode(Int.self, forKey: .a), try decodeIfPresent(String.self, forKey: .b) as Any, try decodeIfPresent(Bool.self, forKey: .c) as Any, try decodeIfPresent(Int.self, forKey: .a) as Any)
    let inner = try nestedContainer(keyedBy: Place.self, forKey: .d)
    try print(inner.decode(Bool.self, forKey: .a), inner.numbers(), Int(from: superDecoder(forKey: .a)), nestedUnkeyedContainer(forKey: .e).count!)
    throw DecodingError.dataCorruptedError(forKey: .e, in: self, debugDescription: "enough")
  }
  func numbers() throws -> (Double, Float, Int8, UInt16?, Double?) {
    try (decode(Double.self, forKey: .b), decode(Float.self, forKey: .b), decode(Int8.self, forKey: .c), decodeIfPresent(UInt16.self, forKey: .c), decodeIfPresent(Double.self, forKey: .e))
  }
}
struct Generic: Codable {
  init() {}
  func encode(to encoder: any Encoder) throws {
    var c = encoder.container(keyedBy: Place.self)
    try c.everything(Int32(32), "text", nil, Shared())
  }
  init(from decoder: any Decoder) throws { try decoder.container(keyedBy: Place.self).everything(UInt8.self) }
}
print(try encoded(Generic()))
failing(Generic.self, .table([("a", .int(8)), ("b", .text("t")), ("c", .null), ("d", .table([("a", .bool(true)), ("b", .double(0.5)), ("c", .int(3))])), ("e", .null)]))
failing(Generic.self, .table([("a", .int(8)), ("b", .text("t")), ("c", .null), ("d", .table([("a", .bool(false)), ("b", .double(0.5)), ("c", .int(3))]))]))
