// range(of:options:) and replacingOccurrences with .regularExpression.

import Foundation

let text = "id=42; Name=Ann; id=7"
if let r = text.range(of: "[0-9]+", options: .regularExpression) { print(text[r], text.distance(from: text.startIndex, to: r.lowerBound)) }
print(text.range(of: "name=\\w+", options: [.regularExpression, .caseInsensitive]).map { String(text[$0]) } ?? "nothing")
print(text.range(of: "^Name", options: .regularExpression) == nil, text.range(of: "Name", options: [.regularExpression, .anchored]) == nil, text.range(of: "(", options: .regularExpression) == nil)
let tail = text.index(text.startIndex, offsetBy: 5)..<text.endIndex
print(text.range(of: "id=(\\d+)", options: .regularExpression, range: tail).map { String(text[$0]) } ?? "nothing")
print(text.replacingOccurrences(of: "(\\w+)=(\\w+)", with: "$2:$1", options: .regularExpression))
print(text.replacingOccurrences(of: "\\s*;\\s*", with: ",", options: .regularExpression, range: tail), "été 12".replacingOccurrences(of: "\\W", with: "_", options: .regularExpression))
let digits = "(555) 123-4567".replacingOccurrences(of: "[^0-9]", with: "", options: .regularExpression)
print(digits, text.dropFirst(3).range(of: "\\d", options: .regularExpression) != nil)
