// Compiled with 6.0.3: swiftc -emit-sil -Onone -module-name main -Xllvm -sil-print-debuginfo asked.swift
// Functions for a user to call: of classes and values, generic, of a protocol, throwing, changing and printing.
protocol Shape { func area() -> Double }
extension Shape { func twice() -> Double { area() * 2 } }
struct Square: Shape { var side: Double; func area() -> Double { side * side } }
struct Slot<T> {
  var item: T, full = false
  mutating func put(_ t: T) { item = t; full = true }
  func get(or other: T) -> T { full ? item : other }
}
enum Fault: Error { case low(Int) }
class Node {
  var value: Int, next: Node?
  init(_ v: Int, _ n: Node?) { value = v; next = n }
  func sum() -> Int { value + (next?.sum() ?? 0) }
  func times(_ k: Int) throws -> Int { if k < 0 { throw Fault.low(k) }; print("times", k); return value * k }
  var both: (Int, Bool) { (value, next == nil) }
  func cut(_ n: Node?) { next = n }
  deinit { print("gone", value) }
}
final class Big: Node { override func sum() -> Int { 1000 + super.sum() } }
func fib(_ n: Int) -> Int { n < 2 ? n : fib(n - 1) + fib(n - 2) }
func run() {
  var slot = Slot(item: 3)
  slot.put(4)
  let a = Big(1, Node(2, nil))
  let shape: any Shape = Square(side: 3)
  let k = (try? a.times(2)) ?? 0
  print(a.sum(), k, slot.get(or: 1), shape.twice(), a.both, fib(5))
  a.cut(nil)
}
run()
