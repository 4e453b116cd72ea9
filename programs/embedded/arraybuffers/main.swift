// Arrays that are changed through pointers to their buffers, and then read as arrays.
@_optimize(none) func opaque(_ x: Int) -> Int { x }

func show(_ a: [Int]) { for x in a { print(x, terminator: " ") }; print("") }

var swapped = [1, 2, 3, 4]
print(swapped[0])
swapped.withUnsafeMutableBufferPointer { b in b.swapAt(0, 3); b[1] += 10 }
print(swapped[0]); print(swapped[1]); print(swapped[3])

func moved() -> Int {
  var a = [10, 20, 30, 40, 50]
  let first = a[0]
  a.withUnsafeMutableBufferPointer { b in
    let p = b.baseAddress!
    p.moveUpdate(from: p + 2, count: 1)
    (p + 2).initialize(to: first)
  }
  return a[0] &* 1000 &+ a[2]
}
print(moved())

func rotate(_ a: inout [Int], by n: Int) {
  let before = a[0]
  a.withUnsafeMutableBufferPointer { b in
    for _ in 0..<n {
      let x = b[0]
      for i in 1..<b.count { b[i - 1] = b[i] }
      b[b.count - 1] = x
    }
  }
  print(before == a[0] ? "as before" : "turned")
}
rotate(&swapped, by: opaque(1)); show(swapped)
rotate(&swapped, by: opaque(3)); show(swapped)

var sum = 0
for i in 0..<4 {
  let old = swapped[i]
  swapped.withUnsafeMutableBytes { $0.storeBytes(of: old &* 3, toByteOffset: 8 * i, as: Int.self) }
  sum = sum &* 7 &+ swapped[i]
}
print(sum)
