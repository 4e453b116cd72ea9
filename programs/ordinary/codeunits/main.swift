// Slices of the code units of a string, with bounds within a scalar.
func show<S: Sequence>(_ s: S) where S.Element == UInt16 { print(Array(s)) }
let s = "abéÏ𓀀z𓀁"
let all = Array(s.utf16.indices) + [s.utf16.endIndex]
for i in 0...all.count - 1 {
  for j in i...all.count - 1 {
    let v = s.utf16[all[i]..<all[j]]
    show(v)
    print(v.count, s.utf16.distance(from: all[i], to: all[j]), v.startIndex == all[i], v.endIndex == all[j])
    let u = Substring(s)[all[i]..<all[j]]
    print(u, u.utf16.count, u.count, u.unicodeScalars.count)
    show(u.utf16)
    for k in v.indices { print(v[k], terminator: " ") }
    print(v.reversed().first ?? 0, v.last ?? 0, v.dropFirst().count, v.index(v.startIndex, offsetBy: 1, limitedBy: v.endIndex) as Any? == nil)
  }
}
var it = Substring(s).utf16[all[0]..<all[5]].makeIterator()
while let x = it.next() { print(x) }
let bytes = Array(s.utf8.indices) + [s.utf8.endIndex]
for i in bytes { for j in bytes where i <= j {
  let v = s.utf8[i..<j]
  print(Array(v), v.count, Substring(v), String(v) as Any, String(Substring(v)).utf8.count)
} }
for i in all { for j in all where i <= j { print(Substring(s.utf16[i..<j]), String(s.utf16[i..<j]) as Any) } }
