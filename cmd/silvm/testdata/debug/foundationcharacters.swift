import Foundation

let text = "key=value one\r\ntwo\n"
if let r = text.rangeOfCharacter(from: CharacterSet(charactersIn: "= ")) { print(text[..<r.lowerBound]) }
text.enumerateLines { line, stop in print("<\(line)>") }
print("a b/é?".addingPercentEncoding(withAllowedCharacters: CharacterSet.urlPathAllowed)!, "a%20%C3%A9".removingPercentEncoding!, "%4".removingPercentEncoding == nil)
func sign(_ r: ComparisonResult) -> String {
  switch r {
  case .orderedAscending: "<"
  case .orderedSame: "="
  case .orderedDescending: ">"
  }
}
func order(_ a: String, _ b: String) {
  print(sign(a.compare(b, options: String.CompareOptions.numeric, range: nil, locale: nil)), sign(a.compare(b, options: String.CompareOptions.caseInsensitive, range: nil, locale: nil)))
}
order("file10", "file9")
order("File", "file1")
order("x", "x")
print(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")!.uuidString, UUID(uuidString: "e621") == nil)
