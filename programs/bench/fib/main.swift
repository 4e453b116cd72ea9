// Recursive calls.
let size = 38
var runtimeSize = size

@inline(never) func fib(_ n: Int) -> Int {
  return n < 2 ? n : fib(n - 1) + fib(n - 2)
}

print(fib(runtimeSize))
