// Class-bound existentials in Embedded Swift: witness tables that are specialized for GenericClass<Int>, lookups whose type is not generic,
// and a method that needs its self argument only for the dynamic Self.
protocol Shape: AnyObject {
    var sides: Int { get }
    func describe()
    func grow(by n: Int)
}

protocol Keyed<Key>: AnyObject {
    associatedtype Key
    func lookup(_ key: Key) -> Int
}

func show(_ what: StaticString, _ n: Int) {
    print(what, terminator: " ")
    print(n)
}

class Polygon: Shape {
    var sides: Int
    init(sides: Int) { self.sides = sides }
    deinit { show("deinit polygon", sides) }
    class func name() -> StaticString { return "polygon" }
    func describe() { show(Self.name(), sides) }
    func grow(by n: Int) { sides += n }
}

final class Square: Polygon {
    init() { super.init(sides: 4) }
    deinit { print("deinit square") }
    override class func name() -> StaticString { return "square" }
}

final class Box<T: BinaryInteger>: Shape, Keyed {
    var value: T
    var sides: Int { return 6 }
    init(_ value: T) { self.value = value }
    deinit { print("deinit box") }
    func describe() { show("box", Int(value)) }
    func grow(by n: Int) { value += T(n) }
    func lookup(_ key: T) -> Int { return Int(value) &* Int(key) }
}

final class Owner {
    var shape: (any Shape)?
    unowned(unsafe) var last: any Shape
    init(_ shape: any Shape) { self.shape = shape; last = shape }
}

@inline(never) func all(_ shapes: [any Shape]) {
    var total = 0
    for s in shapes {
        s.grow(by: 1)
        s.describe()
        total += s.sides
    }
    show("total", total)
}

@inline(never) func ask(_ k: any Keyed<Int>, _ key: Int) -> Int { return k.lookup(key) }
@inline(never) func ask8(_ k: any Keyed<UInt8>, _ key: UInt8) -> Int { return k.lookup(key) }

func main() {
    all([Polygon(sides: 2), Square(), Box(40), Box(UInt8(7))])
    show("key", ask(Box(6), 7))
    show("key", ask8(Box(UInt8(20)), 20))
    let owner = Owner(Box(UInt8(1)))
    owner.shape?.grow(by: 2)
    owner.last.describe()
    owner.shape = Square()
    show("sides", owner.shape!.sides)
}

main()
