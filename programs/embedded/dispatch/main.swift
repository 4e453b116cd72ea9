// Dynamic dispatch: a deep hierarchy, super, overridden initializers, properties and subscripts, class methods, methods as values.
open class A { public var trace = 0; public init() { step(1) }
  open func step(_ n: Int) { trace = trace * 10 + n }
  open var name: Int { 1 }
  open subscript(i: Int) -> Int { i }
  class var tag: Int { 100 }
  class func make() -> A { A() }
  func whoami() -> Int { name * 10 + Self.tag }
  deinit { print("~A"); print(trace) } }
class B: A { override init() { super.init(); step(2) }
  override func step(_ n: Int) { super.step(n + 1) }
  override var name: Int { super.name + 1 }
  override subscript(i: Int) -> Int { super[i] * 2 }
  override class var tag: Int { 200 }
  override class func make() -> A { B() }
  deinit { print("~B") } }
final class C: B { var extra: Int; override init() { extra = 5; super.init(); step(3) }
  init(extra: Int) { self.extra = extra; super.init() }
  convenience init(x: Int, y: Int) { self.init(extra: x * y); trace += 1 }
  override func step(_ n: Int) { trace += 100; super.step(n + extra) }
  override var name: Int { get { super.name * extra } }
  override subscript(i: Int) -> Int { super[i] + extra }
  override class var tag: Int { 300 }
  override class func make() -> A { C(extra: 2) }
  deinit { print("~C") } }
class D: B { lazy var z = trace * 2; final func only() -> Int { z + name } ; override func whoami() -> Int { -super.whoami() } }
@inline(never) func poly(_ a: A) { a.step(7); print(a.trace); print(a.name); print(a[21]); print(a.whoami()) }
poly(A()); poly(B()); poly(C()); poly(C(x: 3, y: 4)); poly(D())
let d = D(); print(d.only()); d.trace = 0; print(d.only())
poly(A.make()); poly(B.make()); poly(C.make())
let arr: [A] = [A(), B(), C(), D()]
var t = 0; for a in arr { a.step(1); t += a.trace }; print(t)
print(arr[1] === arr[1]); print(arr[1] === arr[2]); print(ObjectIdentifier(arr[0]) == ObjectIdentifier(arr[0])); print(ObjectIdentifier(arr[0]) == ObjectIdentifier(arr[3]))
func fn() -> (Int) -> Void { let c = C(); return c.step }
let f = fn(); f(1); f(2); print("end")
