// Labels of tuples around an expanded pack, and conformances under the condition that every element of a pack conforms.

protocol P { static func names() -> [String] }
struct G<each T> {}
extension G: P where repeat each T: P {
  static func names() -> [String] {
    var all: [String] = []
    repeat all += (each T).names()
    return all
  }
}
extension Int: P { static func names() -> [String] { ["Int"] } }
extension String: P { static func names() -> [String] { ["String"] } }

func isP<T>(_ value: T) -> Bool { value is any P }
func names<T>(_ value: T) -> [String]? { (value as? any P).map { type(of: $0).names() } }
print(isP(G< >()), isP(G<Int>()), isP(G<Int, String>()), isP(G<Bool>()), isP(G<Int, Bool>()))
print(names(G<Int, String>()) as Any, names(G<Bool, Int>()) as Any)

protocol Tuples { associatedtype Last; associatedtype First }
struct Labeled<each T>: Tuples {
  typealias Last = (repeat each T, x: Bool)
  typealias First = (x: Bool, repeat each T)
}
func last<T: Tuples>(_ t: T.Type) -> Any.Type { T.Last.self }
func first<T: Tuples>(_ t: T.Type) -> Any.Type { T.First.self }
print(last(Labeled<Int, String>.self), first(Labeled<Int, String>.self), last(Labeled<Int, String>.self) == (Int, String, x: Bool).self)
