// Functions of the C library under their own names: what they give, to the last bit.
@_silgen_name("memcmp") func cmemcmp(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ n: Int) -> Int32
@_silgen_name("strcmp") func cstrcmp(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Int32
@_silgen_name("strncmp") func cstrncmp(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ n: Int) -> Int32
@_silgen_name("strlen") func cstrlen(_ a: UnsafeRawPointer) -> Int
@_silgen_name("memchr") func cmemchr(_ a: UnsafeRawPointer, _ c: Int32, _ n: Int) -> UnsafeMutableRawPointer?
@_silgen_name("memset") func cmemset(_ a: UnsafeMutableRawPointer, _ c: Int32, _ n: Int) -> UnsafeMutableRawPointer
@_silgen_name("memmove") func cmemmove(_ a: UnsafeMutableRawPointer, _ b: UnsafeRawPointer, _ n: Int) -> UnsafeMutableRawPointer
@_silgen_name("calloc") func ccalloc(_ n: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("realloc") func crealloc(_ p: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?

func bytes(_ p: UnsafeMutableRawPointer, _ n: Int) {
  for i in 0..<n { print(Int((p + i).load(as: UInt8.self)), terminator: " ") }
  print("")
}

@inline(never)
func run(_ zero: Int) {
  let a = ccalloc(4, 8)!, b = ccalloc(4, 8)!
  bytes(a, 4)
  _ = cmemset(a, 0x161, 20)
  _ = cmemset(b, 0x61, 20)
  for i in 0..<3 {
    (b + 6 * i).storeBytes(of: 0xC8, as: UInt8.self)
    print(Int(cmemcmp(a, b, 20)), terminator: " ")
    print(Int(cmemcmp(b, a, 6 * i + zero)), terminator: " ")
    print(Int(cstrcmp(a, b)), terminator: " ")
    print(Int(cstrncmp(b, a, 7)))
    (b + 6 * i).storeBytes(of: 0x61, as: UInt8.self)
  }
  print(Int(cmemcmp(a, b, 20)), terminator: " ")
  print(cstrlen(a))
  (a + 3).storeBytes(of: 7, as: UInt8.self)
  print(a.distance(to: cmemchr(a, 0x107, 20)!), terminator: " ")
  print(cmemchr(a, 9, 20) == nil ? "none" : "some")
  bytes(cmemmove(a + 1, a, 6), 6)
  let c = crealloc(a, 100)!
  bytes(c, 8)
  print(crealloc(c, zero) == nil ? "null" : "block")
  print(crealloc(nil, 8) == nil ? "null" : "block")
}
run(0)
