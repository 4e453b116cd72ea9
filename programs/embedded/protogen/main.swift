// Protocols with associated types, static requirements, operators and conditional conformances, specialized.
protocol Shape { associatedtype Unit: BinaryInteger; func area() -> Unit; static var sides: Int { get } ; var scale: Unit { get set } }
extension Shape { func double() -> Unit { area() * 2 }; mutating func grow() { scale += 1 } }
struct Sq: Shape { var scale = 2; func area() -> Int { scale * scale }; static var sides: Int { 4 } }
struct Tri: Shape { var scale: UInt8 = 3; func area() -> UInt8 { scale * 2 }; static let sides = 3 }
final class Circle: Shape { var scale: Int16 = 5; func area() -> Int16 { scale * 3 }; static var sides: Int { 0 }; deinit { print("circle gone") } }
func total<S: Shape>(_ xs: [S]) -> Int { xs.reduce(0) { $0 + Int($1.area()) } + S.sides }
print(total([Sq(), Sq(scale: 3)])); print(total([Tri()]))
func use() { var c = Circle(); c.grow(); print(c.double()); print(total([c, c])) }
use()
struct Pair<A: Shape, B: Shape>: Shape where A.Unit == B.Unit { var a: A, b: B; func area() -> A.Unit { a.area() + b.area() }; static var sides: Int { A.sides + B.sides }; var scale: A.Unit { get { a.scale } set { a.scale = newValue; b.scale = newValue } } }
var p = Pair(a: Sq(), b: Pair(a: Sq(scale: 4), b: Sq(scale: 1)))
print(p.area()); p.grow(); print(p.area()); p.scale = 7; print(p.double()); print(total([p, p]))
protocol Monoid { static var unit: Self { get }; static func <> (a: Self, b: Self) -> Self }
infix operator <>: AdditionPrecedence
extension Int: Monoid { static var unit: Int { 0 }; static func <> (a: Int, b: Int) -> Int { a + b } }
extension Bool: Monoid { static var unit: Bool { true }; static func <> (a: Bool, b: Bool) -> Bool { a && b } }
extension Optional: Monoid where Wrapped: Monoid { static var unit: Wrapped? { nil }; static func <> (a: Wrapped?, b: Wrapped?) -> Wrapped? { switch (a, b) { case (nil, let x), (let x, nil): return x; case (let x?, let y?): return x <> y } } }
struct Both<A: Monoid, B: Monoid>: Monoid { var a: A, b: B; static var unit: Both { Both(a: .unit, b: .unit) }; static func <> (x: Both, y: Both) -> Both { Both(a: x.a <> y.a, b: x.b <> y.b) } }
func fold<M: Monoid>(_ xs: [M]) -> M { xs.reduce(.unit, <>) }
print(fold([1, 2, 3])); print(fold([true, false])); print(fold([nil, 4, nil, 5])!); let bb = fold([Both(a: 1, b: Optional(2)), Both(a: 3, b: nil)]); print(bb.a); print(bb.b!)
