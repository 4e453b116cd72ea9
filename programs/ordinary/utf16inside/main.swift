// Distances in UTF-16 code units from an index inside a scalar, where only the UTF-8 view has positions.
let s = "a\u{1F600}b\u{E9}"
for n in 0...s.utf8.count {
    let k = s.utf8.index(s.utf8.startIndex, offsetBy: n)
    print(n, s.utf16.distance(from: s.startIndex, to: k), s.utf16.distance(from: k, to: s.endIndex), s[k...].utf16.count)
}
