// The words of type metadata that a program reads through a pointer: the kind, and of the value witness table size, stride, flags and the number
// of extra inhabitants.
import Synchronization

struct S { var a: Int32; var b: Int8 }
final class C { var x = 1 }
class G<T> { var x: T; init(_ x: T) { self.x = x } }
enum E { case a, b(C) }
enum F { case a, b, c }
enum M { case a(Int), b(C), c([Int]) }
struct W { weak var c: C? }
struct U { unowned var c: C; var d: Int }
struct Big { var a, b, c, d: Int }
struct Gen<T> { var t: T; var n: Int16 }
actor A { var x = 1 }
protocol P {}
protocol Q: AnyObject {}
@inline(never) func words(_ t: any ~Copyable.Type) {
  let p = unsafeBitCast(t, to: UnsafePointer<UInt>.self)
  let w = UnsafePointer<UInt>(bitPattern: p[-1])!
  let f = UnsafeRawPointer(w).loadUnaligned(fromByteOffset: 80, as: UInt32.self)
  let x = UnsafeRawPointer(w).load(fromByteOffset: 84, as: UInt32.self)
  print(String(p[0], radix: 16), w[8], w[9], String(f, radix: 16), x)
}
words(S.self); words(Int.self); words(C.self); words(E.self); words(F.self); words(M.self); words(W.self); words(U.self); words(Big.self)
words(Gen<Int>.self); words(Gen<C>.self); words(Gen<Any>.self); words(G<Int>.self); words(A.self); words(Any.self)
words((Int, S).self); words([Int].self); words((() -> Void).self); words((@convention(c) () -> Void).self); words(P.self); words((any P).self); words((any Q).self); words(Any.Type.self); words(Int.Type.self); words(Int?.self); words(C?.self); words(Bool.self); words(Double.self)
words(Void.self); words(AnyObject.self); words((any Error).self); words(UInt8??.self);  words([Int: String].self); words(ClosedRange<Int>.self); words(Never.self); words((P & Q).self); words((C & P).self);words(P.Type.self);words(UnsafeRawPointer.self);words(Unmanaged<C>.self);words(ObjectIdentifier.self);words(Float.self);words(Int128.self)
enum X0 {}
enum X1 { case a }
enum X1p { case a(Int) }
struct Nest { var e: F; var s: S?; var o: X1p? }
protocol PA<T> { associatedtype T }
words(X0.self); words(X1.self); words(X1p.self); words(Nest.self); words(X1?.self); words(X0?.self); words([Int].Index.self); words(((C, Int) -> Int)?.self); words(Result<Int, Never>.self); words(C.self)
struct O { unowned(unsafe) var c: C; unowned var q: Q }
struct WQ { weak var q: Q? }
words(O.self); words(WQ.self); words(U?.self); words((any Error)?.self);words(Any?.self); words(AnyObject??.self);words(E?.self);words(A?.self); words(M?.self); words((() -> Int)??.self);words(AnyHashable.self); words(Unmanaged<C>?.self);words(Set<Int>?.self)
struct NC<T>: ~Copyable { var x: T }
struct ND: ~Copyable { var x = 1; deinit { print("bye") } }
enum NE: ~Copyable { case a(ND), b }
words(NC<Int>.self); words(NC<C>.self); words(ND.self); words(NE.self);  words(NC<Any>.self)

