// Enums of one case around enums of several with payloads, in error boxes and existentials, and such enums inside functions.
class T { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("bye", n) } }
  enum Enum1 {
  case case2(T, Int)
  case case1(T)
  }
  enum Enum2: Error {
  case case2(Enum1, T)
  }
  enum Enum3: Error {
  case case2(T, Enum1)
  }
  struct S4: Error { var a: Enum1 }
  struct S5: Error { var a: Enum1; var b: T }
  enum Enum6: Error { case x(Enum1), y }
@inline(never) func use(_ e: any Error) {}
use(S4(a: .case1(T(2)))); print("-2")
use(S5(a: .case1(T(3)), b: T(4))); print("-3")
use(Enum3.case2(T(3), .case1(T(4)))); print("-4")
use(Enum2.case2(.case1(T(4)), T(3))); print("-5")
use(Enum6.x(.case1(T(4)))); print("-6")
@inline(never) func cast(_ e: any Error) -> Enum2? { e as? Enum2 }
if let x = cast(Enum2.case2(.case1(T(4)), T(3))) {  print("-7") }
if let x = cast(Enum2.case2(.case1(T(4)), T(3))) { use(x);  print("-7") }
if case .case2(let x, let y)? = cast(Enum2.case2(.case1(T(4)), T(3))) { use(Enum6.x(x));  print("-8") }
func local() {
  enum Kind {
  case case1(T)
  case case2(T, Int)
  }
  enum Failure: Error {
  case case1(T)
  case case2(Kind, T)
  }
  struct Struct {
    var value: Failure = .case2(.case1(T(0)), T(1))
    func matched() -> Int {
      do { throw value }
      catch let Failure.case2(.case2(k, _), _) { return k.n }
      catch let Failure.case2(.case1(k), l) { return k.n + l.n }
      catch { return -1 }
    }
    func missed() {
      do { throw value }
      catch let Failure.case2(.case2(k, _), _) { print(k.n) }
      catch { return }
    }
  }
  do {
    let s = Struct()
    s.missed()
    print("missed")
  }
  do {
    let s = Struct()
    print(s.matched())
  }
  do {
    let s = Struct(value: .case2(.case2(T(5), 2), T(6)))
    print(s.matched())
    s.missed()
  }
}
local()
print("end")
