// Indices of Characters remember the length of the Character, whether they are aligned, and in which encoding they count: programs see it
// when they print one (6.0) or look at its bits.

@inline(never) func show(_ i: String.Index) { print(unsafeBitCast(i, to: UInt64.self)) }

@inline(never) func walk(_ s: String) {
    var i = s.startIndex
    while i < s.endIndex {
        show(i)
        i = s.index(after: i)
    }
    while i > s.startIndex {
        i = s.index(before: i)
        show(i)
    }
}

@inline(never) func walk(_ s: Substring) {
    var i = s.startIndex
    while i < s.endIndex {
        show(i)
        print(s[i])
        i = s.index(after: i)
    }
    while i > s.startIndex {
        i = s.index(before: i)
        show(i)
    }
}

let long = String(repeating: "\u{302}", count: 40) // with its base longer than an index remembers
let s = "a\r\nb\u{1F1E9}\u{1F1EA}\u{1F1EB}x" + long + "yz\u{0915}\u{094D}\u{0937}"
walk(s)
print(s.index(after: s.startIndex))

let k = s.index(s.startIndex, offsetBy: 2)
show(k)
show(s.index(k, offsetBy: 0))
show(s.index(k, offsetBy: 3))
show(s.index(k, offsetBy: -1))
show(s.index(k, offsetBy: -2, limitedBy: s.startIndex)!)

let unaligned = s.utf8.index(s.utf8.startIndex, offsetBy: 2)
show(unaligned)
show(s.index(after: unaligned))
show(s.index(before: unaligned))
show(s.index(unaligned, offsetBy: 0))

// Slices that begin and end inside of a Character.
let half = s.unicodeScalars.index(s.startIndex, offsetBy: 5)
walk(s[k...])
walk(s[half...])
walk(s[..<half])
