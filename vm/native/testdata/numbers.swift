// The text of numbers, and numbers from text.
for d in [9007199254740991.0, 9007199254740992.0, 9007199254740994.0, 1e16, 0.001, 0.0001, 0.00012345, 0.00001, 1e15, 123456.789, -0.0, .infinity, -.infinity, .nan, .signalingNaN, Double(nan: 5, signaling: false), 1e100, 1e-100, 0.1 + 0.2, 100, 1e22, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, .pi] { print(d, terminator: " ") }
print()
for f in [16777215.0, 16777216.0, 16777218, 1e7, 1e8, 0.0001, 0.00001, 3.4028235e38, 1e-45, 0.1, 1, -2.5, .nan, .infinity] as [Float] { print(f, terminator: " ") }
print()
for s in ["1", "-2.5", "+3", "1e3", "1E-3", ".5", "5.", "0x1p4", "0xff", "inf", "-Infinity", "nan", "", " 1", "1 ", "1_000", "abc", "1e400", "1e-400", "--1", "0x", "1e", "infin"] { print(s, Double(s) as Any, Float(s) as Any, separator: ":", terminator: " ") }
print()
for s in ["1", "-1", "+1", "", "007", "1.0", "x", "256", "-129", "9223372036854775807", "9223372036854775808", "-9223372036854775808", " 1", "+-1"] { print(s, Int(s) as Any, UInt8(s) as Any, Int8(s) as Any, UInt(s) as Any, separator: ":", terminator: " ") }
print()
print(Int("ff", radix: 16) as Any, Int("-zz", radix: 36) as Any, Int("12", radix: 2) as Any, String(255, radix: 16), String(-255, radix: 2), String(UInt64.max, radix: 36, uppercase: true), String(Int8.min, radix: 10))
print(Int.min, Int8.min, UInt8.max, Int16.max, UInt16.max, Int32.min, UInt32.max, Int64.max, UInt64.max, UInt.max)
print([1.0, 2.5], [Float(1)], (1.5, Float(0.1)), Optional(1e10) as Any, "\(1e-10) \(Float(1e-10))", 1.0.description, 2.5.debugDescription)
