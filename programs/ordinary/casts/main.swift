// Dynamic casts: classes, existentials, Optionals, tuples, functions, arrays, AnyHashable.

class Animal { let name: String; init(_ name: String) { self.name = name } }
class Dog: Animal {}
final class Puppy: Dog {}
protocol Pet: AnyObject { var tag: Int { get } }
extension Dog: Pet { var tag: Int { name.count } }
protocol Scored { func score() -> Int }
extension Int: Scored { func score() -> Int { self * 10 } }
extension Animal: Scored { func score() -> Int { 7 } }
struct Pair<A, B> { var a: A; var b: B }
extension Pair: Scored where A: Scored, B: Scored { func score() -> Int { a.score() + b.score() } }
struct Wide: Equatable { var a = 1, b = 2, c = 3, d = 4 }
enum Mode: Int { case slow = 3, fast }
enum Failure: Error { case bad(Int), worse }

@inline(never) func describe(_ x: Any) -> String {
    switch x {
    case let n as Int: return "Int \(n)"
    case let s as String: return "String \(s)"
    case let d as Double: return "Double \(d)"
    case let p as Puppy: return "Puppy \(p.name)"
    case let p as any Pet: return "Pet \(p.tag)"
    case let a as Animal: return "Animal \(a.name)"
    case let m as Mode: return "Mode \(m.rawValue)"
    case let (a, b) as (Int, String): return "pair \(a) \(b)"
    case let f as (Int) -> Int: return "function \(f(20))"
    case let w as Wide: return "Wide \(w.d)"
    case let e as any Error: return "Error \(e)"
    case let s as any Scored: return "Scored \(s.score())"
    case let t as any Scored.Type: return "Scored type \(t)"
    case let t as Any.Type: return "type \(t)"
    case let a as [Int]: return "ints \(a)"
    case let a as [Any]: return "array of \(a.count)"
    case let o as Int?: return "optional \(o == nil)"
    default: return "other"
    }
}

@inline(never) func cast<T>(_ x: Any, to: T.Type) -> T? { x as? T }
@inline(never) func isA<T, U>(_ x: T, _ type: U.Type) -> Bool { x is U }

let things: [Any] = [
    1, "two", 3.5, Puppy("Rex"), Dog("Bo"), Animal("Cat"), Mode.fast, (4, "four"), { (n: Int) -> Int in n + 1 }, Wide(),
    Failure.bad(5), Pair(a: 1, b: 2), Pair(a: "x", b: 2), Int.self, String.self, [1, 2], ["a"] as [Any], Optional<Int>.none as Any,
    Optional<Int>.some(8) as Any, Dog.self,
]
for t in things { print(describe(t)) }

// Optionals on both sides keep the depth of nil.
print(cast(4, to: Int?.self) as Any, cast(4, to: Int??.self) as Any)
print(cast(Optional<Int>.none as Any, to: Int??.self) as Any)
print(cast(Optional<Int?>.none as Any, to: Int??.self) as Any)
print(cast(Optional<Int?>.some(.none) as Any, to: Int?.self) as Any)
print(cast(Optional<Int>.none as Any, to: Int.self) as Any)
print(cast(Optional<Int>.some(3) as Any, to: (any Scored).self)?.score() as Any)
print(cast(Optional<Int>.some(3) as Any, to: Any?.self) as Any)

// Static types that say less than the value.
print(isA(Dog("a"), Puppy.self), isA(Puppy("a") as Dog, Puppy.self), isA(Puppy("b") as Animal, (any Pet).self))
print(isA(3, (any Scored).self), isA(2.5, (any Scored).self), isA(Pair(a: 1, b: 2), (any Scored).self), isA(Pair(a: 1, b: 2.5), (any Scored).self))
print(isA(Int.self, Any.Type.self), isA(Dog.self, Animal.Type.self), isA(Animal.self as Animal.Type, Dog.Type.self), isA(Int.self, (any Scored.Type).self))
print(isA((1, 2), (Int, Any).self), isA((a: 1, b: 2), (Int, Int).self), isA((a: 1, b: 2), (a: Int, c: Int).self))

// Errors.
@inline(never) func fail(_ n: Int) throws -> Int {
    if n == 0 { throw Failure.worse }
    if n < 0 { throw Failure.bad(n) }
    return n
}
for n in [1, 0, -4] {
    do { print(try fail(n)) } catch Failure.bad(let k) { print("bad", k) } catch let e as Failure { print("failure", e) } catch { print("?", error) }
}
let e: any Error = Failure.bad(9)
print(e as? Failure == nil, cast(e, to: Failure.self) as Any, cast(Failure.worse, to: (any Error).self) as Any)

// Collections and AnyHashable.
let mixed: [Any] = [1, 2, 3]
print(mixed as? [Int] as Any, mixed as? [String] as Any, (mixed as? [any Scored])?.map { $0.score() } as Any)
let animals: [Animal] = [Dog("x"), Puppy("yy")]
print((animals as? [Dog])?.map { $0.tag } as Any, (animals as? [Puppy])?.count as Any, (animals as [AnyObject]).count)
let keys: [AnyHashable] = [1, "one", 1.5, Mode.slow]
print(keys.map { $0 as? Int }, keys.compactMap { $0.base as? String }, keys[0] == AnyHashable(1), keys[3].base as? Mode == .slow)
print(cast(3, to: AnyHashable.self) as Any, cast(AnyHashable("k"), to: String.self) as Any, cast(Wide(), to: AnyHashable.self) as Any)
// An Optional goes into an AnyHashable without its wrapping, unless it is nil.
for x in [Optional(4) as Any, Optional<Int>.none as Any, Optional(Optional(5)) as Any] {
  print((x as? AnyHashable).map { "\($0.base) \(type(of: $0.base))" } ?? "no")
}
