// Float literals in generic code that is not specialized.
@inline(never) @_optimize(none) func poly<T: FloatingPoint & ExpressibleByFloatLiteral>(_ x: T) -> T { 2.5 * x * x - 1.5 * x + 0.1 }
@inline(never) @_optimize(none) func literal<T: ExpressibleByFloatLiteral>() -> T { 3.7 }
@_optimize(none) func run() {
  print(poly(2.0), poly(2 as Float), poly(-1e10))
  let a: Double = literal(), b: Float = literal()
  print(a, b)
}
run()
