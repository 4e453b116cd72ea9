// The C library's locale, which is C unless the environment asks for another, and pages of memory.
import Glibc

let localeNames: [String?] = [nil, "C", "POSIX", "C", nil]
for name in localeNames { print(setlocale(LC_ALL, name).map { String(cString: $0) } ?? "none") }
print(setlocale(LC_NUMERIC, "C") != nil)
errno = 0
print(setlocale(99, "C") == nil, errno == EINVAL)

func attempt(_ size: Int, _ protection: Int32, _ flags: Int32, _ file: Int32, _ offset: Int = 0) -> UnsafeMutableRawPointer? {
  errno = 0
  let pages = mmap(nil, size, protection, flags, file, offset)
  if pages == MAP_FAILED { print("fails", errno); return nil }
  return pages
}
let both = PROT_READ | PROT_WRITE
_ = attempt(0, both, MAP_PRIVATE | MAP_ANONYMOUS, -1)
_ = attempt(0, 0, 0, 0)
_ = attempt(1, both, MAP_PRIVATE, 77)
_ = attempt(1, both, MAP_ANONYMOUS, -1)
_ = attempt(1, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 5)
_ = attempt(Int.max, both, MAP_PRIVATE | MAP_ANONYMOUS, -1)
for round in 1...3 {
  guard let pages = attempt(5000, both, MAP_PRIVATE | MAP_ANONYMOUS, -1) else { continue }
  print(UInt(bitPattern: pages) % 4096, (0..<8192).allSatisfy { pages.load(fromByteOffset: $0, as: UInt8.self) == 0 })
  pages.initializeMemory(as: UInt8.self, repeating: UInt8(round), count: 8192)
  print(pages.load(fromByteOffset: 8184, as: UInt64.self))
  print(munmap(pages, 5000))
}
errno = 0
print(munmap(UnsafeMutableRawPointer(bitPattern: 4097)!, 10), errno == EINVAL)
