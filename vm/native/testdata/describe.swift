// How print and debugPrint show values.
enum E { case a, b(Int), c(x: Int), d(x: Int, y: String), e((Int, Int)), f(Int, String); indirect case g(E) }
print(E.a, E.b(1), E.c(x: 1), E.d(x: 1, y: "q\"\n\t\u{1}é\u{301}\\"), E.e((1, 2)), E.f(3, "z"), E.g(.c(x: 2)))
debugPrint(E.a, E.b(1), E.c(x: 1), E.d(x: 1, y: "q\"\n"), E.e((1, 2)), E.f(3, "z"), E.g(.c(x: 2)))
struct S { var a = 1; var b = "x"; var c: Character = "c"; var d: Double = 1; var e: Float = 2.5; var o: Int? = nil; var o2: Int? = 3; var o3: Int?? = .some(nil); var u: Unicode.Scalar = "u"; var r = 1..<3; var cr = 1...3; var p = 1..., q = ...4, v = ..<5 }
print(S()); debugPrint(S())
class C { var x = 1 }
class D: C {}
struct Em {}
struct G<T, U> { var t: T; var u: U }
print(G(t: 1, u: "s"), Em(), E.self, G<Int, [String: Double?]>.self, type(of: [1: [2.0]]))
debugPrint(G(t: 1, u: "s"), Em(), E.self, G<Int, [String: Double?]>.self)
let c: C = D()
print(c, [c], (1, "a"), (x: 1, y: ("q", 2.0)), [(1, "z")], ["a", "b"], [Optional(1), nil], ["k": 1], Set([3]), [1: "a"], [String: Int](), [Int](), Set<Int>())
debugPrint(c, [c], (1, "a"), (x: 1, y: ("q", 2.0)), [(1, "z")], ["a", "b"], [Optional(1), nil], ["k": 1], Set([3]), [1: "a"], [String: Int](), [Int](), Set<Int>())
let f: (Int) -> Int = { $0 }
print(f, f as Any, [f])
print([1, 2, 3][1...], ContiguousArray([1, 2]), "abc".dropFirst(), 1 as Any, "é" as Character, [Character("a")], Substring("hi"), ["hi".dropFirst()])
debugPrint([1, 2, 3][1...], ContiguousArray([1, 2]), "abc".dropFirst(), 1 as Any, "é" as Character, [Character("a")], Substring("hi"), ["hi".dropFirst()])
print(stride(from: 0, to: 3, by: 1), [1, 2].enumerated(), zip([1], [2]), [3].reversed(), "abc".utf8, "abc".unicodeScalars, "abc".utf16, repeatElement(1, count: 2), CollectionOfOne(1), (0..<3).reversed())
print(Int8(-3), UInt64.max, Int.min, true, [true], (), [()], Void.self, Int?.none as Any, Optional<Optional<Int>>.some(nil) as Any)
protocol P {}
extension Int: P {}
let p: any P = 3
struct MyErr: Error { var code: Int }
struct HP { var p: any P; var a: Any; var t: Any.Type; var e: any Error; var ao: AnyObject; weak var w: C?; unowned var un: C; var clo: () -> Void; var tup: (Int, b: Int) }
print(HP(p: p, a: "s", t: Int.self, e: MyErr(code: 3), ao: c, w: c, un: c, clo: {}, tup: (1, 2)))
print(MyErr(code: 4) as Error, ["a": [1.5]], [[1], [2, 3]], Optional([1, 2]) as Any, [Any?]([1, nil, "x"]))
print(Int.self, Optional<Int>.self, [Int].self, (Int, String).self, ((Int) -> String).self, Any.self, AnyObject.self, P.self, C.Type.self, E?.self)
print(String(describing: Optional("x")), String(reflecting: "x"), String(reflecting: c), String(reflecting: S.self))
struct W: CustomStringConvertible { var description: String { "W!" } }
struct DW: CustomDebugStringConvertible { var debugDescription: String { "DW!" } }
struct BW: CustomStringConvertible, CustomDebugStringConvertible { var description: String { "BW" }; var debugDescription: String { "BWd" } }
struct TW: TextOutputStreamable { func write<T: TextOutputStream>(to t: inout T) { t.write("TW"); t.write("2") } }
print(W(), [W()], DW(), [DW()], BW(), [BW()], TW(), [TW()], Optional(BW()) as Any, (BW(), TW()))
debugPrint(W(), [W()], DW(), [DW()], BW(), [BW()], TW(), [TW()], Optional(BW()) as Any, (BW(), TW()))
class CW: CustomStringConvertible { var description: String { "CW" } }
class CX: CW { override var description: String { print("<in description>", terminator: ""); return "CX" } }
let cc: CW = CX()
print(cc, [cc], ["k": cc])
enum EE: Int { case a = 1, b }
enum ES: String, CustomStringConvertible { case x; var description: String { "ES" } }
print(EE.a, EE.a.rawValue, ES.x, [ES.x], EE(rawValue: 2) as Any, EE(rawValue: 5) as Any)
struct OS: OptionSet { let rawValue: Int; static let a = OS(rawValue: 1) }
enum GG<T> { case some2(T), none2 }
enum VV { case v(()), w(Void, Int) }
print(OS.a, [OS.a], GG.some2(1), GG<Int>.none2, GG.some2((1, 2)), GG.some2(()), VV.v(()), VV.w((), 1))
struct Out: TextOutputStream { var parts: [String] = []; mutating func write(_ s: String) { parts.append(s) } }
var o = Out()
print(1, "two", [3, 4], Em(), G(t: 1, u: W()), separator: "-", terminator: ".", to: &o)
print(E.b(1), E.c(x: 2), E.a, W(), [W()], to: &o)
debugPrint("x", Em(), E.a, Optional(W()) as Any, (1, b: W()), c, to: &o)
print(to: &o); print("\(1)\(W())", to: &o)
print(o.parts)
var list = E.a
for _ in 0..<2000 { list = .g(list) }
print("\(list)".utf8.count)
