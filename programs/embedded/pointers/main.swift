// Unsafe memory: typed and raw pointers, buffers, temporary allocation, Unmanaged, layout.
final class Thing {
  let id: Int
  init(_ id: Int) { self.id = id }
  deinit { print(-id) }
}
struct Mixed {
  var a: UInt8
  var b: Int
  var c: UInt16
}

func typed() {
  let p = UnsafeMutablePointer<Int>.allocate(capacity: 10)
  p.initialize(repeating: 7, count: 10)
  for i in 0..<10 { p[i] += i }
  print((p + 3).pointee)
  let buffer = UnsafeMutableBufferPointer(start: p, count: 10)
  print(buffer.reduce(0, +))
  buffer.swapAt(0, 9)
  print(buffer.first!)
  p.deinitialize(count: 10)
  p.deallocate()
}

func objects() {
  let p = UnsafeMutablePointer<Thing>.allocate(capacity: 3)
  for i in 0..<3 { (p + i).initialize(to: Thing(i + 1)) }
  let kept = p[1]
  p[0] = Thing(10)
  let moved = (p + 2).move()
  p.deinitialize(count: 2)
  p.deallocate()
  print(kept.id)
  print(moved.id)
}

func raw() {
  let r = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
  r.storeBytes(of: 0x0102030405060708, as: UInt64.self)
  print(r.load(fromByteOffset: 1, as: UInt8.self))
  print(r.loadUnaligned(fromByteOffset: 3, as: UInt16.self))
  let ints = (r + 16).bindMemory(to: Int32.self, capacity: 4)
  for i in 0..<4 { ints[i] = Int32(i * i) }
  print(ints[3])
  (r + 16).copyMemory(from: r, byteCount: 4)
  print(ints[0])
  r.deallocate()
  print(MemoryLayout<Mixed>.size)
  print(MemoryLayout<Mixed>.stride)
}

func temporary() -> Int {
  return withUnsafeTemporaryAllocation(of: Int.self, capacity: 16) { b in
    for i in 0..<16 { b[i] = i * 3 }
    var s = 0
    for x in b { s += x }
    return s
  }
}

func unmanaged() {
  let u = Unmanaged.passRetained(Thing(20))
  let v = u.retain()
  print(u.takeUnretainedValue().id)
  v.release()
  let t = u.takeRetainedValue()
  print(t.id)
  var x: Thing? = Thing(21)
  print(isKnownUniquelyReferenced(&x))
  let y = x
  print(isKnownUniquelyReferenced(&x))
  print(y!.id)
}

typed()
objects()
raw()
print(temporary())
unmanaged()
var pair = (1, 2)
withUnsafeMutablePointer(to: &pair.1) { $0.pointee = 50 }
print(pair.1)
let bits = withUnsafeBytes(of: 258) { $0[0] + $0[1] }
print(bits)
print(unsafeBitCast(1.0, to: UInt64.self))
