// A closure does what it captured for when it is called, not where it is made: what is stored in between is overwritten.
@inline(never) func call(_ c: () -> Void, _ x: Int) -> Int { c(); return x }
@inline(__always) func callNow(_ c: () -> Void, _ x: Int) -> Int { c(); return x }
@inline(never) func opaque(_ x: Int) -> Int { return x }
final class K {
  var v: Int
  init(_ v: Int) { self.v = v }
  deinit { print("K dies with ", terminator: ""); print(v) }
}

func passedOn() -> Int { var e = 0; _ = call({ e = opaque(7) }, { e = 5; return 0 }()); return e }
func inlined() -> Int { var e = 0; _ = callNow({ e = opaque(7) }, { e = 5; return 0 }()); return e }
func named() -> Int { var e = 0; let f = { e = opaque(7) }; e = 5; f(); return e }
func twice() -> Int { var e = 0; let f = { e += opaque(7) }; e = 5; f(); e += 100; f(); return e }
func objects() -> K { var e = K(1); _ = callNow({ e = K(opaque(7)) }, { e = K(5); return 0 }()); return e }
func passedObjects() -> Int { let e = K(1); _ = call({ e.v = opaque(7) }, { e.v = 5; return 0 }()); return e.v }
func nested() -> Int {
  var e = 0
  let inner = { e = opaque(7) }
  let outer = { inner() }
  e = 5
  _ = call(outer, 0)
  return e
}
func optional() -> Int {
  var e = 0
  let f: (() -> Void)? = { e = opaque(7) }
  e = 5
  f?()
  return e
}

print(passedOn())
print(inlined())
print(named())
print(twice())
print(objects().v)
print(passedObjects())
print(nested())
print(optional())
