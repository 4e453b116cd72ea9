// Ends in a trap: an integer that does not fit, after conversions that do.
@inline(never) func narrow(_ x: Int) -> UInt8 { return UInt8(x) }
print(narrow(0))
print(narrow(255))
print(UInt8(truncatingIfNeeded: 256))
print(narrow(-1))
