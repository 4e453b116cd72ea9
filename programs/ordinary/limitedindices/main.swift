// A walk over Characters as far as a limit, which may lie inside one, in front of the start or behind the end.
func offset(_ s: String, _ i: String.Index) -> String { "\(s.utf8.distance(from: s.startIndex, to: i))" }
func all(_ s: String) -> [String.Index] {
  var u = Array(s.utf8.indices); u += Array(s.utf16.indices); u += Array(s.indices); u.append(s.endIndex)
  return u
}
func walk(_ s: String) {
  let longer = s + "xyz"
  let limits = all(s) + [longer.index(longer.endIndex, offsetBy: -2)]
  for i in all(s) { for l in limits { var line = ""; for d in -3...3 {
    let c = s.distance(from: s.startIndex, to: i)
    if c + d < 0 || c + d > s.count { continue }
    line += " " + (s.index(i, offsetBy: d, limitedBy: l).map { offset(s, $0) } ?? "nil") }
    print(i.utf16Offset(in: s), offset(s, i), l.utf16Offset(in: longer), line) } }
}
for s in ["c\r\nd", "e\u{301}o", "\u{1F468}\u{200D}\u{1F469}b", "\u{1F1E9}\u{1F1EA}x", ""] { print(s.count); walk(s) }
let base = "x\r\n\r\nz"
let part = base.utf8.dropFirst().dropLast()
let sub = Substring(part)
let some = Array(sub.utf8.indices) + [sub.endIndex]
for i in some { for l in Array(base.utf8.indices) { var line = ""; for d in -2...2 {
  let c = sub.distance(from: sub.startIndex, to: i)
  if c + d < 0 || c + d > sub.count { continue }
  line += " " + (sub.index(i, offsetBy: d, limitedBy: l).map { "\(base.utf8.distance(from: base.startIndex, to: $0))" } ?? "nil") }
  print(base.utf8.distance(from: base.startIndex, to: i), base.utf8.distance(from: base.startIndex, to: l), line) } }
