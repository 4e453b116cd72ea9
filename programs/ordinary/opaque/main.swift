protocol Shape { associatedtype S: Comparable; func area() -> S; var name: String { get } }
struct Sq: Shape { var s: Int; func area() -> Int { s * s }; var name: String { "sq" } }
struct Ci: Shape { var r: Double; func area() -> Double { r * r * 3 }; var name: String { "ci" } }
func make(_ i: Int) -> some Shape { Sq(s: i) }
func make2() -> some Shape { Ci(r: 2) }
func pair() -> (some Shape, some Collection<Int>) { (Sq(s: 2), [1, 2, 3]) }
struct Wrap<T: Shape>: Shape { var t: T; func area() -> T.S { t.area() }; var name: String { "wrap " + t.name } }
func wrap(_ s: some Shape) -> some Shape { Wrap(t: s) }
let a = make(3), b = make2()
print(a.area(), b.area(), a.name, b.name, a.area() < make(4).area())
let w = wrap(wrap(a)); print(w.name, w.area())
let (s, c) = pair(); print(s.name, c.reduce(0, +), c.count)
var some1: some Equatable & CustomStringConvertible = 5
print(some1, some1 == some1)
let shapes: [any Shape] = [a, b, w]
for s in shapes { print(s.name, type(of: s)); func f<T: Shape>(_ t: T) { print(t.area()) }; f(s) }
struct V { @inline(never) func body() -> some Sequence<String> { ["x", "y"].lazy.map { $0 + "!" } } }
for x in V().body() { print(x) }
func gen<T>(_ t: T) -> some Collection { [t, t] }
print(gen(1).count, gen("a").map { "\($0)" })
