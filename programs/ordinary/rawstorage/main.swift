// Buffers with a header in a class of one's own, CollectionDifference as a collection, and indices inside a Character.

final class Buffer { deinit { print("Buffer") } }
func managed() {
  var p = ManagedBufferPointer<Int, Int>(bufferClass: Buffer.self, minimumCapacity: 3) { b, capacity in print(capacity(b) >= 3); return 5 }
  p.withUnsafeMutablePointerToElements { $0.initialize(repeating: 2, count: 3); print($0[2]) }
  print(p.header, p.isUniqueReference(), p.buffer is Buffer)
}
managed()

let d = [1, 2, 3].difference(from: [2, 3, 4])
d.forEach { print($0) }
print(d.count, d.map { $0 }.count, Array(d.indices).count, d.prefix(1).count, Set([d, d]).count, d.lazy.map { "\($0)" }.joined(separator: "|"))

let cafe = "Cafe\u{301} A"
let accent = cafe.unicodeScalars.index(cafe.startIndex, offsetBy: 4)
func element<C: Collection>(_ c: C, _ i: C.Index) -> C.Element { c[i] }
print(cafe[accent] == "\u{301}", cafe[accent].unicodeScalars.count, element(cafe, accent) == "\u{301}", cafe.index(after: accent).utf16Offset(in: cafe))
