// Classes and noncopyable structs of the same names inside different types: methods, deinits, casts.
struct Outer {
  class N { let k: Int; init(_ k: Int) { self.k = k }; func f() -> Int { k }; var p: Int { k * 2 }; deinit { print("Outer.N") } }
  final class M: N { override func f() -> Int { super.f() + 100 }; deinit { print("Outer.M") } }
  struct R: ~Copyable { let k: Int; deinit { print("R", terminator: " "); print(k) } }
  enum E { final class N { deinit { print("E.N") } } }
}
enum Space {
  class N { func f() -> Int { 7 }; deinit { print("Space.N") } }
  final class Q: Outer.N { override var p: Int { 55 }; deinit { print("Q") } }
  struct R: ~Copyable { let z: Int; deinit { print("Space.R", terminator: " "); print(z) } }
  class G<T> { let t: T; init(_ t: T) { self.t = t }; func get() -> T { t }; deinit { print("G") } }
}
class N: Outer.N { override func f() -> Int { 1000 }; deinit { print("N") } }
@inline(never) func mk(_ i: Int) -> Outer.N { switch i { case 0: Outer.N(1); case 1: Outer.M(2); case 2: Space.Q(3); default: N(4) } }
func run() {
  for i in 0..<4 { let n = mk(i); print(n.f()); print(n.p); print(n is Outer.M); if let q = n as? Space.Q { print(q.k) } }
}
func run2() {
  let a = Outer.R(k: 5); print(a.k); let b = Space.R(z: 6); print(b.z)
}
func run3() {
  let s: Space.N? = Space.N(); print(s!.f()); _ = Outer.E.N()
  let g = Space.G(5); print(g.get())
}
run(); run2(); run3()
