class A: Hashable { let n: Int; init(_ n: Int) { self.n = n }; static func == (a: A, b: A) -> Bool { a.n == b.n }; func hash(into h: inout Hasher) { h.combine(n) }; deinit { print("~A", n) } }
class B: A {}
struct K: Hashable { var s: String }
@inline(never) func cast<T, U>(_ t: T, _ u: U.Type) -> U? { t as? U }
func run() {
  var d: [String: Int] = [:]; for i in 0..<40 { d["k\(i)"] = i }
  let e = cast(d, [String: Any].self)!; print(e.count, e["k7"] as? Int ?? -1, e["zz"] as? Int ?? -1)
  let f = cast(e, [String: Int].self); print(f == d)
  print(cast(["a": 1, "b": "x"] as [String: Any], [String: Int].self) as Any)
  let g = cast(d, [AnyHashable: Any].self)!; print(g.count, g["k9"] as? Int ?? -1)
  let h = cast(g, [String: Int].self); print(h?["k10"] as Any, h == d)
  let k: [K: B] = [K(s: "x"): B(1), K(s: "y"): B(2)]
  let l = cast(k, [K: A].self)!; print(l[K(s: "x")]!.n, l.count)
  let m = cast(l, [K: B].self); print(m?[K(s: "y")]?.n as Any)
  let s: Set<B> = [B(5)]
  let t = cast(s, Set<A>.self)!; print(t.contains(A(5)), t.contains(A(7)))
  print(cast(t, Set<B>.self)?.count as Any, cast(Set<A>([A(9)]), Set<B>.self) as Any)
  let ints: Set<Int> = [1, 2, 3]; print(cast(ints, Set<AnyHashable>.self)?.contains(2) as Any)
  let em: [String: Int] = [:]; var en = cast(em, [String: Any].self)!; en["q"] = 1.5; print(en)
  var dd = e; dd["new"] = "v"; print(dd.count, e.count); dd.removeValue(forKey: "k1"); print(dd["k1"] as Any, dd["k2"] as Any)
  let any: Any = d; if let x = any as? [String: Any] { print(x.count) }
  let nested: [String: [Int]] = ["a": [1, 2]]; print(cast(nested, [String: [Any]].self)?["a"]?.count as Any)
  let o: [String: Int?] = ["z": nil, "y": 3]; print(cast(o, [String: Int].self) as Any)
}
run()
