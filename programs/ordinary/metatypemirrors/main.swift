// Metatypes in mirrors, dumps and names: of existential types, and of what a metatype holds.
protocol P {}
protocol Q: AnyObject {}
final class C: Q {}
struct S: P { var t: Any.Type = Int.self; var p: (any P.Type)? = S.self; var q: any Q.Type = C.self; var o: AnyObject.Type = C.self }
func show<T>(_ x: T) { print(x, type(of: x), T.self, Mirror(reflecting: x).subjectType, type(of: x as Any)) }
show(AnyObject.self); show((any P).self); show(Any.self); show((any P & Q).self)
show(AnyObject.Type.self); show((any P.Type).self); show(Any.Type.self); show(AnyObject.Protocol.self)
show(Int.self as Any.Type); show(S.self as any P.Type); show(C.self as AnyObject.Type); show(C.self as any Q.Type)
show([Int.self as Any.Type, S.self]); show(AnyObject?.self); show([AnyObject].self)
for c in Mirror(reflecting: S()).children { print(c.label!, c.value, type(of: c.value), Mirror(reflecting: c.value).subjectType) }
dump(S())
print(type(of: type(of: AnyObject.self)))
let anys: [Any] = [Int.self, AnyObject.self, Int.self as Any.Type, C.self as AnyObject.Type, Int.Type.self]
for a in anys { print(a, type(of: a), a is Any.Type, a is AnyObject.Type, a is Int.Type) }
