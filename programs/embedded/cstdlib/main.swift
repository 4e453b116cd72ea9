// Functions of the C library that sort, print, copy texts and make random numbers.
protocol Shown { func put() }
extension Int: Shown { func put() { print(self, terminator: " ") } }
extension Int32: Shown { func put() { print(self, terminator: " ") } }
extension UInt32: Shown { func put() { print(self, terminator: " ") } }
extension Bool: Shown { func put() { print(self ? "true" : "false", terminator: " ") } }
func show(_ a: some Shown) { a.put(); print("") }
func show(_ a: some Shown, _ b: some Shown) { a.put(); show(b) }
func show(_ a: some Shown, _ b: some Shown, _ c: some Shown) { a.put(); show(b, c) }
func show(_ a: some Shown, _ b: some Shown, _ c: some Shown, _ d: some Shown) { a.put(); show(b, c, d) }
@_silgen_name("write") func write(_ fd: Int32, _ p: UnsafeRawPointer, _ n: Int) -> Int
@_silgen_name("getenv") func getenv(_ s: UnsafePointer<CChar>) -> UnsafePointer<CChar>?
@_silgen_name("time") func time(_ p: UnsafeMutablePointer<Int>?) -> Int
@_silgen_name("clock") func clock() -> Int
@_silgen_name("qsort") func qsort(_ b: UnsafeMutableRawPointer?, _ n: Int, _ s: Int, _ f: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32)
@_silgen_name("bsearch") func bsearch(_ k: UnsafeRawPointer?, _ b: UnsafeRawPointer?, _ n: Int, _ s: Int, _ f: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32) -> UnsafeMutableRawPointer?
@_silgen_name("rand") func rand() -> Int32
@_silgen_name("random") func random() -> Int
@_silgen_name("srand") func srand(_ s: UInt32)
@_silgen_name("rand_r") func rand_r(_ s: UnsafeMutablePointer<UInt32>) -> Int32
func printf1(_ f: UnsafePointer<CChar>, _ a: Int32) -> Int32 { printf3(f, Int(a), nil, 0) }
@_silgen_name("printf") func printf3(_ f: UnsafePointer<CChar>, _ a: Int, _ b: UnsafePointer<CChar>?, _ d: Int32) -> Int32
@_silgen_name("snprintf") func snprintf3(_ p: UnsafeMutablePointer<CChar>, _ n: Int, _ f: UnsafePointer<CChar>, _ a: Int, _ b: UnsafePointer<CChar>?, _ d: Int32) -> Int32
@_silgen_name("puts") func puts(_ f: UnsafePointer<CChar>) -> Int32
@_silgen_name("strncpy") func strncpy(_ p: UnsafeMutablePointer<CChar>, _ f: UnsafePointer<CChar>, _ n: Int) -> UnsafeMutablePointer<CChar>
@_silgen_name("strcat") func strcat(_ p: UnsafeMutablePointer<CChar>, _ f: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>
@_silgen_name("strncat") func strncat(_ p: UnsafeMutablePointer<CChar>, _ f: UnsafePointer<CChar>, _ n: Int) -> UnsafeMutablePointer<CChar>
@_silgen_name("stpcpy") func stpcpy(_ p: UnsafeMutablePointer<CChar>, _ f: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>
@_silgen_name("strdup") func strdup(_ f: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>
@_silgen_name("strstr") func strstr(_ f: UnsafePointer<CChar>, _ g: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
@_silgen_name("strpbrk") func strpbrk(_ f: UnsafePointer<CChar>, _ g: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
@_silgen_name("strspn") func strspn(_ f: UnsafePointer<CChar>, _ g: UnsafePointer<CChar>) -> Int
@_silgen_name("strcspn") func strcspn(_ f: UnsafePointer<CChar>, _ g: UnsafePointer<CChar>) -> Int
@_silgen_name("strnlen") func strnlen(_ f: UnsafePointer<CChar>, _ g: Int) -> Int

func c(_ s: StaticString) -> UnsafePointer<CChar> { UnsafeRawPointer(s.utf8Start).assumingMemoryBound(to: CChar.self) }
let s: StaticString = "hello\n"
show(write(1, s.utf8Start, s.utf8CodeUnitCount))
show(write(9, s.utf8Start, s.utf8CodeUnitCount))
let t = time(nil)
show(t > 1000, clock() <= clock())
show(getenv(c("SILVM_NOT_THERE")) == nil)
var compared = 0
struct Big { var key: Int; var a = 1, b = 2, c = 3, d = 4 }
func sortInts(_ n: Int) {
  var a = (0..<n).map { ($0 &* 7919) % 101 &* 1000 &+ $0 }
  compared = 0
  a.withUnsafeMutableBufferPointer { p in
    qsort(p.baseAddress, p.count, 8) { x, y in
      compared &+= 1
      let i = x!.load(as: Int.self) / 1000, j = y!.load(as: Int.self) / 1000
      if compared < 12 { show(i, j) }
      return i < j ? -1 : i == j ? 0 : 1
    }
  }
  show(n, compared)
  if n < 50 { for v in a { print(v, terminator: " ") }; print("") }
  var h = 0
  for v in a { h = h &* 31 &+ v }
  show(h)
  var key = 50_000
  let found = a.withUnsafeBufferPointer { p in bsearch(&key, p.baseAddress, p.count, 8) { x, y in
      let i = x!.load(as: Int.self) / 1000, j = y!.load(as: Int.self) / 1000
      if compared < 12 { show(i, j) }
      return i < j ? -1 : i == j ? 0 : 1
    }.map { p.baseAddress!.distance(to: $0.assumingMemoryBound(to: Int.self)) } }
  show(found ?? -1)
}
for n in [0, 1, 2, 3, 5, 8, 31, 1000, 3333] { sortInts(n) }
var big = (0..<77).map { Big(key: ($0 &* 7919) % 31, a: $0) }
compared = 0
big.withUnsafeMutableBufferPointer { p in
  qsort(p.baseAddress, p.count, MemoryLayout<Big>.stride) { x, y in
    compared += 1
    let i = x!.load(as: Int.self), j = y!.load(as: Int.self)
    return i < j ? -1 : i == j ? 0 : 1
  }
}
show(compared)
for b in big { show(b.key, b.a, b.d) }
print("")
for _ in 0..<5 { show(rand()) }
for seed in [0, 1, 42, 0xFFFF_FFFF, 0x8000_0000] as [UInt32] {
  srand(seed)
  show(rand(), random(), rand())
  for _ in 0..<1000 { _ = rand() }
  show(rand())
  var st = seed
  show(rand_r(&st), rand_r(&st), st)
}
_ = printf1(c("[%c]\n"), 65)
for f in ["[%d]\n", "[%5d]\n", "[%-5d]|\n", "[%05d]\n", "[%+d]\n", "[% d]\n", "[%x]\n", "[%#X]\n", "[%o]\n", "[%#o]\n", "[%.5d]\n", "[%8.3d]\n", "[%-8.3d]\n", "[%08.3d]\n", "[%hhd]\n", "[%hd]\n", "[%hhu]\n", "[%u]\n", "%%[%i]\n", "[%.0d]\n", "[%#.3o]\n", "[%#8x]\n", "[%#08x]\n", "[%-#8x]\n", "[%+.0d]\n"] as [StaticString] {
  for v in [0, 65, -65, 127, 200, 40000, .max, .min] as [Int32] { show(printf1(c(f), v)) }
}
show(printf3(c("%ld|%s|%2d|\n"), 1 << 40, c("text"), 7))
show(printf3(c("%lx %.3s %i\n"), -1, c("text"), -7))
show(printf3(c("%zu %10s %u\n"), 5, c("text"), -7))
show(printf3(c("%lld %-10s %X\n"), .min, c("text"), -7))
show(printf3(c("%p %s %d\n"), 0, nil, 0))
show(printf3(c("%p %.3s %d\n"), 0xABCDEF, nil, 0))
let room = UnsafeMutablePointer<CChar>.allocate(capacity: 64)
show(snprintf3(room, 8, c("%ld-%s-%d"), 12, c("abcdef"), 7)); _ = puts(room)
show(snprintf3(room, 64, c("%ld-%s-%d"), 12, c("abcdef"), 7)); _ = puts(room)
show(snprintf3(room, 0, c("%ld-%s-%d"), 12, c("abcdef"), 7)); _ = puts(room)
_ = strncpy(room, c("banana"), 3); room[3] = 0; _ = puts(room)
_ = strncpy(room, c("ba"), 10); show(Int(room[9])); _ = puts(room)
_ = strcat(room, c("nana")); _ = puts(room)
_ = strncat(room, c("split"), 3); _ = puts(room)
show(stpcpy(room, c("orange")) - room)
let d = strdup(room); _ = puts(d)
show(strstr(d, c("ang"))! - d, strstr(d, c("x")) == nil, strstr(d, c(""))! - d)
show(strpbrk(d, c("gn"))! - d, strpbrk(d, c("xyz")) == nil, strspn(d, c("aor")))
show(strcspn(d, c("ge")), strnlen(d, 3), strnlen(d, 30))
d.deallocate()
room.deallocate()
