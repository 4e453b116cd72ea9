// What String._classify() tells of a string: its form, its size and the capacity of its storage, and how often appending moves it.
func show(_ s: String) {
  let r = s._classify()
  var t = "\(r._isASCII) \(r._count) \(r._capacity) \(r._objectIdentifier == nil) "
  switch r._form {
  case ._small: t += "small"
  case ._native(let o): t += "native \(r._objectIdentifier == ObjectIdentifier(o))"
  case ._immortal(let a): t += "immortal \(a != 0)"
  case ._cocoa: t += "cocoa"
  @unknown default: t += "?"
  }
  print(t)
}
show("abc"); show(""); show("abcdefghijklmnopqrstuvw")
show("é"); show("é and quite a lot of text after it")
var s = "abcdefghijklmnopqrs"; s += CommandLine.arguments.count > 5 ? "u" : "t"
show(s)
s.reserveCapacity(100); show(s)
for i in 0..<60 { s.append("é"); if i % 20 == 0 { show(s) } }
var small = "a"; small.reserveCapacity(15); show(small); small.reserveCapacity(16); show(small)
show(String(repeating: "x", count: 15)); show(String(repeating: "x", count: 16)); show(String(repeating: "x", count: 33))
show(String(s.dropFirst(3)))
let st = s; show(st); show(String(decoding: Array(s.utf8), as: UTF8.self))
var ids = Set<ObjectIdentifier>()
var g = String(repeating: "x", count: 20)
for _ in 0..<1000 { g += "y"; ids.insert(g._classify()._objectIdentifier!) }
print(ids.count < 20, ids.count)
