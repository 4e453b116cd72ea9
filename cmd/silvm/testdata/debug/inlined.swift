// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main -Xllvm -sil-print-debuginfo inlined.swift
final class Box { var items: [Int] = []; init(_ n: Int) { items = Array(repeating: 1, count: n) } }
func inner(_ b: Box, _ i: Int) -> Int {
    return b.items[i] + 1
}
func outer(_ b: Box, _ i: Int) -> Int {
    let x = inner(b, i)
    return x * 2
}
@inline(never) func go(_ n: Int) {
    let b = Box(3)
    print(outer(b, n))
}
go(CommandLine.arguments.count + 5)
