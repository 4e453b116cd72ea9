@inline(never) func div(_ a: Double, _ b: Double) -> Double { a / b }
@inline(never) func neg(_ a: Double) -> Double { -a }
@inline(never) func id<T>(_ a: T) -> T { a }
let z = Double(CommandLine.argc) - 1
print(div(z, z), z / z, div(.infinity, .infinity), div(0, 0))
print(0.0 / 0.0, Double.infinity - .infinity, Double.infinity * 0, -Double.nan, neg(.nan), neg(z / z))
print(Float(z) / Float(z), Double(Float(z) / Float(z)), Float(z / z))
print(Double.nan, -Double.nan, Float.nan, Double.signalingNaN, Double(nan: 5, signaling: false), Double("nan")!, Double("-nan") as Any)
var s = 0.0; for x in [Double]() { s += x }; print(s / Double([Double]().count))
func mean(_ a: [Double]) -> Double { a.reduce(0, +) / Double(a.count) }
print(mean([]), mean([1]), mean([.nan, 1]), [Double.nan].max()!, Double.nan + 1, z / z + 1, 1 - z / z)
print((z / z).sign, (z / z).magnitude, abs(z / z), Double.minimum(z / z, 1), Double(sign: .minus, exponent: 0, significand: .nan))
print("\(z / z)", [z / z], String(describing: z / z), (z / z).description, (z/z).debugDescription)
