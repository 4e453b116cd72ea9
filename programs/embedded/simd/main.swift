// SIMD vectors: arithmetic, comparison masks, reductions, a small matrix.
struct Matrix4 {
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  static let identity = Matrix4(columns: (
    SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1)))
  static func * (m: Matrix4, v: SIMD4<Float>) -> SIMD4<Float> {
    return m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z + m.columns.3 * v.w
  }
  static func * (a: Matrix4, b: Matrix4) -> Matrix4 {
    return Matrix4(columns: (a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3))
  }
}
func dot(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float { return (a * b).sum() }

var v = SIMD4<Float>(1, 2, 3, 4)
v *= 2
v += SIMD4(repeating: 1)
print(Int(v.sum()))
print(Int(dot(v, v)))
v[2] = -7
print(Int(v.min()))
print(Int(v.max()))
var m = Matrix4.identity
m.columns.3 = SIMD4(10, 20, 30, 1)
let point = SIMD4<Float>(1, 2, 3, 1)
let mm: Matrix4 = m * m
let p: SIMD4<Float> = mm * point
for i in 0..<4 { print(Int(p[i])) }
let w = SIMD8<Int32>(1, 2, 3, 4, 5, 6, 7, 8)
print((w &* w).wrappedSum())
let mask = w .> 4
print(w.replacing(with: 0, where: mask).wrappedSum())
print(any(mask))
print(all(mask))
let bytes = SIMD16<UInt8>(repeating: 200) &+ SIMD16<UInt8>(repeating: 100)
print(bytes[0])
let low = w.lowHalf &+ w.highHalf
print(low.x)
print((low ^ SIMD4(1, 1, 1, 1)).wrappedSum())
print(w.evenHalf.wrappedSum())
let d = SIMD2<Double>(3, 4)
print(Int((d * d).sum().squareRoot()))
print(w == w &+ 0)
