// Bytes as programs use Foundation's Data: slices with indices of their own, copies, growth, base 64 and text.
import Foundation

func show(_ d: Data) -> String { "\(d.startIndex)..<\(d.endIndex) \([UInt8](d))" }
var a = Data([UInt8](0..<20))
var s = a[10..<15]
s[12] = 99
s.append(7)
s.append(a.subdata(in: 1..<3))
print(a[12], show(s))
var t = Data("hello".utf8)
t += Data("!".utf8)
print(t.base64EncodedString(), Data(base64Encoded: "AQID")! == Data([1, 2, 3]), String(data: t, encoding: .utf8)!)
