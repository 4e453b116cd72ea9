struct G: RandomNumberGenerator { var s: UInt64; mutating func next() -> UInt64 { s = s &* 6364136223846793005 &+ 1442695040888963407; return s ^ (s >> 29) } }
var g = G(s: 42)
let parts = ["a", "é", "日", "😀", "👨‍👩‍👧", "xyz 12", "\u{301}", "🇩🇪", "long ascii text that fills a block of sixty-four bytes or so, yes it does"]
var sum = 0
for n in 0..<24 {
  var s = ""
  let k = Int.random(in: 0..<40, using: &g)
  for _ in 0..<k { s += n % 4 == 0 ? "plain ascii " : parts[Int.random(in: 0..<parts.count, using: &g)] }
  let u = s.utf16
  let c = u.count
  var line = "\(n): \(c)"
  for _ in 0..<6 {
    let a = Int.random(in: 0...c, using: &g), b = Int.random(in: 0...c, using: &g)
    let i = u.index(u.startIndex, offsetBy: a)
    let j = u.index(i, offsetBy: b - a)
    let d = u.distance(from: i, to: j)
    let e = u.distance(from: u.endIndex, to: j)
    let o = j.utf16Offset(in: s)
    let x = String.Index(utf16Offset: a, in: s)
    let lim = u.index(j, offsetBy: a / 2, limitedBy: u.endIndex).map { u.distance(from: u.startIndex, to: $0) } ?? -1
    let back = u.index(u.endIndex, offsetBy: -a)
    line += " \(d),\(e),\(o),\(x == i),\(lim),\(u.distance(from: u.startIndex, to: back))"
    if j < u.endIndex { sum &+= Int(u[j]) }
    let lo = min(i, j), hi = max(i, j)
    let sub = s[lo..<hi]
    line += "/\(sub.utf16.count)/\(sub.count)"
    let rest = u[lo..<hi]
    if !rest.isEmpty { let m = rest.index(rest.startIndex, offsetBy: rest.count / 2); line += "/\(rest[m])/\(rest.distance(from: rest.startIndex, to: m))" }
  }
  if c > 0 { let v = s.utf8.index(s.utf8.startIndex, offsetBy: s.utf8.count / 2); line += " \(u.distance(from: u.startIndex, to: v)) \(v.utf16Offset(in: s))" }
  print(line)
  print(Array(u.prefix(9)), Array(u.suffix(7)), Array(u.dropFirst(c / 2).prefix(5)))
}
print(sum)
