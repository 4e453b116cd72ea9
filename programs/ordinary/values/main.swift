// Printing values of the basic types, separators and terminators.
let name = "Swift"
let version = 6
let pi = 3.14159
print(name, version, pi, true)
print("a", "b", "c", separator: "-", terminator: "!\n")
print(1, 2, 3, separator: ", ")
print()
print(-0.0, 1.0, 1e21, 1e-7, 0.1 + 0.2, Double.infinity, Double.nan)
print(Float(0.1), Float(16777216), 100.0 as Float)
print(UInt8.max, Int8.min, UInt64.max, Int64.min)
print(5 > 3, !true)
print("tab\tquote\"backslash\\", "ünïcödé", "emoji 🎉")
let letter: Character = "x"
print(letter)
print(("pair", 2))
print((x: 1, y: 2.5))
print([1, 2, 3], ["a", "b"], [1.5, 2], [true])
print([Int](), [[1], [2, 3]])
print(Optional(5) as Any, Optional("text") as Any, nil as Int? as Any)
print([Optional(1), nil])
print(1...5, 0..<10)
