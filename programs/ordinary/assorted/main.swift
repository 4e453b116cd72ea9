// Strides in generic code, rows of contiguous arrays, key paths put together as AnyKeyPath, casts of tables of which no key fits.
@inline(never) func steps<T: Strideable>(_ a: T, _ b: T, _ d: T.Stride) -> [T] { Array(stride(from: a, to: b, by: d)) + Array(stride(from: a, through: b, by: d)) }
print(steps(1, 10, 3), steps(UInt8(250), 255, 2), steps(Int8(100), -128, -100))
@inline(never) func sum<S: Sequence<Int>>(_ s: S) -> Int { var r = 0; for i in s { r += i }; return r }
print(sum(stride(from: 1, to: 6, by: 2)), sum(stride(from: 9, through: 1, by: -4)))
var rows = ContiguousArray(repeating: ContiguousArray(repeating: 0, count: 3), count: 2)
for i in 0..<2 { for j in 0..<3 { rows[i][j] += i * j } }
print(rows)
struct P { var x = 1, y = 2 }; struct L { var a = P(), n = 3 }
@inline(never) func join(_ a: AnyKeyPath, _ b: AnyKeyPath) -> AnyKeyPath? { a.appending(path: b) }
print(join(\L.a, \P.y) == \L.a.y, join(\L.n, \P.y) == nil, L()[keyPath: join(\L.a, \P.y)!] as Any)
@inline(never) func cast<T>(_ x: Any, _: T.Type) -> T? { x as? T }
print(cast([1: 2], [String: Any].self) as Any, cast([1: 2] as [AnyHashable: Any], [String: Any].self) as Any, cast([Int: Int](), [String: Int].self) as Any, cast(Set([1]), Set<String>.self) as Any)
