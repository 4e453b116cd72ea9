// Loops, ranges, switches over tuples and strings.
for i in 1...15 {
  switch (i % 3, i % 5) {
  case (0, 0): print("FizzBuzz")
  case (0, _): print("Fizz")
  case (_, 0): print("Buzz")
  default: print(i)
  }
}
func isPalindrome(_ s: String) -> Bool {
  let chars = Array(s.lowercased())
  return chars == chars.reversed()
}
for w in ["Level", "Swift", "noon"] { print(w, isPalindrome(w)) }
func romanNumeral(_ n: Int) -> String {
  let table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
               (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
  var n = n
  var out = ""
  for (value, text) in table { while n >= value { out += text; n -= value } }
  return out
}
print([1994, 2024, 49].map(romanNumeral))
var (a, b) = (0, 1)
var fibs: [Int] = []
while fibs.count < 12 { fibs.append(a); (a, b) = (b, a + b) }
print(fibs)
let command = "stop"
switch command {
case "go": print("going")
case "stop", "halt": print("stopping")
default: print("what?")
}
