// Arrays and buffers of one value, for elements of each size and counts around those from which on they are filled at once.

@inline(never) func bytes(_ v: UInt8, _ n: Int) -> Int {
  let a = [UInt8](repeating: v, count: n)
  var s = n
  for (i, x) in a.enumerated() { s = s &* 3 &+ Int(x) &* (i & 15) }
  return s
}

@inline(never) func halves(_ v: Int16, _ n: Int) -> Int {
  let a = [Int16](repeating: v, count: n)
  var s = n
  for (i, x) in a.enumerated() { s = s &* 3 &+ Int(x) &* (i & 15) }
  return s
}

@inline(never) func floats(_ v: Float, _ n: Int) -> Float {
  let a = [Float](repeating: v, count: n)
  var s = Float(n)
  for (i, x) in a.enumerated() { s += x * Float(i & 15) }
  return s
}

@inline(never) func doubles(_ v: Double, _ n: Int) -> Double {
  let a = [Double](repeating: v * 0.5, count: n)
  var s = v
  for (i, x) in a.enumerated() { s += x * Double(i & 15) }
  return s
}

@inline(never) func words(_ v: Int, _ n: Int) -> Int {
  let p = UnsafeMutablePointer<Int>.allocate(capacity: n + 2)
  p[0] = -1
  (p + 1).initialize(repeating: v, count: n)
  p[n + 1] = -2
  var s = 0
  for i in 0..<n + 2 { s = s &* 3 &+ p[i] }
  p.deallocate()
  return s
}

var total = 0
for n in [0, 1, 2, 7, 8, 9, 10, 11, 16, 17, 33, 100, 3001] {
  for r in 0..<20 {
    total = total &* 31 &+ bytes(UInt8(r * 11), n) &+ halves(Int16(r * 777), n) &+ words(r &* 777_777_777_777, n)
    total = total &* 31 &+ Int(floats(Float(r), n)) &+ Int(doubles(Double(r), n))
  }
}
print(total)
print(bytes(7, 70000), halves(-5, 30001), words(99, 20000), doubles(2.5, 1000))
