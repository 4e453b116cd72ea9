// What the library's types show of themselves when a program asks for their own mirrors.

func t(_ n: String, _ f: () -> Void) { print("--", n); f() }
func mir(_ x: some CustomReflectable) { let m = x.customMirror; print(m.subjectType, m.displayStyle as Any, m.children.count); for c in m.children { print(c.label as Any, c.value) } }
t("dict") { mir([1: 2]) }
t("arr") { mir([1, 2]); mir([1, 2][...]); mir(ContiguousArray([3])); mir(Set([1])) }
t("str") { mir("ab"); mir("ab"[...]); mir("a".unicodeScalars); mir("a".utf8); mir("a".utf16); mir(Character("x")) }
t("num") { mir(1); mir(UInt8(1)); mir(1.5); mir(Float(2)); mir(true); mir(Unicode.Scalar(65)) }
t("rng") { mir(1..<3); mir(1...3); mir(stride(from: 0, to: 3, by: 1)); mir(stride(from: 0, through: 3, by: 1)) }
t("opt") { mir(Optional(1)); mir(CollectionOfOne(1)); mir(AnyHashable(1)); mir([1: 2].makeIterator()); mir(Set([1]).makeIterator()) }
let p = UnsafeMutablePointer<Int>.allocate(capacity: 1)
t("ptr") { let m = p.customMirror; print(m.subjectType, m.children.count, m.children.first!.label as Any); print(UnsafePointer(p).customMirror.subjectType) }
