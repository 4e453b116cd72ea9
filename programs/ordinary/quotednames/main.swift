// Properties named by words of the language.
struct Words { var `class` = 1, `in` = [2]; lazy var `default` = "d"; let `repeat`: Int?; mutating func grow(_ k: WritableKeyPath<Words, Int>) { self[keyPath: k] += 1; `in`.append(`class`) } }
final class Holder { var `init` = 5; weak var `self2`: Holder?; var `switch`: Words; init(_ w: Words) { `switch` = w } }
enum Kind { case `default`(Int), `in`, `self`; var `is`: Bool { if case .default = self { return true }; return false } }
var w = Words(repeat: nil); w.grow(\.class); w.grow(\.`class`); print(w.class, w.in, w.default, w, Mirror(reflecting: w).children.map { $0.label! })
let h = Holder(w); h.`init` += 1; h.switch.class = 40; withUnsafeMutablePointer(to: &h.switch.`class`) { $0.pointee += 2 }; print(h.`init`, h.switch.class); dump(h); print(Kind.default(1), Kind.in, Kind.`self`, Kind.default(2).is)
