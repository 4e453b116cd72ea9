let p = UnsafeMutablePointer<Int>.allocate(capacity: 5)
p.initialize(repeating: 7, count: 5)
p[2] = 9
(p + 1).pointee = 8
p.advanced(by: 3).pointee += 1
print((0..<5).map { p[$0] }, p.distance(to: p + 3), p < p + 1, (p + 2) - p, p.pointee, p.successor()[0])
var b = UnsafeMutableBufferPointer(start: p, count: 5)
print(b.count, b[4], b.reduce(0, +), b.firstIndex(of: 9)!, Array(b), b.sorted(), b[1..<3].map { $0 }, UnsafeBufferPointer(b).max()!)
b.sort()
print(Array(b))
b.swapAt(0, 4)
p.deinitialize(count: 5)
p.deallocate()
class C { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("~\(n)") } }
let cp = UnsafeMutablePointer<C>.allocate(capacity: 2)
cp.initialize(to: C(1))
(cp + 1).initialize(to: C(2))
cp.pointee = C(3)
print(cp[1].n)
let mv = cp.move()
print(mv.n)
(cp + 1).deinitialize(count: 1)
cp.deallocate()
let r = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
r.storeBytes(of: 0x0102_0304, as: UInt32.self)
print(r.load(as: UInt8.self), r.load(fromByteOffset: 2, as: UInt16.self))
r.storeBytes(of: 1.5, toByteOffset: 8, as: Double.self)
print((r + 8).load(as: Double.self), r.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
let ip = r.bindMemory(to: Int32.self, capacity: 4)
ip[1] = -1
print(r.load(fromByteOffset: 4, as: UInt32.self), ip[0])
r.copyMemory(from: [UInt8](1...8), byteCount: 8)
print((0..<8).map { r.load(fromByteOffset: $0, as: UInt8.self) })
r.deallocate()
var v = 5
withUnsafeMutablePointer(to: &v) { $0.pointee *= 2 }
print(v, withUnsafePointer(to: v) { $0.pointee }, withUnsafeBytes(of: &v) { $0[0] }, withUnsafeBytes(of: 258) { Array($0.prefix(2)) })
var arr = [1, 2, 3]
arr.withUnsafeMutableBytes { $0[0] = 200 }
print(arr, arr.withUnsafeBytes { $0.count }, arr.withUnsafeBufferPointer { $0.baseAddress![1] })
func inc(_ p: UnsafeMutablePointer<Int>, _ n: Int) { for i in 0..<n { p[i] += 1 } }
inc(&arr, 3)
inc(&v, 1)
print(arr, v)
func sum(_ p: UnsafePointer<Int>, _ n: Int) -> Int { (0..<n).reduce(0) { $0 + p[$1] } }
print(sum(arr, 3))
func raw(_ p: UnsafeRawPointer) -> UInt8 { p.load(as: UInt8.self) }
print(raw("A"), raw([UInt8(9)]))
print(MemoryLayout<Int>.size, MemoryLayout<(Int8, Int)>.stride, MemoryLayout<Int?>.size, MemoryLayout<Bool?>.size, MemoryLayout<String>.size, MemoryLayout<[Int]>.alignment, MemoryLayout<C?>.size, MemoryLayout<Any>.size, MemoryLayout.size(ofValue: v), MemoryLayout<(Int, Bool)>.size, MemoryLayout<Double?>.stride, MemoryLayout<any Error>.size, MemoryLayout<Character>.size)
struct S { var a: Int8 = 1; var b: Int32 = 2; var c: Int16 = 3 }
print(MemoryLayout<S>.size, MemoryLayout<S>.stride, MemoryLayout<S>.alignment, MemoryLayout<S>.offset(of: \.c)!, MemoryLayout<S>.offset(of: \.b)!)
let rb = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
for i in rb.indices { rb[i] = UInt8(i) }
print(Array(rb[4..<8]), rb.load(fromByteOffset: 8, as: UInt16.self), rb.count, UnsafeRawBufferPointer(rebasing: rb[0..<2]).count, rb.bindMemory(to: UInt32.self).count)
rb.deallocate()
print(UnsafePointer<Int>(bitPattern: 0) as Any, UnsafeRawPointer(bitPattern: 16)!.debugDescription, Int(bitPattern: UnsafeRawPointer(bitPattern: 32)), OpaquePointer(bitPattern: 8)!)
let tb: UnsafeMutableBufferPointer<String> = .allocate(capacity: 2)
_ = tb.initialize(from: ["long string that is on the heap", "b"])
print(tb[0], tb.map(\.count))
tb.baseAddress!.deinitialize(count: 2)
tb.deallocate()
print(withUnsafeTemporaryAllocation(of: Int.self, capacity: 3) { b in b.initialize(repeating: 2); return b.reduce(1, *) })
[1, 2].withContiguousStorageIfAvailable { print($0[1]) }
print(withUnsafePointer(to: &arr[1]) { $0.pointee })
var tup = (1, 2, 3)
print(withUnsafeBytes(of: &tup) { $0.bindMemory(to: Int.self).map { $0 } })
final class Buf: ManagedBuffer<Int, Double> { deinit { print("~Buf", header) } }
do { let m = Buf.create(minimumCapacity: 4) { _ in 2 }; m.withUnsafeMutablePointers { h, e in h.pointee += 1; e[0] = 1.5; e[1] = 2.5 }; print(m.header, m.withUnsafeMutablePointerToElements { $0[1] }, m.capacity >= 4, type(of: m)) }
print(unsafeBitCast(Float(1), to: UInt32.self), unsafeBitCast((1, 2) as (Int32, Int32), to: UInt64.self))
