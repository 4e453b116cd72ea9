let a = Array("kitten"), b = Array("sitting"); let d = b.difference(from: a); print(d.count, d.insertions.count, d.removals.count, String(a.applying(d)!))
for c in d { switch c { case .insert(let o, let e, let w): print("+", o, e, w as Any); case .remove(let o, let e, let w): print("-", o, e, w as Any) } }
print([1,2,3].difference(from: [1,2,3]).isEmpty, [1, 2].applying([2, 1].difference(from: [1, 2]))!, d.inverse().count)
let words = "the quick brown the lazy dog the end".split(separator: " "); print(Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" })
