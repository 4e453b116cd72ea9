// Everyday String work: appending, comparing, counting, searching prefixes, joining.
var greeting = "Hello"
greeting += ", "
greeting.append("world")
greeting.append(Character("!"))
print(greeting)
print(greeting.count, greeting.isEmpty, "".isEmpty)
print(greeting == "Hello, world!", greeting < "Help", "a" != "b")
print(greeting.hasPrefix("Hello"), greeting.hasSuffix("?"))
print(["red", "green", "blue"].joined(separator: "/"))
print(String(repeating: "ab", count: 3))
print(greeting.uppercased(), greeting.lowercased())
print(String(42) + String(true) + String(2.5))
print(Int("123")! + 1, Int("12x") == nil, Double("2.5")!)
print(String(255, radix: 16), Int("ff", radix: 16)!)
print(greeting.contains("w"))
print(String(greeting.reversed()))
for c in "abc" { print(c, terminator: " ") }
print()
let words = "the quick brown fox".split(separator: " ")
print(words.count, words[1])
print(words.map { $0.count })
print("utf8:", "é".utf8.count, "é".count, Array("hi".utf8))
