@propertyWrapper struct Logged<T> { private var v: T; let label: String; var projectedValue: String { "\(label)=\(v)" }; init(wrappedValue: T, _ label: String = "x") { v = wrappedValue; self.label = label; print("init", label, wrappedValue) }; var wrappedValue: T { get { print("get", label); return v } set { print("set", label, newValue); v = newValue } } }
struct S { @Logged var a = 1; @Logged("bb") var b = "q"; @Logged(wrappedValue: [1], "cc") var c: [Int] }
var s = S(); s.a += 1; s.b.append("z"); s.c.append(2); print(s.$a, s.$b, s.$c)
class Obs { var x = 0 { willSet { print("will", x, newValue) } didSet { print("did", oldValue, x) } }; lazy var l: [Int] = { print("lazy"); return [1, 2] }(); static let st: Int = { print("static"); return 9 }(); var comp: Int { get { x * 2 } set { x = newValue / 2 } }; subscript(i: Int) -> Int { get { i + x } set { x = newValue - i } } }
let o = Obs(); o.x = 5; o.x += 1; o.l.append(3); print(o.l, Obs.st, Obs.st); o.comp = 20; print(o.x, o[3]); o[1] = 4; o[1] += 1; print(o.comp)
struct Arr { var a: [Int] { didSet { print("arr", a) } } }; var ar = Arr(a: [1]); ar.a.append(2); ar.a[0] = 9; ar.a.swapAt(0, 1)
func modify(_ x: inout Int) { x += 100 }; modify(&o.x); modify(&ar.a[0]); swap(&ar.a[0], &o.x)
@propertyWrapper final class Ref<T> { var wrappedValue: T; init(wrappedValue: T) { self.wrappedValue = wrappedValue } ; var projectedValue: Ref<T> { self } }
struct Sh { @Ref var n = 1 }; let s1 = Sh(); let s2 = s1; s2.n = 5; print(s1.n, s1.$n === s2.$n)
func local() { @Logged("loc") var q = 3; q += 1; print(q, $q) }; local()
@resultBuilder enum B { static func buildBlock(_ c: [String]...) -> [String] { c.flatMap { $0 } }; static func buildExpression(_ s: String) -> [String] { [s] }; static func buildOptional(_ c: [String]?) -> [String] { c ?? ["-"] }; static func buildEither(first c: [String]) -> [String] { ["T"] + c }; static func buildEither(second c: [String]) -> [String] { ["F"] + c }; static func buildArray(_ c: [[String]]) -> [String] { c.flatMap { $0 } } }
func build(@B _ f: () -> [String]) -> String { f().joined(separator: " ") }
for f in [true, false] { print(build { "a"; if f { "yes" }; if f { "1" } else { "2" }; for i in 0..<3 { "i\(i)" } }) }
@dynamicMemberLookup struct Dyn { var d: [String: Int]; subscript(dynamicMember k: String) -> Int { get { d[k] ?? -1 } set { d[k] = newValue } } }; var dy = Dyn(d: ["a": 1]); dy.b = 5; print(dy.a, dy.b, dy.zzz)
@dynamicCallable struct Call { func dynamicallyCall(withArguments a: [Int]) -> Int { a.reduce(0, +) }; func dynamicallyCall(withKeywordArguments a: KeyValuePairs<String, Int>) -> String { a.map { "\($0.key):\($0.value)" }.joined(separator: ",") } }; print(Call()(1, 2, 3), Call()(x: 1, y: 2)); struct CF { func callAsFunction(_ x: Int) -> Int { x * 3 } }; print(CF()(4))
