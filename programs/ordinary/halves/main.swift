// Float16: literals, rounding from wider numbers and from text, printing.
import Glibc // links what fma is without an instruction for it

func widen(_ h: Float16) -> (Float, Double) { (Float(h), Double(h)) }
@inline(never) func narrow(_ d: Double) -> Float16 { Float16(d) }
@inline(never) func narrow(_ f: Float) -> Float16 { Float16(f) }

print(Float16(0.1), Float16(1) / 3, Float16.pi, Float16.greatestFiniteMagnitude, Float16.leastNonzeroMagnitude, -Float16(2), Float16(65504))
print(narrow(2049.0), narrow(2049.0000000001), narrow(-2050.9999999999), narrow(65519.99999), narrow(65520.0), narrow(1e300), narrow(3e-8), narrow(2.9e-8), narrow(Double.nan), narrow(-Double.infinity))
print(narrow(2049 as Float), narrow(0.015625 as Float), narrow(1e-7 as Float), narrow(33333 as Float))
for bits in stride(from: 1, to: 0x7c00 as UInt16, by: 1171) { print(bits, Float16(bitPattern: bits), widen(Float16(bitPattern: bits)), terminator: "; ") }
print()
for bits in [0x7c00, 0xfc00, 0x7e00, 0xfe03, 0x7d01, 0x8000, 0x2400, 0x6c01] as [UInt16] { print(Float16(bitPattern: bits), terminator: " ") }
print()
print(Float16("1.5") as Any, Float16("65520") as Any, Float16("x") as Any, Float16("0.1")! + 1, [Float16(0.5), 3], Optional(Float16(7)) as Any)
debugPrint(Float16(0.333), (Float16(1), 2.5 as Float16))
func fused(_ a: Float16, _ b: Float16, _ c: Float16) -> Float16 { a.addingProduct(b, c) }
print(fused(1, 1.001, 1.001), fused(65504, 0.0001, 0.0001), fused(-1, 0.3333, 3), fused(6e-8, 6e-8, 0.5), fused(60000, 300, 300))
for n in [0, 1, 2049, 2051, 65519, 65520, Int.max, -3, -70000] { print(Float16(n), terminator: " ") }
print(Float16(UInt64.max), Float16(UInt8(200)))
