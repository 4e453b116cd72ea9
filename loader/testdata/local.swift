class Root { var r = 1; func hi() -> Int { r }; deinit { print("~Root") } }
class Mid: Root { var m = "m"; override func hi() -> Int { m.count + r } }
protocol Pr { func pp() -> Int }
func structs() {
  struct Pt: Pr { var x: Int; var y: Int; func pp() -> Int { x - y } }
  struct One { let s: String }
  struct Empty {}
  struct Custom { var a: Int; var b: [String]; init(_ n: Int) { b = ["q"]; a = n } }
  let p = Pt(x: 3, y: 4); print(p.x - p.y, p.pp()); let q: any Pr = p; print(q.pp())
  print(One(s: "one").s, Empty(), Custom(5).a, Custom(6).b)
  print(p)
}
func classes() {
  class A { var n: Int; var name: String; weak var w: A?; init(n: Int) { self.n = n; name = "A\(n)" }; deinit { print("~A", n, name) } }
  class B: Mid { var extra: [Int] = []; override func hi() -> Int { super.hi() + extra.count }; deinit { print("~B") } }
  final class C: A { let k: Double; init(k: Double) { self.k = k; super.init(n: 9) } }
  let a = A(n: 2); a.w = a; let b = B(); b.extra.append(4); print(a.n, b.hi(), C(k: 2.5).k)
}
func enums(_ n: Int) {
  enum E { case none, num(Int), both(Int, String), lab(x: Int); indirect case rec(E) }
  enum Simple: Int, CaseIterable { case a = 4, b, c }
  func show(_ e: E) -> String { switch e { case .none: return "none"; case .num(let i): return "num \(i)"; case .both(let i, let s): return "\(i)\(s)"; case .lab(let x): return "lab \(x)"; case .rec(let e): return "rec(" + show(e) + ")" } }
  let all: [E] = [.none, .num(n), .both(n, "z"), .lab(x: 7), .rec(.rec(.num(1)))]
  for e in all { print(show(e)) }
  print(Simple.allCases.map(\.rawValue), Simple(rawValue: 5)!)
}
func clash1() { struct Z { var v: Int }; print(Z(v: 1).v) }
func clash2() { struct Z { var v: String }; print(Z(v: "1").v) }
struct Err: Error {}
func errs() throws { struct MyErr: Error { let code: Int }; throw MyErr(code: 3) }
structs(); classes(); enums(3); clash1(); clash2()
do { try errs() } catch { print("caught") }
