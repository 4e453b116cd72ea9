// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main -Xllvm -sil-print-debuginfo hoisted.swift
func scale(_ x: Int, _ k: Int) -> Int {
    let s = k &* 3
    return x &+ s
}
enum Failure: Error { case big }
func check(_ x: Int) throws -> Int {
    if x > 100 { throw Failure.big }
    return x &- 1
}
func factorial(_ n: Int) -> Int { return n < 2 ? 1 : n &* factorial(n &- 1) }
struct Pair<T> {
    var first: T
    func get() -> T { return first }
}
@inline(never) func run(_ n: Int, _ k: Int) -> Int {
    var t = 0
    for i in 0..<n { t = t &+ scale(i, k) }
    for i in 0..<n { t = t &+ ((try? check(i &* 40)) ?? 0) }
    t = t &+ factorial(n)
    t = t &+ Pair(first: n).get()
    return t
}
print(run(5, 7))
