// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main -Xllvm -sil-print-debuginfo calls.swift
final class Node {
    var value: Int
    var next: Node?
    init(_ v: Int) { value = v }
}
func twice(_ x: Int) -> Int {
    let y = x &* 2
    return y &+ 1
}
func weight(_ n: Node) -> Int {
    let a = twice(n.value)
    let b = twice(a)
    return a &+ b
}
@inline(never) func walk(_ first: Node?) -> Int {
    var sum = 0
    var at = first
    while let n = at {
        sum = sum &+ weight(n)
        at = n.next
    }
    return sum
}
@inline(never) func build(_ n: Int) -> Node? {
    var list: Node? = nil
    for i in 0..<n {
        let node = Node(i)
        node.next = list
        list = node
    }
    return list
}
func total(_ list: [Int]) -> Int {
    return list.map { twice($0) }.reduce(0) { $0 &+ $1 }
}
let l = build(3)
print(walk(l))
print(total([1, 2, 3]))
