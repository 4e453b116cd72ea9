// Characters, texts and numbers of the C library, and functions of the program that have the names of such.
@_silgen_name("toupper") func upper(_: CInt) -> CInt
@_silgen_name("tolower") func lower(_: CInt) -> CInt
@_silgen_name("isalpha") func isalpha(_: CInt) -> CInt
@_silgen_name("isdigit") func isdigit(_: CInt) -> CInt
@_silgen_name("isxdigit") func isxdigit(_: CInt) -> CInt
@_silgen_name("isspace") func isspace(_: CInt) -> CInt
@_silgen_name("ispunct") func ispunct(_: CInt) -> CInt
@_silgen_name("isprint") func isprint(_: CInt) -> CInt
@_silgen_name("iscntrl") func iscntrl(_: CInt) -> CInt
@_silgen_name("isalnum") func isalnum(_: CInt) -> CInt
@_silgen_name("isblank") func isblank(_: CInt) -> CInt
@_silgen_name("isgraph") func isgraph(_: CInt) -> CInt
@_silgen_name("isupper") func isupper(_: CInt) -> CInt
@_silgen_name("islower") func islower(_: CInt) -> CInt
@_silgen_name("labs") func labs(_: Int) -> Int
@_silgen_name("atoi") func atoi(_: UnsafePointer<CChar>) -> CInt
@_silgen_name("atol") func atol(_: UnsafePointer<CChar>) -> Int
@_silgen_name("strtol") func strtol(_: UnsafePointer<CChar>, _: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _: CInt) -> Int
@_silgen_name("strcpy") func strcpy(_: UnsafeMutablePointer<CChar>, _: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>
@_silgen_name("strchr") func strchr(_: UnsafePointer<CChar>, _: CInt) -> UnsafePointer<CChar>?
@_silgen_name("strrchr") func strrchr(_: UnsafePointer<CChar>, _: CInt) -> UnsafePointer<CChar>?
@_cdecl("atoll") public func atoll(_ p: UnsafePointer<CChar>) -> Int { 77 }
@_silgen_name("getchar") func getchar() -> CInt { 42 }

func c(_ s: StaticString) -> UnsafePointer<CChar> { UnsafeRawPointer(s.utf8Start).assumingMemoryBound(to: CChar.self) }

var sums: [CInt] = Array(repeating: 0, count: 14)
let questions: [(CInt) -> CInt] = [upper, lower, isalpha, isdigit, isxdigit, isspace, ispunct, isprint, iscntrl, isalnum, isblank, isgraph, isupper, islower]
for ch in -1..<256 as Range<CInt> {
  for i in 0..<14 { sums[i] = sums[i] &* 31 &+ questions[i](ch) }
}
for s in sums { print(s, terminator: " ") }
print("")
print(labs(-5), terminator: " "); print(labs(.min))
@inline(never) func numbers(_ s: UnsafePointer<CChar>) {
  print(atoi(s), terminator: " ")
  print(atol(s), terminator: "")
  for k in 0..<7 {
    let base: CInt = k == 0 ? 0 : k == 6 ? 1 : CInt(1 << k) &+ (k == 3 ? 2 : k == 5 ? 4 : 0)
    var end: UnsafePointer<CChar>? = nil
    print(" ", terminator: "")
    print(strtol(s, &end, base), terminator: "")
    if let end { print("@", terminator: ""); print(end - s, terminator: "") }
  }
  print("")
}
numbers(c("12"))
numbers(c(" \t-7x"))
numbers(c("+0019"))
numbers(c(""))
numbers(c("abc"))
numbers(c("2147483648"))
numbers(c("9223372036854775807"))
numbers(c("-9223372036854775809"))
numbers(c("0x1f"))
numbers(c("017"))
numbers(c("0xg"))
numbers(c("z"))
numbers(c("- 1"))
numbers(c("99999999999999999999999"))
let room = UnsafeMutablePointer<CChar>.allocate(capacity: 16)
print(strcpy(room, c("banana")) == room, terminator: " ")
print(UnsafePointer(room).distance(to: strchr(room, 0x61)!), terminator: " ")
print(UnsafePointer(room).distance(to: strrchr(room, 0x161)!), terminator: " ")
print(strchr(room, 0x78) == nil)
print(atoll(room), terminator: " "); print(getchar())
room.deallocate()
