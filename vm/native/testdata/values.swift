// Values of many types in Any, interpolation and debugPrint.
struct Stderr: TextOutputStream { mutating func write(_ s: String) {} }
func dumpAll(_ xs: [Any]) { for x in xs { print(x, type(of: x), separator: ": ") } }
dumpAll([1, "s", 2.5, [1], ["a": 1], (1, 2), Optional(1) as Any, Int.self, Set([1]), "c" as Character, UInt8(3), Float(1.5), { () -> Int in 1 }, 1...3, [1, 2][0...], "abc".dropFirst(), [1: [2: 3]]])
enum Planet: Int, CaseIterable, Comparable { case mercury = 1, venus, earth; static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }; var mass: Double { [3.3e23, 4.87e24, 5.97e24][rawValue - 1] } }
print(Planet.allCases.map { "\($0) \($0.mass)" }, Planet.earth > .venus, Planet.allCases.max()!, Planet(rawValue: 9) as Any)
func multi() -> (Int, String, [Double]?) { (1, "x", nil) }; print(multi(), multi().2 as Any)
struct Nested { struct Inner { enum Deep { case x(Inner2), y }; struct Inner2 { var v: [Deep?] = [] } }; var i: Inner.Deep = .x(Inner.Inner2(v: [.y, nil])) }; print(Nested(), Nested.Inner.Deep.self)
class Gen<T> { var v: T; init(_ v: T) { self.v = v } }; print(Gen(1), Gen("x"), [Gen<Int>](), type(of: Gen([1])))
struct Rec { let name: String; var kids: [Rec] }; print(Rec(name: "a", kids: [Rec(name: "b", kids: [])]))
let bigArr = Array(0..<30); print(bigArr); print(bigArr.description.count, "\(bigArr.map { [$0] })".count)
print([1.0, 2.0].description, ["a": [1, 2]].description, (1...3).description, "x".description, 5.description, true.description, [nil, 1].description, Optional("x").debugDescription)
let err: Error = Planet2.gone("x"); enum Planet2: Error { case gone(String), other }; print(err, "\(err)", (err as? Planet2).map { "\($0)" } ?? "")
do { throw Planet2.other } catch let e where e is Planet2 { print("P2", e) }
print("a" + "b" as Any, ("a", 1) as Any, [("k", 1)] as Any, (nil as String?) as Any)
print(1, 2, 3, separator: ", "); print("no newline", terminator: ""); print(); print("", "x", "", separator: "|"); print([String]()); print([[Int]]()); print([""]); print(["\n", "\"", "\\", "é", "\u{7}"])
debugPrint("a\tb", 1, [1.5], ["k": "v"], Planet.earth, Nested.Inner.Deep.y); debugPrint(); debugPrint("x", terminator: "!\n")
var str = ""; print("to string", 1, to: &str); debugPrint(["x"], to: &str); print(str, str.count)
print("\(1, default2: "z")"); extension String.StringInterpolation { mutating func appendInterpolation(_ i: Int, default2: String) { appendLiteral("<\(i)\(default2)>") } }
print("pad: \(String(7).leftPad(3))|"); extension String { func leftPad(_ n: Int) -> String { String(repeating: " ", count: Swift.max(0, n - count)) + self } }
print("emoji 👨‍👩‍👧 \("flag 🇫🇷".count) \("e\u{301}".count)", "multi\nline", #"raw\n"#)
print(Int("12")! + (Int("x") ?? 1), Double("2.5")!, Bool("true")!, Character("x"), String(12), String(2.5), String(true), String("c" as Character), String([Character]("abc")), String(describing: 1), String(UInt8(200), radix: 2), [1, 2].map(String.init), Array("ab"), Array(1...3), Set("aab").count)
print(0.1, 0.1 + 0.2, 1e300 * 10, 1e-320, 100.0, 1e15, 1e16, 123456789012345678.0, Float(0.1) + Float(0.2), 2.0 / 3, Float(2) / 3, 1 / 3.0 as Float, Double(Float(0.1)), -1.5e-9, 5e-324, 1.7976931348623157e308)
