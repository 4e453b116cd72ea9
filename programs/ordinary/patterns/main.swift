indirect enum T { case n(Int), p(T?, T?), s(String), z; case w(T) }
func m(_ t: T) -> String { switch t { case .n(0): "zero"; case .n(let x) where x < 0: "neg \(x)"; case .n(1...9): "digit"; case .n: "num"; case .p(nil, nil): "empty"; case .p(.some(let a), nil): "left \(m(a))"; case .p(let a?, let b?): "both \(m(a)) \(m(b))"; case .p(nil, _?): "right"; case .s("hi"), .s("hello"): "greet"; case .s(let s): "s:\(s)"; case .w(let t): "w \(m(t))"; case .z: "z" } }
for t in [T.n(0), .n(-4), .n(7), .n(70), .p(nil, nil), .p(.z, nil), .p(.n(1), .s("hi")), .p(nil, .z), .s("hello"), .s("q"), .w(.z), .w(.w(.w(.z)))] { print(m(t)) }
func tup(_ p: (Int, Int)) -> String { switch p { case (0, 0): "origin"; case (_, 0): "x axis"; case (0, let y): "y \(y)"; case let (x, y) where x == y: "diag"; case (-2...2, -2...2): "near"; case (..<0, _): "left"; default: "far" } }
print([(0, 0), (1, 0), (0, 5), (3, 3), (1, 2), (-9, 1), (9, 8)].map(tup))
let os: [Int?] = [1, nil, 3]
for case let x? in os { print(x, terminator: " ") }
for case .some(let x) in os where x > 1 { print(x) }
if case let x? = os[0], case 1...5 = x, x != 2 { print("in") }
guard case .some = os[2] else { fatalError() }
if case let x?? = os.first, x > 5 { print(x) }
switch "abc" { case "a"..."b": print("range"); case let s where s.hasPrefix("ab"): print("prefix"); default: print("d") }
switch 5 { case 1, 2, 3: print("low"); case 4...: print("high"); default: break }
switch ("x" as Character) { case "a"..."m": print("1st"); case "n"..."z": print("2nd"); default: print("?") }
switch 3.7 { case ..<0: print("neg"); case 0..<4: print("small"); default: print("big") }
func ~= (p: (Int) -> Bool, v: Int) -> Bool { p(v) }
let even = { (n: Int) in n % 2 == 0 }
switch 8 { case even: print("even"); default: print("odd") }
struct Rg { var r: [Int] }
func ~= (p: Rg, v: Int) -> Bool { p.r.contains(v) }
switch 5 { case Rg(r: [1, 5]): print("in Rg"); default: print("no") }
outer: for i in 0..<5 { for j in 0..<5 { if j == 3 { continue outer }; if i == 2 { break outer }; print(i, j, terminator: ";") } }
print()
var k = 0
lp: repeat { k += 1; switch k { case 3: continue lp; case 6: break lp; default: print(k, terminator: " ") } } while k < 10
print(k)
switch 1 { case 1: print("one"); fallthrough; case 2: print("two"); default: print("d") }
let v = if k > 5 { "big" } else { "small" }
let sw = switch k { case 0: 0.0; case 1...6: 1.5; default: 2.0 }
print(v, sw)
indirect enum Ex { case lit(Int), add(Ex, Ex), mul(Ex, Ex), neg(Ex) }
func ev(_ e: Ex) -> Int { switch e { case let .lit(n): n; case let .add(a, b): ev(a) + ev(b); case .mul(let a, let b): ev(a) * ev(b); case .neg(let a): -ev(a) } }
print(ev(.add(.lit(2), .mul(.lit(3), .neg(.lit(4))))), Ex.add(.lit(1), .neg(.lit(2))))
let (a, (b, c), _) = (1, ("x", 2.5), true)
print(a, b, c)
if case (let q, "x") = (5, "x") { print(q) }
let any: Any = [1, "two", 3.0] as [Any]
if case let arr as [Any] = any { for e in arr { switch e { case 1 as Int: print("one"); case let s as String: print(s); case is Double: print("dbl"); default: break } } }
switch (1, nil as Int?) { case (let x, .none): print("none", x); case (_, .some): print("some") }
enum Cs: CaseIterable { case p, q, r }
print(Cs.allCases, Cs.allCases.count, Cs.p == .q)
extension Cs { var next: Cs { let a = Self.allCases; return a[(a.firstIndex(of: self)! + 1) % a.count] } }
print(Cs.r.next)
