// A string's characters within a set of ranges, of which a bound lies inside a Character, from both ends.
func text(_ c: Character) -> String { c.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "+") }
let string = "Cafe\u{301} A\u{1F1E9}\u{1F1EA}o\r\nu"
let accent = string.unicodeScalars.index(string.startIndex, offsetBy: 4)
var set = RangeSet<String.Index>()
func all() { let part = string[set]; for c in part { print(text(c), terminator: " ") }; print("|", terminator: " "); for c in part.reversed() { print(text(c), terminator: " ") }; print() }
set.insert(accent, within: string); all()
set.insert(string.startIndex, within: string); all()
set.insert(string.index(before: string.endIndex), within: string); all()
let e = string.index(string.startIndex, offsetBy: 3)
set.insert(contentsOf: e..<accent); all()
let flag = string.unicodeScalars.index(string.startIndex, offsetBy: 8)
set.insert(contentsOf: flag..<string.endIndex); all()
set.remove(contentsOf: string.startIndex..<e); all()
