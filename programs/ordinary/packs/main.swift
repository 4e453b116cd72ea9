func all<each T>(_ t: repeat each T) -> (repeat each T) { (repeat each t) }
print(all(1, "a", 2.5))
func count<each T>(_ t: repeat each T) -> Int { var n = 0; for _ in repeat each t { n += 1 }; return n }
print(count(), count(1), count(1, "x", [2]))
func strs<each T: CustomStringConvertible>(_ t: repeat each T) -> [String] { var a: [String] = []; repeat a.append((each t).description); return a }
print(strs(1, 2.5, "q", true))
struct Tup<each T> { var v: (repeat each T); init(_ v: repeat each T) { self.v = (repeat each v) }; func mapAll<R>(_ f: (Any) -> R) -> [R] { var r: [R] = []; repeat r.append(f(each v)); return r } }
let t = Tup(1, "two", 3.0); print(t.v, t.mapAll { "\(type(of: $0))" }, type(of: t))
func eq<each T: Equatable>(_ a: (repeat each T), _ b: (repeat each T)) -> Bool { for (x, y) in repeat (each a, each b) { if x != y { return false } }; return true }
print(eq((1, "a"), (1, "a")), eq((1, "a"), (1, "b")), eq((), ()))
func zipAll<each A, each B>(_ a: repeat each A, with b: repeat each B) -> (repeat (each A, each B)) { (repeat (each a, each b)) }
print(zipAll(1, "x", with: 2.5, true))
func call<each A, R>(_ f: (repeat each A) -> R, _ a: repeat each A) -> R { f(repeat each a) }; print(call({ (a: Int, b: String) in b + "\(a)" }, 4, "n"))

protocol Vis { func go<T>(_ t: T) }; struct V: Vis { func go<T>(_ t: T) { print("visit", t) } }; func each<each T>(_ v: some Vis, _ t: repeat each T) { repeat v.go(each t) }; each(V(), 1, [2], "c")
