import Foundation
let s = "Hello, World" as NSString
func at(_ r: NSRange) -> String { r.location == NSNotFound ? "-" : "\(r.location)+\(r.length)" }
print(s.uppercased, s.lowercased, s.capitalized, at(s.range(of: "World")), at(s.range(of: "x")), s.contains("lo"), s.hasPrefix("He"), s.hasSuffix("ld"))
print(s.components(separatedBy: ", "), s.replacingOccurrences(of: "o", with: "0"), s.isEqual("Hello, World"))
for t in ["12", " -7abc", "3.75x", "abc", "", "99999999999999999999", "-99999999999", "+5", ".5", "1.e3"] as [NSString] { print(t.integerValue, t.intValue, t.doubleValue) }
let m = NSMutableString(string: "abc")
m.append("def")
m.insert("X", at: 1)
m.deleteCharacters(in: NSRange(location: 0, length: 1))
m.replaceCharacters(in: NSRange(location: 2, length: 2), with: "éé")
print(m as String, m.length)
m.setString("a long text that is on the heap, in an object")
print((m as String).count)
