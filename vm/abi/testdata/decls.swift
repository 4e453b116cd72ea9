protocol P {}
protocol P2 {}
protocol Q: AnyObject {}
protocol QQ: Q {}
struct Empty {}
struct One { var a: UInt8 }
struct Tail { var a: UInt8; var b: Int; var c: UInt8 }
struct Reuse { var t: Tail; var d: UInt8 }
struct Pad { var a: UInt8; var b: Int32 }
struct Pad2 { var a: Int8; var b: Int16; var c: Int8; var d: Int64; var e: Int32 }
struct Holes { var a: UInt8; var b: Int; var c: Bool }
struct Vectors { var a: UInt8; var v: SIMD4<Float>; var b: UInt8 }
struct Gen<T> { var a: T; var b: UInt8 }
struct Pair<A, B> { var a: A; var b: B }
struct Ref { var n: Int; var c: C }
struct Refs { var c: C; var d: C }
struct Flags { var a: Bool; var b: Bool; var n: UInt8 }
struct Mix { var s: String; var f: Float; var o: Int? }
struct W { weak var c: C? }
struct WQ { weak var c: Q? }
struct WT { var t: UInt8; weak var c: C? }
struct U { unowned var c: C }
struct UO { unowned var c: C? }
struct UQ { unowned var c: Q }
struct UM { unowned(unsafe) var c: C }
struct UMO { unowned(unsafe) var c: C? }
struct Fn { var f: () -> Void; var n: UInt8 }
struct FnC { var f: @convention(c) (Int) -> Int }
struct FnThin { var f: @convention(thin) (Int) -> Int }
struct MetaInt { var t: Int.Type; var n: UInt8 }
struct MetaTuple { var t: (Int.Type, Int16) }
struct MetaOpt { var t: Int.Type? }
struct MetaC { var t: C.Type }
struct MetaGen<T> { var t: T.Type }
struct Link<T: AnyObject> { var t: T }
struct HasAny { var a: Any; var n: UInt8 }
struct HasErr { var e: Error; var n: UInt8 }
struct HasQ { var q: Q; var b: Bool }
final class C { var x = 0 }
class B { var a: UInt8 = 1; var b: Int32 = 2 }
class D: B { var c: UInt8 = 3; var d: String = ""; weak var w: C? }
final class F: D { var v: SIMD4<Float> = .zero; var e: UInt8 = 0 }
class GC<T> { var a: UInt8 = 0; var t: T; var b: UInt8 = 0; init(_ t: T) { self.t = t } }
class GD<X>: GC<Pair<X, Bool>> { var more: X? = nil }
final class ErrBox: Error { var code: Int8 = 0 }
actor Act { var n: UInt8 = 0 }
class MetaK { var t: Int.Type = Int.self; var u: C.Type = C.self; var n: UInt8 = 0 }
enum None0 {}
enum Single { case only }
enum SingleP { case only(Int16, Bool) }
enum Two { case a, b }
enum Five { case a, b, c, d, e }
enum RawS: String { case x, y, z }
enum RawI: Int64 { case x = 5, y = 9 }
enum IntOr { case none, some(Int), other }
enum ByteOr { case v(UInt8), y, z }
enum BoolOr { case v(Bool), y, z }
enum BoolEmpty { case v(Bool), e(Empty), u(()), n(Never) }
enum COr { case n0, v(C), n1, n2 }
enum StrOr { case v(String), a, b, c }
enum ArrOr { case v([Int]), a, b }
enum FnOr { case v(() -> Void), a, b }
enum AnyOr { case v(Any), a, b }
enum POr { case v(P), a }
enum QOr { case v(Q), a, b }
enum ErrOr { case v(Error), a, b }
enum MetaOr { case v(Any.Type), a, b }
enum UnOr { case v(U), a, b }
enum UoOr { case v(UO), a, b }
enum UmoOr { case v(UMO), a, b }
enum WqOr { case v(WQ), a, b }
enum WOr { case v(W), a, b }
enum PtrOr { case v(UnsafeRawPointer), a, b }
enum PadOr { case v(Pad), a, b }
enum HolesOr { case v(Holes), a, b }
enum TwoC { case a(C), b(C) }
enum TwoCE { case a(C), b(C), e, f, g }
enum FiveC { case a(C), b(C), c(C), d(C), e(C), f }
enum CInt { case a(C), b(Int) }
enum CI32 { case a(C), b(Int32), d }
enum Mixed { case a(C), b(Bool), c(Int8), d, e }
enum TwoPad { case a(Pad), b(Pad), c }
enum ThreeBool { case a(Bool), b(Bool), c(Bool), d, e, f }
enum TwoByte { case a(UInt8), b(Int8) }
enum TwoByteE { case a(UInt8), b(Int8), c, d }
enum ThreeInt { case a(Int), b(Double), c(Int), d, e }
enum TwoStr { case a(String), b(String), c }
enum TwoFn { case a(() -> Void), b(() -> Void) }
enum TwoMeta { case a(Any.Type), b(Any.Type), c }
enum TwoQ { case a(Q), b(Q), c }
enum TwoErr { case a(Error), b(Error), c }
enum TwoOptC { case a(C?), b(C?) }
enum TwoOptI { case a(Int?), b(Int?), c(Int?) }
enum TwoAny { case a(Any), b(Int), c }
enum TwoW { case a(W), b(W), c }
enum TwoU { case a(U), b(U) }
enum TwoRefs { case a(Refs), b(Refs), c, d }
enum TwoRef { case a(Ref), b(Int32, C), c }
enum TwoF80 { case a(Float80), b(Float80) }
enum TwoUM { case a(UM), b(UMO), c(UO) }
enum TwoArr { case a([Int]), b([String: Int]), c }
enum TwoLink { case a(Link<C>), b(Link<B>) }
enum TwoWQ { case a(WQ), b(WQ) }
enum TwoFnC { case a(FnC), b(FnC) }
enum TwoMetaInt { case a(Int.Type), b(Int) }
enum TwoCMeta { case a(C.Type), b(C.Type) }
enum Nested { case a(TwoCE), b(TwoCE), c }
enum Nested2 { case a(IntOr), b(Five), c(Two), d }
enum Nested3 { case a(ThreeBool), b(ThreeBool), c }
enum Json { case null, bool(Bool), number(Double), string(String), array([Int]), object([String: Int]) }
indirect enum Tree { case leaf, node(Tree, Int, Tree) }
indirect enum Expr { case num(Int), add(Expr, Expr), mul(Expr, Expr), neg(Expr) }
enum ListI { case end; indirect case cons(Int, ListI) }
enum SomeInd { indirect case a(Int); case b(C), c(Bool), d }
enum Either<A, R> { case left(A), right(R) }
enum Maybe<T> { case no, yes(T), dunno }
enum ClassEither<A: AnyObject, R: AnyObject> { case left(A), right(R) }
enum BoundEither<A: B, R: B> { case left(A), right(R), none }
enum ProtoEither<A: Q> { case left(A), right(A) }
enum ArrEither<T> { case left([T]), right([T]), none }
enum MixEither<T> { case left(T), right(C), none }
enum GenOne<T> { case only(T) }
enum Failure: Error { case bad(Int), worse, worst(String) }
enum Hundred { case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99 }
enum FourHundred { case a(Hundred), b(Hundred), c(Hundred), d(Hundred), e, f }
enum SixC { case a(C), b(C), c(C), d(C), e(C), g(C), h, i, j, k, l, m, n, o, p, q }
struct R4 { var a: C; var b: C; var c: C; var d: C }
struct R3 { var a: C; var b: C; var c: C }
enum TwoR3 { case a(R3), b(R3) }
enum FourR3 { case a(R3), b(R3), c(R3), d(R3) }
struct R3a { var b: UInt8; var a: C; var c: C; var d: UInt8 }
enum TwoR3a { case a(R3a), b(R3a) }
enum FiveR4 { case a(R4), b(R4), c(R4), d(R4), e(R4) }
enum TwoPT { case a(any P.Type), b(any P.Type), c }
enum TwoUQ { case a(UQ), b(UQ), c }
enum TwoR4 { case a(R4), b(R4) }
struct Deep { var a: TwoCE; var b: TwoCE?; var c: Five; var d: Maybe<Bool> }
struct Outer<T> { struct In {}; enum Kind<U> { case a }; class Ref {} }
struct NC: ~Copyable { var x: Int }
