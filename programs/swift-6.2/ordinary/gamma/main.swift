// The error function and the gamma function of the C library, which rounds them correctly since Glibc 2.43.
import Glibc
func line(_ name: String, _ f: (Double) -> Double, _ xs: [Double]) { print(name, xs.map { "\(f($0))" }.joined(separator: " ")) }
let xs = [-0.0, 0.1, 0.5, 1, 2.25, 3.5, 5.75, -1.5, -30, .infinity, .nan, 1e-300]
line("erf", erf, xs)
line("erfc", erfc, xs + [12.5, 26, 27.5])
line("tgamma", tgamma, xs + [20, 0.25, -0.5, 170.5, -170.5, -2])
line("lgamma", { lgamma($0) }, xs + [20, -0.5, 1e5, 2, 1.0000001, -2.457024738220801])
let phi = [-2.0, -1, 0, 0.5, 1.96].map { 0.5 * erfc(-$0 / 2.0.squareRoot()) }
print(phi)
print(erff(0.3), erfcf(0.3), tgammaf(4.5), lgammaf(4.5))
var sign: Int32 = 0
print(lgamma_r(-0.5, &sign), sign, lgamma_r(4, &sign), sign)
func binomial(_ n: Double, _ k: Double) -> Double { exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)).rounded() }
print(binomial(10, 3), binomial(52, 5))
