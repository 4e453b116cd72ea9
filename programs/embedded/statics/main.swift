// Static members, metatypes of Self, nested types with defaults.
struct Outer { struct Inner { enum Deep: Int { case a = 5, b; static let def = Deep.b }; var d = Deep.def }; var i = Inner(); typealias X = Inner.Deep; static subscript(k: Int) -> X { X(rawValue: k) ?? .a } }
print(Outer().i.d.rawValue); print(Outer[5].rawValue); print(Outer[9].rawValue)
protocol Counter: AnyObject { var n: Int { get set }; static var made: Int { get set }; init(); func bump() }
extension Counter { func bump() { n += 1 }; static func make() -> Self { made += 1; return Self() } }
final class C1: Counter { var n = 0; static var made = 0; init() {} }
final class C2: Counter { var n = 100; static var made = 50; init() {}; func bump() { n += 10 } }
@inline(never) func use<C: Counter>(_ t: C.Type) -> Int { let c = C.make(); for _ in 0..<3 { c.bump() }; return c.n + C.made }
print(use(C1.self)); print(use(C2.self)); print(use(C1.self))
class Base { class var tag: Int { 1 }; static func st() -> Int { 10 }; class func cl() -> Int { 100 + tag }; var total: Int { Self.cl() + type(of: self).tag }; init() {}; func me() -> Self { self } }
class Der: Base { override class var tag: Int { 2 }; override class func cl() -> Int { super.cl() * 2 } }
print(Base().total); print(Der().total); print(Der.st()); print(Der().me().total); let ty: Base.Type = Der.self; print(ty.cl()); print(ty.init0())
extension Base { class func init0() -> Int { tag * 7 } }
