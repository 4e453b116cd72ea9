// Names, casts and values of functions with variadic parameters.
protocol P {}
typealias F6 = (Int...) -> ()
typealias F7 = (inout Int, String...) async throws -> Int
enum MyErr: Error { case a }
typealias F8 = @Sendable (Int) throws(MyErr) -> (a: Int, b: (String...) -> ())
print(F6.self, F7.self, F8.self, [F6].self, (F6?).self)
print(_typeName(F6.self), _typeName(F7.self))
func g<T>(_ t: T.Type) { print(t, String(reflecting: t)) }
g(F6.self); g(F7.self); g(F8.self); g([F6].self)
typealias F9 = (Any...) -> Any
g(F9.self)
let f: (Int...) -> () = { (x: Int...) in print(x) }
print(type(of: f)); g(type(of: f))
let a: Any = f
print(a is (Int...) -> (), a is ([Int]) -> (), a is (Int) -> ())
if let h = a as? (Int...) -> () { h(1, 2, 3) }
print(F6.self == (([Int]) -> ()).self, F6.self == ((Int) -> ()).self)
