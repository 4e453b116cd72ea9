func mk() -> (Int) -> Int { var t = 0; return { t += $0; return t } }
let f = mk(), g = mk()
print(f(1), f(2), g(10), f(3))
var x = 1
let cap = { [x] in x }
let byref = { x }
x = 5
print(cap(), byref())
class C { var n = 1; lazy var cl: () -> Int = { [weak self] in self?.n ?? -1 }; lazy var un: () -> Int = { [unowned self] in self.n }; deinit { print("~C") } }
var c: C? = C()
let w = c!.cl
print(w(), c!.un())
c = nil
print(w())
func auto(_ b: @autoclosure () -> Bool, _ s: @autoclosure @escaping () -> String) -> () -> String { b() ? s : { "no" } }
var calls = 0
func se() -> String { calls += 1; return "s\(calls)" }
let au = auto(true, se())
print(calls, au(), au(), auto(false, se())())
func compose<A, B, D>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> D) -> (A) -> D { { g(f($0)) } }
print(compose({ $0 * 2 }, { "<\($0)>" })(4), [1, 2, 3].map(compose({ $0 + 1 }, { $0 * $0 })))
infix operator >>>: AdditionPrecedence
func >>> <A, B, D>(f: @escaping (A) -> B, g: @escaping (B) -> D) -> (A) -> D { compose(f, g) }
print((String.init(describing:) >>> { $0.count })(12345))
let curried = { (a: Int) in { (b: Int) in a - b } }
print(curried(5)(3))
let m = String.uppercased
print(m("abc")(), [1, 2].map(Optional.some), ["1", "b"].map { Int($0) }, zip([1, 2], [3, 4]).map(+), [3, 1, 2].sorted(by: >))
func rec(_ n: Int) -> Int { func inner(_ k: Int) -> Int { k <= 1 ? 1 : k * outer(k - 1) }; func outer(_ k: Int) -> Int { inner(k) }; return inner(n) }
print(rec(10))
let fixf: (Int) -> Int = { n in var r = 0; func go(_ i: Int) { if i > 0 { r += i; go(i - 1) } }; go(n); return r }
print(fixf(10))
var arr: [() -> Int] = []
for i in 0..<3 { arr.append { i * i } }
print(arr.map { $0() })
func esc(_ f: () -> Void) { withoutActuallyEscaping(f) { let h = $0; h() } }
esc { print("esc") }
func def(_ a: Int = 1, _ b: String = "b", rest: Int...) -> String { "\(a)\(b)\(rest)" }
print(def(), def(2), def(3, "c", rest: 1, 2))
func io(_ a: inout [Int], _ f: (inout Int) -> Void) { for i in a.indices { f(&a[i]) } }
var ia = [1, 2]
io(&ia) { $0 *= 10 }
print(ia)
let thr: () throws -> Int = { throw E.x }
enum E: Error { case x }
do { _ = try thr() } catch { print(error) }
func re(_ f: () throws -> Int) rethrows -> Int { try f() + 1 }
print(re { 1 }, (try? re { throw E.x }) as Any)
print({ (a: Int, b: Int) -> Int in a + b }(1, 2), { $0 + $1 }(3, 4), ((1...3).map { i in { i * 2 } }).map { $0() })
typealias F = (Int) -> Int
let dict: [String: F] = ["d": { $0 * 2 }, "n": { -$0 }]
print(dict["d"]!(4), dict["n"]!(4))
struct St { var f: (inout Int) -> Void; func run(_ i: Int) -> Int { var i = i; f(&i); return i } }
print(St { $0 += 5 }.run(1))
func gen<T>(_ t: T) -> () -> T { { t } }
print(gen(4)(), gen("x")(), gen([1])())
@discardableResult func dis() -> Int { 4 }
dis()
let opt: (() -> Int)? = nil
print(opt?() as Any)
