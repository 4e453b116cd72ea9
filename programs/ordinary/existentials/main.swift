// Values behind protocols: small, boxed, classes; opened for generic code; copied, mutated, stored.

protocol Shape { var area: Double { get }; var name: String { get }; mutating func scale(_ k: Double); static var sides: Int { get } }
extension Shape { var label: String { "\(name):\(Self.sides)" } }
struct Square: Shape { var side: Double; var area: Double { side * side }; var name: String { "square" }; mutating func scale(_ k: Double) { side *= k }; static var sides: Int { 4 } }
struct Quad: Shape { var a, b, c, d: Double; var tag: String; var area: Double { a * b + c * d }; var name: String { tag }; mutating func scale(_ k: Double) { a *= k; c *= k }; static var sides: Int { 4 } }
final class Circle: Shape { var r: Double; init(_ r: Double) { self.r = r }; var area: Double { 3 * r * r }; var name: String { "circle" }; func scale(_ k: Double) { r *= k }; static var sides: Int { 0 } }

@inline(never) func make(_ n: Int) -> any Shape {
    switch n % 3 { case 0: return Square(side: 2); case 1: return Quad(a: 1, b: 2, c: 3, d: 4, tag: "quad"); default: return Circle(1) }
}
@inline(never) func generic<S: Shape>(_ s: S) -> String { var t = s; t.scale(10); return "\(S.self) \(s.area) \(t.area) \(S.sides)" }
@inline(never) func scaled(_ s: any Shape) -> any Shape { var t = s; t.scale(2); return t }

for n in 0..<3 {
    let s = make(n)
    let t = scaled(s)
    print(s.label, s.area, t.area, type(of: t), type(of: t).sides)
    print(generic(s))
}

// Copies of boxed values are values; instances are shared.
var shapes = (0..<6).map(make)
let before = shapes
for i in shapes.indices { shapes[i].scale(3) }
print(before.map { $0.area }, shapes.map { $0.area })
shapes.swapAt(0, 4)
shapes.remove(at: 1)
print(shapes.map { $0.name }, shapes.count)

// Associated types.
protocol Source<Element> { associatedtype Element; mutating func next() -> Element? }
struct Counter: Source { var n: Int; let end: Int; init(end: Int) { n = 0; self.end = end }; mutating func next() -> Int? { if n == end { return nil }; n += 1; return n } }
struct Mapped<S: Source, T>: Source { var base: S; var f: (S.Element) -> T; mutating func next() -> T? { base.next().map(f) } }
@inline(never) func drain<E>(_ s: any Source<E>) -> [E] { var s = s; var out: [E] = []; while let x = s.next() { out.append(x) }; return out }
print(drain(Counter(end: 3)))
print(drain(Mapped(base: Counter(end: 3)) { "<\($0)>" }))
print(drain(Mapped(base: Mapped(base: Counter(end: 4)) { $0 * $0 }) { Double($0) / 2 }))
@inline(never) func first(_ s: any Source) -> Any? { var s = s; return s.next() }
print(first(Counter(end: 1)) as Any, first(Counter(end: 0)) as Any)

// Class existentials, weak and unowned ones.
protocol Owner: AnyObject { var id: Int { get set }; func greet() -> String }
extension Owner { func twice() -> String { greet() + greet() } }
class Person: Owner { var id: Int; init(_ id: Int) { self.id = id }; func greet() -> String { "p\(id)" } }
final class Chief: Person { override func greet() -> String { "c\(id)" } }
struct Link { weak var weakOwner: (any Owner)?; unowned var owner: any Owner }
var keep: [any Owner] = [Person(1), Chief(2)]
var links = keep.map { Link(weakOwner: $0, owner: $0) }
for l in links { l.owner.id += 10; print(l.owner.twice(), l.weakOwner?.id ?? -1) }
let copy = links
links.removeFirst()
keep.removeLast()
print(copy[0].weakOwner != nil, copy[1].weakOwner == nil)
@inline(never) func both(_ x: Person & Owner) -> String { x.greet() + x.twice() }
print(both(Chief(7)))

// Errors with payloads of all sizes.
struct Small: Error { var n: Int }
struct Large: Error { var words: (Int, Int, Int, Int); var text: String }
final class Shared: Error { let n: Int; init(_ n: Int) { self.n = n } }
protocol Coded: Error { var code: Int { get } }
extension Small: Coded { var code: Int { n } }
extension Shared: Coded { var code: Int { n * 2 } }
@inline(never) func raise(_ k: Int) throws { switch k { case 0: throw Small(n: 4); case 1: throw Large(words: (1, 2, 3, 4), text: "large"); case 2: throw Shared(21); default: return } }
@inline(never) func again(_ e: any Coded) throws { throw e }
for k in 0..<4 {
    do { try raise(k); print("none") }
    catch let e as any Coded { do { try again(e) } catch { print("coded", (error as! any Coded).code, type(of: error)) } }
    catch let e as Large { print(e.text, e.words.3) }
    catch { print("other") }
}

// Metatypes.
let kinds: [any Shape.Type] = [Square.self, Quad.self, Circle.self]
print(kinds.map { $0.sides }, kinds[0] == Square.self, kinds[2] == type(of: make(2)))
class Base { required init() {}; class func title() -> String { "base" } }
class Derived: Base { override class func title() -> String { "derived" } }
let types: [Base.Type] = [Base.self, Derived.self]
for t in types { print(t, t.title(), type(of: t.init())) }
