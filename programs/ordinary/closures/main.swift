// Closures with String and Array captures.
func makeCounter(_ name: String) -> () -> String {
  var n = 0
  return {
    n += 1
    return "\(name) \(n)"
  }
}
func repeated(_ n: Int, _ f: (Int) -> Void) { for i in 0..<n { f(i) } }
let a = makeCounter("a")
let b = makeCounter("b")
print(a(), a(), b(), a())
var collected: [String] = []
repeated(3) { collected.append("item \($0)") }
print(collected)
let numbers = [5, 2, 9, 1]
print(numbers.sorted { $0 > $1 })
print(numbers.map { "<\($0)>" }.joined())
print(numbers.filter { $0 % 2 == 1 }.count)
print(numbers.reduce("") { $0 + String($1) })
print(zip(numbers, ["five", "two"]).map { "\($0)=\($1)" })
let ops: [(String, (Int, Int) -> Int)] = [("+", { $0 + $1 }), ("*", { $0 * $1 })]
for (name, op) in ops { print("6 \(name) 7 = \(op(6, 7))") }
var handlers: [() -> Void] = []
for i in 1...3 { handlers.append { print("handler \(i)") } }
handlers.reversed().forEach { $0() }
