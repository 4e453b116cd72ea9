// Arithmetic overflow while computing factorials.
func factorial(_ n: Int) -> Int { return n <= 1 ? 1 : n * factorial(n - 1) }
for i in [5, 10, 20, 21] { print("\(i)! = \(factorial(i))") }
