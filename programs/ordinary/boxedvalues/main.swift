// Values that are no instances, as AnyObject: the object that stands for one, and casts that look inside.
struct Point: Hashable { var x: Int; var name: String }
enum Choice { case none, some(Int) }
struct Shown: CustomStringConvertible { var description: String { "shown" } }
struct ShownInDebug: CustomDebugStringConvertible { var debugDescription: String { "in debug" } }
struct Holder { var held: Counted }
final class Counted { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("gone", n) } }
protocol Named { var name: String { get } }
extension Point: Named {}
protocol Bound: AnyObject {}
@inline(never) func object(_ x: Any) -> AnyObject { x as AnyObject }
@inline(never) func generic<T>(_ t: T) -> AnyObject { t as AnyObject }
@inline(never) func cast<T>(_ o: AnyObject, _: T.Type) -> T? { o as? T }

let five = object(5)
print(type(of: five), five, five is Int, cast(five, Int.self) as Any, cast(five, String.self) as Any, cast(five, Double.self) as Any)
let point = generic(Point(x: 1, name: "one"))
print(type(of: point), point, cast(point, Point.self)!, cast(point, AnyHashable.self) as Any, (point as! any Named).name)
print(point as? any Hashable as Any, point as? any Bound as Any, point as? Counted as Any, point is AnyObject, point as Any is Point)
print(object(Shown()), object(ShownInDebug()), object(Choice.some(1)), generic("text"), generic([1, 2]), ["a": object(2.5)])
debugPrint(object(Shown()), object(ShownInDebug()), object(Choice.some(1)), generic("text"))
print(cast(object(Choice.some(3)), Choice.self) as Any, "\(five) \(point)", String(reflecting: point), String(describing: five))
let hashable = AnyHashable(Point(x: 7, name: "seven")) as AnyObject
print(type(of: hashable), cast(hashable, AnyHashable.self) as Any, cast(hashable, Point.self) as Any)
print(cast(AnyHashable(Counted.self is Any.Type) as AnyObject, Bool.self) as Any)
print(cast(generic((1, "t")), (Int, String).self) as Any, cast(generic((a: 1, b: 2)), (Int, Int).self) as Any)
print(cast(generic(Optional(4)), Int.self) as Any, cast(generic(Optional(4)), Int?.self) as Any, cast(generic(Optional(Optional(4))), Int.self) as Any)
print((cast(generic({ 3 } as () -> Int), (() -> Int).self))?() as Any, cast(generic(Int.self), Int.Type.self) as Any, cast(generic(Counted.self), AnyClass.self) as Any)
print(point === point, five === object(5), (point as AnyObject) === point, ObjectIdentifier(type(of: five)) == ObjectIdentifier(type(of: point)))
print((5 as Any) is AnyObject, (Point(x: 0, name: "") as Any) as? AnyObject != nil, (5 as Any) is any Bound)
do {
  var held: AnyObject? = object(Holder(held: Counted(1)))
  weak var box = held
  print(type(of: held!), box != nil, cast(held!, Holder.self)!.held.n)
  held = nil
  print(box == nil)
  let list: [AnyObject] = [object(Counted(2)), generic(Holder(held: Counted(3))), object([Counted(4)])]
  print(list.map { String(describing: type(of: $0)) }, (list[2] as! [Counted])[0].n)
  for x in list { switch x {
    case let c as Counted: print("counted", c.n)
    case let h as Holder: print("holder", h.held.n)
    case let a as [Any]: print("array", a.count)
    default: print("other") } }
}
let again = object(five)
print(again === five, type(of: again), cast(object(object(point)), Point.self) as Any)
print(Mirror(reflecting: point).children.map { $0.label ?? "-" }, Mirror(reflecting: point).subjectType)
print([five, point].compactMap { $0 as? Int }, ([five] as [Any]).map { $0 is Int }, Set([five].compactMap { $0 as? AnyHashable }))
var text = ""
dump(point, to: &text)
print(text)
