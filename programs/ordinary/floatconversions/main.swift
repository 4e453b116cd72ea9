// Conversions between floating-point types in generic code, with the payloads of NaNs; superclasses.
func bits<T: BinaryFloatingPoint>(_ x: T) -> String { "\(x.sign == .minus ? "-" : "+") \(x.exponentBitPattern) \(x.significandBitPattern)" }
func conv<S: BinaryFloatingPoint, T: BinaryFloatingPoint>(_ s: S, _ t: T.Type) {
  let (v, e) = T._convert(from: s)
  print(S.self, T.self, bits(s), "->", bits(v), e, T(exactly: s) == nil)
}
func all<S: BinaryFloatingPoint>(_ s: S) { conv(s, Float.self); conv(s, Double.self); conv(s, Float80.self); conv(s, Float16.self) }
for d in [0.0, -0.0, 1, 1.5, 0.1, -1e-310, 5e-324, 1e308, 65504, 65520, 1e-8, .infinity, -.infinity, .nan, .signalingNaN, Double(nan: 0x1234567, signaling: false), Double(nan: 0x3_0000_1234_5678, signaling: true)] { all(d) }
for f in [Float(0.1), 1e-45, .greatestFiniteMagnitude, .nan, Float(nan: 0x12345, signaling: false), Float(nan: 0x155, signaling: true)] { all(f) }
for x in [Float80(0.1), Float80(1) / 3, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan, Float80(nan: 0x1234_5678_9abc_def, signaling: false), .signalingNaN, 4.5] { all(x) }
for h in [Float16(0.1), .leastNonzeroMagnitude, .nan, Float16(nan: 0x55, signaling: true), -.infinity] { all(h) }
class A {}; class B: A {}; class C<T>: B {}
func s(_ t: AnyClass) -> Any { _getSuperclass(t).map { "\($0)" } ?? "none" }
print(s(A.self), s(B.self), s(C<Int>.self), _getSuperclass(B.self) == A.self)
