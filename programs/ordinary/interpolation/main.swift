// String interpolation of numbers, strings, optionals, collections, nested expressions.
struct Point {
  var x: Int
  var y: Int
}
let user = "Ada"
let age = 36
print("\(user) is \(age) years old")
print("next year: \(age + 1), half: \(Double(age) / 2)")
print("is adult: \(age >= 18)")
let nickname: String? = nil
let known: Int? = 7
print("nickname: \(nickname ?? "none"), known: \(known!)")
print("list: \([1, 2, 3]), tuple: \((1, "two"))")
print("point: \(Point(x: 1, y: 2))")
print("nested: \("inner \(1 + 1)")")
print("""
  lines:
    \(user)
  end
  """)
for i in 1...3 { print("\(i) squared is \(i * i)") }
var log = ""
for word in ["one", "two", "three"] { log += "[\(word)]" }
print(log)
