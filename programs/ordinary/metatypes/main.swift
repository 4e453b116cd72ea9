// Dynamic types and metatypes: of instances, of what existentials hold, of metatypes; types made and asked through protocols.
protocol Animal: CustomStringConvertible { var legs: Int { get set }; subscript(i: Int) -> String { get set }; static func make(_ n: Int) -> Self; init(legs: Int) }
extension Animal { var description: String { "\(Self.self)(\(legs))" }; mutating func lose() { legs -= 1 } }
struct Cat: Animal { var legs = 4; var names: [Int: String] = [:]; subscript(i: Int) -> String { get { names[i] ?? "-" } set { names[i] = newValue } }; static func make(_ n: Int) -> Cat { Cat(legs: n) }; init(legs: Int) { self.legs = legs } }
class Bird: Animal { var legs: Int; var log = ""; subscript(i: Int) -> String { get { log } set { log += newValue } }; class func make(_ n: Int) -> Self { self.init(legs: n) }; required init(legs: Int) { self.legs = legs } }
final class Duck: Bird { override var legs: Int { didSet { log += "[\(oldValue)->\(legs)]" } } }
@inline(never) func mutate(_ a: inout any Animal) { a.legs += 2; a[1] = "x"; a.lose(); a[1] += "y" }
var zoo: [any Animal] = [Cat(legs: 4), Bird(legs: 2), Duck(legs: 2)]
for i in zoo.indices { mutate(&zoo[i]) }
for a in zoo { print(a, a[1], type(of: a).make(7), type(of: a)) }
let makers: [String: any Animal.Type] = ["cat": Cat.self, "duck": Duck.self]
for k in makers.keys.sorted() { print(k, makers[k]!.init(legs: 1), makers[k]!.make(9).legs) }

let dict: [String: Any] = ["a": 1, "b": "two", "c": [1, 2, 3], "d": ["x": 1.5], "e": Duck(legs: 3), "f": Optional<Int>.none as Any]
for k in dict.keys.sorted() {
    let v = dict[k]!
    if let n = v as? Int { print(k, "int", n) }
    else if let s = v as? String { print(k, "string", s) }
    else if let a = v as? [Int] { print(k, "array", a.reduce(0, +)) }
    else if let d = v as? [String: Double] { print(k, "dict", d) }
    else if let b = v as? Bird { print(k, "bird", b.legs) }
    else { print(k, "other", v) }
}
@inline(never) func eq(_ a: any Equatable, _ b: any Equatable) -> Bool { func open<T: Equatable>(_ x: T) -> Bool { if let y = b as? T { return x == y }; return false }; return open(a) }
print(eq(1, 1), eq(1, "1"), eq("a", "a"), eq([1, 2], [1, 2]), eq(2.5, 2.5))
@inline(never) func total(_ s: any Sequence<Int>) -> Int { var t = 0; for x in s { t += x }; return t }
print(total([1, 2, 3]))
@inline(never) func count(_ c: any Collection) -> (Int, String) { var s = ""; for x in c { s += "\(x);" }; return (c.count, s) }
print(count([1, 2]))
struct MyErr: Error, CustomStringConvertible { var description: String { "mine" } }
func res(_ k: Int) -> Result<Int, any Error> { k == 0 ? .success(4) : .failure(MyErr()) }
for k in 0...1 { switch res(k) { case .success(let v): print("ok", v); case .failure(let e): print("failed", e, e is any Error & CustomStringConvertible, (e as? any CustomStringConvertible)?.description ?? "?") } }
print((try? res(1).get()) as Any, res(0).map { $0 * 2 })
class Node<T> { var v: T; var next: Node<T>?; init(_ v: T, _ n: Node<T>?) { self.v = v; next = n } }
final class Special<T>: Node<T> where T: Comparable { func big(_ x: T) -> Bool { v > x } }
let n: Any = Special(3, Node(4, nil))
print(n is Node<Int>, n is Node<String>, n is Special<Int>, (n as? Special<Int>)?.big(2) as Any, (n as! Node<Int>).next!.v, type(of: n))
func tn<T>(_ x: T) -> String { "\(T.self) \(type(of: x)) \(type(of: x as Any))" }
print(tn(n), tn(zoo[0]), tn(Duck(legs: 1) as Bird), tn(MyErr() as any Error), tn((1, "a")), tn(Int?.some(1)), tn({ (x: Int) in x }), tn(Int.self), tn(Duck.self as Bird.Type))
let fs: [(Int) -> Any] = [{ $0 }, { "\($0)" }, { [$0] }, { n in { n } }]
for f in fs { let v = f(3); print(type(of: v), (v as? () -> Int)?() as Any) }
enum Payload { case a(any Animal), b(Any), c(any Error), d }
let ps: [Payload] = [.a(Duck(legs: 8)), .b("any"), .c(MyErr()), .d]
for p in ps { switch p { case .a(let x): print(x.legs); case .b(let x as String): print(x); case .c(let e): print(e); default: print("d") } }
let opt: (any Animal)? = zoo.first; print(opt?.legs as Any, opt.map { type(of: $0) } as Any)
print(zoo.map { $0 as? Bird }.map { $0?.legs }, zoo.compactMap { $0 as? Duck }.count, zoo.filter { $0 is Bird }.count)
let sorted = zoo.sorted { $0.legs > $1.legs }; print(sorted.map { $0.legs })
protocol Q: AnyObject {}
extension Bird: Q {}
@inline(never) @_semantics("optimize.sil.specialize.generic.never") func dynamic<T>(_ x: T) -> String { "\(T.self) \(type(of: x)) \(type(of: x as Any))" }
print(dynamic(Duck.self as Bird.Type))
print(dynamic(Duck.self as Any.Type))
print(dynamic(MyErr() as any Error))
print(dynamic(Duck(legs: 2) as any Q))
print(dynamic(Duck(legs: 2) as Any))
print(dynamic((Duck(legs: 2) as Any) as Any?))
let bt: Bird.Type = Duck.self
print(type(of: bt))
let am: Any.Type = Duck.self
print(type(of: am))
let ba: Any = bt
print(type(of: ba))
let a2: Any = am
print(type(of: a2))
let ea: Any = MyErr() as any Error
print(type(of: ea))
print(((inout Int) -> Void).self, [((inout [Int], String) -> Int).self as Any])
