import Foundation
final class Holder { let n: NSString; init(_ s: String) { n = s as NSString }; deinit { print("gone", n.length) } }
do { let h = Holder("some longer text that is on the heap, surely"); print(h.n.substring(to: 4)) }
var a: [NSString] = []; for i in 0..<5 { a.append("file\(i).txt" as NSString) }
print(a.map { $0.deletingPathExtension }, a.map { $0.pathExtension })
func ext(_ p: String) -> String { (p as NSString).pathExtension }
print(["a.swift", "b/c.tar.gz", "Makefile"].map(ext))
let o: NSObject = "obj" as NSString; print(o.description)
weak var w: NSString?; do { let s = NSString(string: "weak one that is long enough"); w = s; print(w != nil) }; print(w == nil)
print(("a" as NSString).appendingPathExtension("") as Any, ("/" as NSString).appendingPathExtension("x") as Any, ("d/" as NSString).appendingPathExtension("x") as Any, ("d//" as NSString).appendingPathExtension("x") as Any)
print(NSString.path(withComponents: ["a//", "//b", "", "c/"]), ("" as NSString).appendingPathComponent(""), ("a" as NSString).appendingPathComponent("/b"), ("a/" as NSString).appendingPathComponent("/b/"))
