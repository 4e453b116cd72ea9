// Enum and optional layouts: extra inhabitants, spare bits, tags, nesting, generic payloads.
final class Ref { let n: Int; init(_ n: Int) { self.n = n } }
enum Small: UInt8 { case a, b, c }
enum OneRef { case ref(Ref), x, y, z }
enum TwoRefs { case left(Ref), right(Ref), none }
enum RefOrBool { case ref(Ref), flag(Bool), small(Small) }
enum Wide { case int(Int), byte(UInt8), pair(Int, UInt8), nothing, more }
enum Nested { case opt(OneRef?), two(TwoRefs), end }
indirect enum Chain<T> { case link(T, Chain<T>), stop }
enum Generic<A, B> { case a(A), b(B), both(A, B), neither }
struct Padded { var a: UInt8; var b: UInt32; var c: UInt8 }
struct Outer { var p: Padded; var q: UInt8; var r: Bool? }
enum Many: Int { case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 }

func code(_ e: OneRef) -> Int {
  switch e { case .ref(let r): return r.n; case .x: return -1; case .y: return -2; case .z: return -3 }
}
func code(_ e: TwoRefs) -> Int {
  switch e { case .left(let r): return r.n; case .right(let r): return -r.n; case .none: return 0 }
}
func code(_ e: RefOrBool) -> Int {
  switch e { case .ref(let r): return r.n; case .flag(let b): return b ? 1 : 0; case .small(let s): return Int(s.rawValue) + 100 }
}
func code(_ e: Wide) -> Int {
  switch e {
  case .int(let i): return i
  case .byte(let b): return Int(b)
  case .pair(let i, let b): return i * Int(b)
  case .nothing: return -1
  case .more: return -2
  }
}
func code(_ e: Nested) -> Int {
  switch e {
  case .opt(nil): return -50
  case .opt(let o?): return code(o)
  case .two(let t): return code(t)
  case .end: return -60
  }
}
func sum(_ c: Chain<UInt8>) -> Int {
  var t = 0
  var c = c
  while case .link(let x, let rest) = c { t += Int(x); c = rest }
  return t
}
func code(_ g: Generic<Bool, Ref?>) -> Int {
  switch g {
  case .a(let b): return b ? 1 : 2
  case .b(let r): return r?.n ?? 3
  case .both(let b, let r): return (b ? 10 : 20) + (r?.n ?? 0)
  case .neither: return 4
  }
}

let r = Ref(7)
for e in [OneRef.ref(r), .x, .y, .z] { print(code(e)) }
for e in [TwoRefs.left(r), .right(r), .none] { print(code(e)) }
for e in [RefOrBool.ref(r), .flag(true), .flag(false), .small(.c)] { print(code(e)) }
for e in [Wide.int(-9), .byte(200), .pair(1 << 40, 3), .nothing, .more] { print(code(e)) }
for e in [Nested.opt(nil), .opt(.ref(r)), .opt(.z), .two(.none), .two(.right(r)), .end] { print(code(e)) }
print(sum(.link(200, .link(100, .stop))))
for g in [Generic<Bool, Ref?>.a(true), .b(r), .b(nil), .both(false, r), .both(true, nil), .neither] { print(code(g)) }
let deep: [Bool???] = [true, .some(.some(nil)), .some(nil), nil]
for d in deep {
  switch d {
  case nil: print("0")
  case .some(nil): print("1")
  case .some(.some(nil)): print("2")
  case .some(.some(.some(let b))): print(b)
  }
}
var o = Outer(p: Padded(a: 1, b: 2, c: 3), q: 4, r: nil)
o.r = false
print(o.r == false)
print(Int(o.p.a) + Int(o.p.b) * 10 + Int(o.p.c) * 100 + Int(o.q) * 1000)
print(MemoryLayout<OneRef>.size)
print(MemoryLayout<TwoRefs>.size)
print(MemoryLayout<RefOrBool>.size)
print(MemoryLayout<Wide>.size)
print(MemoryLayout<Nested>.size)
print(MemoryLayout<Generic<Bool, Ref?>>.size)
print(MemoryLayout<Generic<Int, Int>>.stride)
print(MemoryLayout<Bool???>.size)
print(MemoryLayout<Small????>.size)
print(MemoryLayout<Int?>.size)
print(MemoryLayout<Outer>.size)
print(MemoryLayout<(UInt8, Outer?)>.size)
print(MemoryLayout<Many?>.size)
print(MemoryLayout<(() -> Int)?>.size)
print(MemoryLayout<UnsafePointer<Int>?>.size)
print(MemoryLayout<Double?>.stride)
