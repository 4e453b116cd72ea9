// Deinits of noncopyable values without a size, alone and inside others, and of values that hold an object which the deinit keeps.
struct Empty: ~Copyable { deinit { print("Empty") } }
struct Two: ~Copyable { let a = Empty(); let b = Empty() }
enum Choice: ~Copyable { case empty(Empty), number(Int), none }
enum Single: ~Copyable { case only(Two) }
final class C { var x = 1; init() {}; deinit { print("C") } }
final class Owner { let e = Two(); var s: Choice = .none; init() {}; deinit { print("Owner") } }
nonisolated(unsafe) var kept: C? = nil
struct Keeper: ~Copyable { let c: C; deinit { print("Keeper"); kept = c } }
struct Around: ~Copyable { var k: Keeper; var n = 2 }

@inline(never) func choices() { let a = Choice.empty(Empty()), b = Choice.number(3), c = Choice.none; print("choices"); _ = a; _ = b; _ = c }
@inline(never) func parts() { let t = Two(), s = Single.only(Two()); print("parts"); _ = t; _ = s }
@inline(never) func assigned() { var t = Two(); t = Two(); print("assigned"); _ = t; var c = Choice.empty(Empty()); c = .none; print("none"); _ = c }
@inline(never) func owned() { let o = Owner(); o.s = .empty(Empty()); print("owned") }
@inline(never) func keep() { let k = Keeper(c: C()); print(k.c.x) }
@inline(never) func keepAround() { let a = Around(k: Keeper(c: C())); print(a.n) }

choices(); parts(); assigned(); owned()
keep(); kept!.x = 5; print(kept!.x)
keepAround(); print(kept!.x)
kept = nil
