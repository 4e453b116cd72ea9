// Initializers and copies of dynamic Self, called by generic code: the result goes to memory of the subclass.
class Shape {
  var size: Int { didSet { print("size", oldValue, size) } }
  required init(_ size: Int) { self.size = size; setup() }
  func setup() { print("shape", size) }
  func copy() -> Self { type(of: self).init(size + 1) }
}
class Ring: Shape {
  var inner: Shape?
  override var size: Int { get { super.size * 10 } set { super.size = newValue } }
  required init(_ size: Int) { super.init(size); inner = Shape(size + 100) }
  override func setup() { super.setup(); print("ring", inner == nil) }
}
final class Disc: Ring {
  override func copy() -> Self { let c = super.copy(); c.size += 1; return c }
}
protocol Copied { init(_ size: Int); func copy() -> Self }
extension Shape: Copied {}

@inline(never) func both<T: Copied>(_ t: T) -> (T, T) { (t.copy(), T(50)) }
@inline(never) func made(_ t: Shape.Type) -> Shape { let s = t.init(9); s.size = 8; return s }

func main() {
  let (a, b) = both(Ring(1))
  print(a.size, b.size, a.inner!.size)
  let (c, d) = both(Disc(2))
  print(type(of: c), c.size, d.size)
  print(type(of: made(Disc.self)), both(Shape(3)).0.size)
}
main()
