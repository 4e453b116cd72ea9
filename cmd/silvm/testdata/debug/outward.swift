// Compiled with 6.0.3: swiftc -emit-sil -Onone -module-name main -Xllvm -sil-print-debuginfo outward.swift
final class Part { let n: Int; init(_ n: Int) { self.n = n } }
final class Whole {
  var part: Part
  init(_ n: Int) { self.part = Part(n) }
}
func fill() -> Int {
  var sum = 0
  var n = 0
  while n < 3 {
    let w = Whole(n)
    sum += w.part.n
    sum += 1
    n += 1
  }
  return sum
}
let all = fill()
