class A { let n: Int; init(n: Int) { self.n = n; print("A.init", n) }
convenience init() { self.init(n: 7); print("A.conv") }
required init(r: String) { n = r.count; print("A.req") }
init?(maybe: Int) { if maybe < 0 { return nil }; n = maybe }
  deinit { print("A.deinit", n) } }
class B: A { let m: String; init(m: String) { self.m = m; super.init(n: m.count); print("B.init") }
required init(r: String) { m = r; super.init(r: r); print("B.req") }
override init?(maybe: Int) { m = "maybe"; super.init(maybe: maybe) }
  deinit { print("B.deinit", m) } }
struct Err: Error { var why: String }
class T { let x: A; var y: A?; init(fail: Bool) throws { x = A(n: 1); y = nil; if fail { throw Err(why: "T") }; y = A(n: 2) } ; deinit { print("T.deinit") } }
do { let a = A(); print(a.n); let b = B(m: "hey"); print(b.n, b.m); _ = A(maybe: -1).map { _ in print("no") }; print(A(maybe: 3)!.n, B(maybe: -2) as Any == nil as Any? ?? "nil") }
func ?? (a: Any, b: String) -> String { b }
func == (a: Any, b: Any?) -> Any { a }
do { let c: A.Type = B.self; let o = c.init(r: "dyn"); print(type(of: o), o is B) }
do { _ = try T(fail: false); _ = try T(fail: true) } catch let e as Err { print("caught", e.why) } catch { print("?") }
struct S { var a, b: Int; init(_ a: Int) { self.a = a; b = a * 2 }; init?(s: String) { guard let i = Int(s) else { return nil }; self.init(i) } }
print(S(3), S(s: "4") as Any, S(s: "x") as Any)
enum E: Int { case one = 1, two; init?(name: String) { switch name { case "one": self = .one; case "two": self = .two; default: return nil } } }
print(E(rawValue: 2) as Any, E(rawValue: 3) as Any, E(name: "one")!.rawValue, E(name: "z") as Any)
class Base { var v: Int { 1 }; lazy var l: String = { print("lazy"); return "L\(v)" }(); func f() -> String { "Base.f" }; class func g() -> String { "Base.g" }; static func h() -> String { "Base.h" } }
class Der: Base { override var v: Int { super.v + 10 }; override func f() -> String { "Der." + super.f() }; override class func g() -> String { "Der." + super.g() } }
let d: Base = Der()
print(d.v, d.l, d.l, d.f(), type(of: d).g(), Base.g(), Der.h())
