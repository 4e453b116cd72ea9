// Ends in a trap: division by zero; minimum divided by minus one reports instead.
func average(_ a: [Int]) -> Int { return a.reduce(0, +) / a.count }
print(average([1, 2, 6]))
@inline(never) func opaque<T>(_ x: T) -> T { return x }
print(opaque(Int8.min).dividedReportingOverflow(by: opaque(-1)).overflow)
print(5.dividedReportingOverflow(by: opaque(0)).overflow)
print(average([]))
