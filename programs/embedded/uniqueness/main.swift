// A reference that only makes an object shared is part of what isKnownUniquelyReferenced says.
// not at -O: the compiler drops the reference, and finds the object unique
final class Box {
  var v: Int
  init(_ v: Int) { self.v = v }
}
struct Cow {
  var b: Box
  @inline(never) mutating func set(_ n: Int) -> Bool {
    let unique = isKnownUniquelyReferenced(&b)
    if !unique { b = Box(b.v) }
    b.v = n
    return unique
  }
}
@inline(never) func look(_ b: Box) {}
@inline(never) func holds() -> Bool {
  var b = Box(1)
  let c = b
  look(c)
  return isKnownUniquelyReferenced(&b)
}
@inline(never) func copies() -> Int {
  var a = Cow(b: Box(1))
  let b = a
  let unique = a.set(2)
  return (unique ? 100 : 0) + a.b.v * 10 + b.b.v
}
@inline(never) func alone() -> Bool {
  var a = Cow(b: Box(1))
  return a.set(2)
}
@inline(never) func loops() -> Int {
  var b = Box(1)
  var shared = 0
  for _ in 0..<3 {
    let c = b
    look(c)
    if !isKnownUniquelyReferenced(&b) { shared += 1 }
  }
  return shared
}
print(holds())
print(copies())
print(alone())
print(loops())
