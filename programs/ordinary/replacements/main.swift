// Functions that others replace when the program starts, also behind vtables and witness tables; a replacement calls what it replaced.

protocol Shape { associatedtype Name; func name() -> Name }
struct Square: Shape { func name() -> String { "square" } }

dynamic func greet(_ s: String) -> String { "hello \(s)" }
extension Int { dynamic var doubled: Int { self * 2 } }
dynamic func identity<T>(_ t: T) -> T { print("plain", T.self); return t }
dynamic func shape() -> some Shape { Square() }
dynamic func other() -> some Shape { Square() }

class Animal { dynamic func sound() -> String { "…" } }
final class Dog: Animal { override dynamic func sound() -> String { "woof" } }

@_dynamicReplacement(for: greet(_:)) func greetLoudly(_ s: String) -> String { greet(s) + "!" }
extension Int { @_dynamicReplacement(for: doubled) var doubledMore: Int { doubled + 1 } }
@_dynamicReplacement(for: identity(_:)) func identityLogged<T>(_ t: T) -> T { print("logged"); return identity(t) }
@_dynamicReplacement(for: other()) func otherReplaced() -> some Shape { print("replaced"); return Square() }
extension Animal { @_dynamicReplacement(for: sound()) func soundReplaced() -> String { "[" + sound() + "]" } }

print(greet("you"), 5.doubled, identity("x"))
let f = greet
print(["a", "b"].map(f))
print(shape().name(), other().name())
for a in [Animal(), Dog()] { print(a.sound()) }
