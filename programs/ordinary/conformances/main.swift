func t1() { print(Mirror(reflecting: (1, 2)).displayStyle == .tuple, Mirror(reflecting: 1).displayStyle == nil, Set([Mirror.DisplayStyle.struct, .class, .struct]).count) }
t1()
print(("A" as Unicode.Scalar).properties.generalCategory == .uppercaseLetter, ("٣" as Unicode.Scalar).properties.numericType == .decimal, ("\u{301}" as Unicode.Scalar).properties.canonicalCombiningClass > .notReordered)
print((1.0).floatingPointClass == .positiveNormal, FloatingPointRoundingRule.up == .down, (0.0).floatingPointClass)
let kv: KeyValuePairs = ["a": 1, "b": 2]; print(kv, kv.description, kv[1]); debugPrint(kv)
let d = ["k": 5]; print(d.keys, d.values, d.keys.description, "\(d.values)", d.keys.debugDescription)
let sl = [1, 2, 3][1...]; print(sl.debugDescription, ContiguousArray(["x"]).debugDescription, CollectionOfOne(3), CollectionOfOne("q").debugDescription, sl.description)
let s: StaticString = "st"; print(s, s.debugDescription); debugPrint(s)
print("ab".utf8.debugDescription, "ab".utf16.debugDescription, "ab".unicodeScalars.debugDescription, "ab".utf8.description, "ab".unicodeScalars, "ab"[...].debugDescription)
print((1...2).description, (1..<2).debugDescription, (1...).description ?? "")
extension PartialRangeFrom { var description: String? { "\(lowerBound)..." } }
print("a\u{1}é".unicodeScalars.map { $0.escaped(asASCII: true) })
print(SIMD4<Int32>(1, 2, 3, 4).debugDescription, SIMD2<Float>(1, 2).description)
final class Ident: Identifiable { var n = 1 }
let a = Ident(), b = Ident(); print(a.id == b.id, a.id == a.id, a.id == ObjectIdentifier(a))
struct It: Identifiable { let id: String }; print(It(id: "x").id); func byID<T: Identifiable>(_ t: [T]) -> Int { Set(t.map(\.id)).count }; print(byID([a, b, a]), byID([It(id: "q"), It(id: "q")]))
let str = "héllo👍"; let i16 = str.utf16.index(str.utf16.startIndex, offsetBy: 7)
print(String.Index(i16, within: str) == nil, i16.samePosition(in: str) == nil, str.utf8.index(str.utf8.startIndex, offsetBy: 1).samePosition(in: str).map { str[$0] } as Any, str.startIndex.samePosition(in: str.utf16) != nil, str.utf8.index(after: str.startIndex).samePosition(in: str.unicodeScalars) != nil, str.index(str.startIndex, offsetBy: 2).utf16Offset(in: str), String.Index(utf16Offset: 3, in: str).encodedOffsetText(str))
extension String.Index { func encodedOffsetText(_ s: String) -> String { String(s[self]) } }
var sub = "hello world"[...].dropFirst(6); sub.replaceSubrange(sub.startIndex...sub.startIndex, with: "W"); sub.append("!"); sub += "?"; print(sub, sub.filter { $0 != "o" }, sub.hashValue == "World!?".hashValue, sub == "World!?")

let diff = ["a", "b", "c"].difference(from: ["b", "c", "d"]); for c in diff { switch c { case .insert(let o, let e, _): print("i", o, e); case .remove(let o, let e, _): print("r", o, e) } }; print(diff.count, diff.insertions.count, ["b", "c", "d"].applying(diff)!, diff.inferringMoves().count, [1, 2, 3].difference(from: [3, 1]) { $0 == $1 }.removals.count)
print(CommandLine.argc, CommandLine.unsafeArgv[0] != nil, CommandLine.unsafeArgv[1] == nil)
