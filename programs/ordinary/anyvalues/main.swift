// Any and dynamic casts.
struct Point { var x, y: Int }
enum Mode { case on, off }
class Base {}
final class Derived: Base, CustomStringConvertible { var description: String { return "a derived" } }
func describe(_ v: Any) -> String {
  switch v {
  case 0 as Int: return "zero"
  case let i as Int: return "int \(i)"
  case let d as Double: return "double \(d)"
  case let s as String: return "string \(s)"
  case let (a, b) as (Int, Int): return "pair \(a) \(b)"
  case let p as Point: return "point \(p.x)"
  case is Mode: return "mode"
  case let d as Derived: return d.description
  case is Base: return "base"
  default: return "something else"
  }
}
let things: [Any] = [0, 42, 2.5, "hi", (1, 2), Point(x: 7, y: 8), Mode.off, Derived(), Base(), [1]]
for t in things { print(describe(t)) }
let a: Any = 5
print(a as? Int ?? -1, a as? String ?? "not a string")
print(a)
let o: AnyObject = Derived()
print(o is Base, o is Derived)
