// Indices from offsets in UTF-16 code units: relative to a substring's start, and behind the end for an offset that the text does not have.
@inline(never) func show<S: StringProtocol>(_ s: S, _ n: Int) where S.Index == String.Index {
    let i = String.Index(utf16Offset: n, in: s)
    let inside = i >= s.startIndex && i <= s.endIndex
    print(n, i < s.endIndex, i == s.endIndex, i > s.endIndex, i == s.startIndex, inside ? i.utf16Offset(in: s) : -1)
}
let words = "a\u{E9}\u{1F600}z, plus some text that is long enough for the heap"
for s in ["", "abc", words] {
    print(s.utf16.count)
    for n in [0, 1, 2, 3, 4, s.utf16.count, s.utf16.count + 1, -1, .max, .min] { show(s, n) }
}
let cut = words.dropFirst().dropLast(3)
for n in [0, 1, 2, 3, 4, cut.utf16.count, cut.utf16.count + 1, -1, -2] { show(cut, n) }
print(cut.endIndex.utf16Offset(in: cut), cut.startIndex.utf16Offset(in: cut), cut.startIndex.utf16Offset(in: words))
print(cut._toUTF16Offset(cut.endIndex), cut._toUTF16Offset(words.startIndex), cut[cut._toUTF16Index(1)], cut._toUTF16Offsets(cut.startIndex..<cut.endIndex))
print(cut[cut._toUTF16Indices(1..<3)])
