// Keys whose raw value is no number: optionals, objects and arrays; and the path of an error inside an array.
enum Ev<E: Hashable>: RawRepresentable, Hashable {
  case some(E), any
  init(rawValue: E?) { if let r = rawValue { self = .some(r) } else { self = .any } }
  var rawValue: E? { if case .some(let e) = self { return e } else { return nil } }
}
final class K: Hashable {
  let s: String
  init(_ s: String) { self.s = s }
  static func == (a: K, b: K) -> Bool { a.s == b.s }
  func hash(into h: inout Hasher) { h.combine(s) }
  deinit { print("gone", s) }
}
var d: [Ev<String>: Int] = [:]
for (i, s) in ["one quite long key that is on the heap", "two", "one quite long key that is on the heap"].enumerated() { d[.some(s), default: 0] += i + 1 }
d[.any] = 9
print(d[.some("two")]!, d[.any]!, d[.some("one quite long key that is on the heap")]!, d.count)
var e: [Ev<K>: Int] = [.some(K("a")): 1]
print(e[.some(K("a"))]!, Ev.some(K("b")).hashValue == Ev.some(K("b")).hashValue)
e = [:]
var f: Set<Ev<[String]>> = [.some(["x", "y"]), .any, .some(["x", "y"])]
print(f.count, f.contains(.some(["x", "y"])), f.contains(.some([])), Ev<[Int]>.any._rawHashValue(seed: 1) == Ev<[Int]>.any._rawHashValue(seed: 1))
struct Box: UnkeyedDecodingContainer {
  var codingPath: [CodingKey] = []
  var count: Int? = 3
  var isAtEnd = false
  var currentIndex = 2
  mutating func decodeNil() throws -> Bool { false }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { throw DecodingError.dataCorruptedError(in: self, debugDescription: "no \(T.self)") }
  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws -> KeyedDecodingContainer<N> { fatalError() }
  mutating func nestedUnkeyedContainer() throws -> UnkeyedDecodingContainer { fatalError() }
  mutating func superDecoder() throws -> Decoder { fatalError() }
}
do { var b = Box(); _ = try b.decode(Int.self) } catch DecodingError.dataCorrupted(let c) {
  print(c.codingPath.count, c.codingPath[0].intValue!, c.codingPath[0].stringValue, c.codingPath[0], c.debugDescription, type(of: c.codingPath[0]))
  print(c)
  debugPrint(c.codingPath[0])
}
