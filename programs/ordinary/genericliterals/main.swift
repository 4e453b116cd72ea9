// Float literals in generic code that is not specialized.
@inline(never) @_optimize(none) func poly<T: FloatingPoint & ExpressibleByFloatLiteral>(_ x: T) -> T { 2.5 * x * x - 1.5 * x + 0.1 }
@inline(never) @_optimize(none) func literal<T: ExpressibleByFloatLiteral>() -> T { 3.7 }
@_optimize(none) func run() {
  print(poly(2.0), poly(2 as Float), poly(-1e10))
  let a: Double = literal(), b: Float = literal()
  print(a, b)
}
run()
// An integer literal of a type that is known at run time only.
@inline(never) func next<N: Numeric>(_ n: N) -> any Numeric { n * 2 + 1 }
let numbers: [any Numeric] = [1, 2.5, 1.5 as Float, UInt8(3), -4 as Int16]
print(numbers.map { next($0) })
@inline(never) func halves<F: BinaryFloatingPoint>(_ f: F) -> any BinaryFloatingPoint { f / 2 + 0.25 }
let floats: [any BinaryFloatingPoint] = [1.0, 3 as Float]
print(floats.map { halves($0) })
