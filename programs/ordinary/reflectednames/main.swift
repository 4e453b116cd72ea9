// Names of types that are private, nested in extensions, or metatypes; hash values and strings that the library makes by the program's own code.

private struct Hidden { var n = 1 }
class Outer<T> {}
extension Outer { struct Plain {} }
extension Outer where T == Int { struct Special<U> {} }

let name = String(reflecting: Hidden.self)
print(name.prefix(6), name.suffix(8), String(describing: Hidden.self), Hidden())
print(String(reflecting: Outer<String>.Plain.self))
print(String(reflecting: Outer<Int>.Special<Bool>.self))
print(String(reflecting: Any.Type.self), String(reflecting: Any.Protocol.self), String(describing: type(of: Any.self)))

struct Level: RawRepresentable, Hashable {
  var rawValue: String
  func hash(into hasher: inout Hasher) { hasher.combine(23) }
}
func hashed<T: Hashable>(_ x: T) -> Int { x.hashValue }
print(hashed(Level(rawValue: "a")) == hashed(Level(rawValue: "b")), Level(rawValue: "a").hashValue == 23.hashValue)

let good: [CChar] = [104, 105, 0], bad: [CChar] = [-1, 105, 0]
print(String(validatingCString: good) ?? "none", String(validatingCString: bad) ?? "none")
good.withUnsafeBufferPointer { print(String(validatingCString: $0.baseAddress!)!.count) }
