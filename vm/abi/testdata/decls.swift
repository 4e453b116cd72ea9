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
enum Cases300 { case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134, c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149, c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164, c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179, c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194, c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209, c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224, c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239, c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254, c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269, c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284, c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299 }
enum Ints300 { case c0(Int), c1(Int), c2(Int), c3(Int), c4(Int), c5(Int), c6(Int), c7(Int), c8(Int), c9(Int), c10(Int), c11(Int), c12(Int), c13(Int), c14(Int), c15(Int), c16(Int), c17(Int), c18(Int), c19(Int), c20(Int), c21(Int), c22(Int), c23(Int), c24(Int), c25(Int), c26(Int), c27(Int), c28(Int), c29(Int), c30(Int), c31(Int), c32(Int), c33(Int), c34(Int), c35(Int), c36(Int), c37(Int), c38(Int), c39(Int), c40(Int), c41(Int), c42(Int), c43(Int), c44(Int), c45(Int), c46(Int), c47(Int), c48(Int), c49(Int), c50(Int), c51(Int), c52(Int), c53(Int), c54(Int), c55(Int), c56(Int), c57(Int), c58(Int), c59(Int), c60(Int), c61(Int), c62(Int), c63(Int), c64(Int), c65(Int), c66(Int), c67(Int), c68(Int), c69(Int), c70(Int), c71(Int), c72(Int), c73(Int), c74(Int), c75(Int), c76(Int), c77(Int), c78(Int), c79(Int), c80(Int), c81(Int), c82(Int), c83(Int), c84(Int), c85(Int), c86(Int), c87(Int), c88(Int), c89(Int), c90(Int), c91(Int), c92(Int), c93(Int), c94(Int), c95(Int), c96(Int), c97(Int), c98(Int), c99(Int), c100(Int), c101(Int), c102(Int), c103(Int), c104(Int), c105(Int), c106(Int), c107(Int), c108(Int), c109(Int), c110(Int), c111(Int), c112(Int), c113(Int), c114(Int), c115(Int), c116(Int), c117(Int), c118(Int), c119(Int), c120(Int), c121(Int), c122(Int), c123(Int), c124(Int), c125(Int), c126(Int), c127(Int), c128(Int), c129(Int), c130(Int), c131(Int), c132(Int), c133(Int), c134(Int), c135(Int), c136(Int), c137(Int), c138(Int), c139(Int), c140(Int), c141(Int), c142(Int), c143(Int), c144(Int), c145(Int), c146(Int), c147(Int), c148(Int), c149(Int), c150(Int), c151(Int), c152(Int), c153(Int), c154(Int), c155(Int), c156(Int), c157(Int), c158(Int), c159(Int), c160(Int), c161(Int), c162(Int), c163(Int), c164(Int), c165(Int), c166(Int), c167(Int), c168(Int), c169(Int), c170(Int), c171(Int), c172(Int), c173(Int), c174(Int), c175(Int), c176(Int), c177(Int), c178(Int), c179(Int), c180(Int), c181(Int), c182(Int), c183(Int), c184(Int), c185(Int), c186(Int), c187(Int), c188(Int), c189(Int), c190(Int), c191(Int), c192(Int), c193(Int), c194(Int), c195(Int), c196(Int), c197(Int), c198(Int), c199(Int), c200(Int), c201(Int), c202(Int), c203(Int), c204(Int), c205(Int), c206(Int), c207(Int), c208(Int), c209(Int), c210(Int), c211(Int), c212(Int), c213(Int), c214(Int), c215(Int), c216(Int), c217(Int), c218(Int), c219(Int), c220(Int), c221(Int), c222(Int), c223(Int), c224(Int), c225(Int), c226(Int), c227(Int), c228(Int), c229(Int), c230(Int), c231(Int), c232(Int), c233(Int), c234(Int), c235(Int), c236(Int), c237(Int), c238(Int), c239(Int), c240(Int), c241(Int), c242(Int), c243(Int), c244(Int), c245(Int), c246(Int), c247(Int), c248(Int), c249(Int), c250(Int), c251(Int), c252(Int), c253(Int), c254(Int), c255(Int), c256(Int), c257(Int), c258(Int), c259(Int), c260(Int), c261(Int), c262(Int), c263(Int), c264(Int), c265(Int), c266(Int), c267(Int), c268(Int), c269(Int), c270(Int), c271(Int), c272(Int), c273(Int), c274(Int), c275(Int), c276(Int), c277(Int), c278(Int), c279(Int), c280(Int), c281(Int), c282(Int), c283(Int), c284(Int), c285(Int), c286(Int), c287(Int), c288(Int), c289(Int), c290(Int), c291(Int), c292(Int), c293(Int), c294(Int), c295(Int), c296(Int), c297(Int), c298(Int), c299(Int), x, y, z }
enum Refs300 { case c0(C), c1(C), c2(C), c3(C), c4(C), c5(C), c6(C), c7(C), c8(C), c9(C), c10(C), c11(C), c12(C), c13(C), c14(C), c15(C), c16(C), c17(C), c18(C), c19(C), c20(C), c21(C), c22(C), c23(C), c24(C), c25(C), c26(C), c27(C), c28(C), c29(C), c30(C), c31(C), c32(C), c33(C), c34(C), c35(C), c36(C), c37(C), c38(C), c39(C), c40(C), c41(C), c42(C), c43(C), c44(C), c45(C), c46(C), c47(C), c48(C), c49(C), c50(C), c51(C), c52(C), c53(C), c54(C), c55(C), c56(C), c57(C), c58(C), c59(C), c60(C), c61(C), c62(C), c63(C), c64(C), c65(C), c66(C), c67(C), c68(C), c69(C), c70(C), c71(C), c72(C), c73(C), c74(C), c75(C), c76(C), c77(C), c78(C), c79(C), c80(C), c81(C), c82(C), c83(C), c84(C), c85(C), c86(C), c87(C), c88(C), c89(C), c90(C), c91(C), c92(C), c93(C), c94(C), c95(C), c96(C), c97(C), c98(C), c99(C), c100(C), c101(C), c102(C), c103(C), c104(C), c105(C), c106(C), c107(C), c108(C), c109(C), c110(C), c111(C), c112(C), c113(C), c114(C), c115(C), c116(C), c117(C), c118(C), c119(C), c120(C), c121(C), c122(C), c123(C), c124(C), c125(C), c126(C), c127(C), c128(C), c129(C), c130(C), c131(C), c132(C), c133(C), c134(C), c135(C), c136(C), c137(C), c138(C), c139(C), c140(C), c141(C), c142(C), c143(C), c144(C), c145(C), c146(C), c147(C), c148(C), c149(C), c150(C), c151(C), c152(C), c153(C), c154(C), c155(C), c156(C), c157(C), c158(C), c159(C), c160(C), c161(C), c162(C), c163(C), c164(C), c165(C), c166(C), c167(C), c168(C), c169(C), c170(C), c171(C), c172(C), c173(C), c174(C), c175(C), c176(C), c177(C), c178(C), c179(C), c180(C), c181(C), c182(C), c183(C), c184(C), c185(C), c186(C), c187(C), c188(C), c189(C), c190(C), c191(C), c192(C), c193(C), c194(C), c195(C), c196(C), c197(C), c198(C), c199(C), c200(C), c201(C), c202(C), c203(C), c204(C), c205(C), c206(C), c207(C), c208(C), c209(C), c210(C), c211(C), c212(C), c213(C), c214(C), c215(C), c216(C), c217(C), c218(C), c219(C), c220(C), c221(C), c222(C), c223(C), c224(C), c225(C), c226(C), c227(C), c228(C), c229(C), c230(C), c231(C), c232(C), c233(C), c234(C), c235(C), c236(C), c237(C), c238(C), c239(C), c240(C), c241(C), c242(C), c243(C), c244(C), c245(C), c246(C), c247(C), c248(C), c249(C), c250(C), c251(C), c252(C), c253(C), c254(C), c255(C), c256(C), c257(C), c258(C), c259(C), c260(C), c261(C), c262(C), c263(C), c264(C), c265(C), c266(C), c267(C), c268(C), c269(C), c270(C), c271(C), c272(C), c273(C), c274(C), c275(C), c276(C), c277(C), c278(C), c279(C), c280(C), c281(C), c282(C), c283(C), c284(C), c285(C), c286(C), c287(C), c288(C), c289(C), c290(C), c291(C), c292(C), c293(C), c294(C), c295(C), c296(C), c297(C), c298(C), c299(C), x, y, z }
enum ByteX300 { case v(UInt8), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134, c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149, c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164, c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179, c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194, c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209, c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224, c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239, c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254, c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269, c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284, c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299 }
enum BoolX300 { case v(Bool), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134, c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149, c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164, c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179, c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194, c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209, c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224, c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239, c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254, c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269, c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284, c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299 }
enum Bytes20 { case p0(UInt8), p1(UInt8), p2(UInt8), p3(UInt8), p4(UInt8), p5(UInt8), p6(UInt8), p7(UInt8), p8(UInt8), p9(UInt8), p10(UInt8), p11(UInt8), p12(UInt8), p13(UInt8), p14(UInt8), p15(UInt8), p16(UInt8), p17(UInt8), p18(UInt8), p19(UInt8), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134, c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149, c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164, c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179, c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194, c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209, c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224, c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239, c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254, c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269, c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284, c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299 }
@_alignment(16) struct Al16 { var x: Int8 }
struct InAl { var b: UInt8; var a: Al16; var c: UInt8 }
enum AlOr { case v(Al16), w(InAl), x }
enum PadX300 { case v(Pad), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104, c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119, c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134, c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149, c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164, c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179, c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194, c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209, c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224, c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239, c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254, c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269, c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284, c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299 }
enum Resilient2 { case a(FloatingPointRoundingRule), b(FloatingPointSign), c }
struct ResilientIn { var r: FloatingPointRoundingRule; var b: UInt8 }
enum Resilient3 { case a(ResilientIn), b(Bool) }
enum Frozen2 { case a(FloatingPointSign), b(FloatingPointSign), c }
struct NC: ~Copyable { var x: Int }
