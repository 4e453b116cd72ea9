// Typed errors: enums, structs and classes thrown from functions, closures, initializers and overriding methods.
enum Err: Error { case a, b(Int), c(StaticString) }
struct SErr: Error { var code: Int, sub: Int8 }
final class CErr: Error { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("cerr gone") } }
func f(_ n: Int) throws(Err) -> Int { if n == 1 { throw .a }; if n == 2 { throw .b(42) }; if n == 3 { throw .c("three") }; return n * 2 }
func show(_ n: Int) { do { print(try f(n)) } catch { switch error { case .a: print("a"); case .b(let k): print(k); case .c(let s): print(s) } } }
for i in 0..<5 { show(i) }
func g(_ n: Int) throws(SErr) -> [Int] { guard n > 0 else { throw SErr(code: n, sub: -1) }; return Array(0..<n) }
do { print(try g(3).count); print(try g(-5).count) } catch { print(error.code); print(error.sub) }
func h(_ n: Int) throws(CErr) { defer { print("h") }; if n > 1 { throw CErr(n) } }
do { try h(1); try h(2); print("no") } catch { print(error.n) }
func map<T, U, E: Error>(_ xs: [T], _ f: (T) throws(E) -> U) throws(E) -> [U] { var r: [U] = []; for x in xs { r.append(try f(x)) }; return r }
print(map([1, 2]) { $0 + 1 }[1])
do throws(Err) { print(try map([5, 2, 7], f).count) } catch { if case .b(let n) = error { print(n) } }
print((try? f(7)) ?? -1); print((try? f(1)) ?? -1); print(try! f(8))
struct R<T> { let r: Result<T, Err>; func get() throws(Err) -> T { switch r { case .success(let v): return v; case .failure(let e): throw e } } }
func res(_ n: Int) -> Result<Int, Err> { do throws(Err) { return .success(try f(n)) } catch { return .failure(error) } }
print(((try? R(r: res(4)).get()) ?? 0)); if case .failure(.b(let x)) = res(2) { print(x) }; print((try? res(9).map { $0 + 1 }.get()) ?? 5)
class Base { init(_ n: Int) throws(SErr) { if n < 0 { throw SErr(code: n, sub: 1) }; v = n }; var v: Int; func m() throws(SErr) -> Int { v }; deinit { print("base gone") } }
final class Derived: Base { let o = CErr(9); override init(_ n: Int) throws(SErr) { try super.init(n); if n == 5 { throw SErr(code: 55, sub: 5) } }; override func m() throws(SErr) -> Int { if v > 3 { throw SErr(code: v, sub: 0) }; return try super.m() + 1 } }
func mk(_ n: Int) { do throws(SErr) { let b: Base = try Derived(n); print(try b.m()) } catch { print(error.code) } }
mk(2); mk(4); mk(5); mk(-1)
func nested() throws(Err) { do throws(SErr) { _ = try g(0) } catch { throw .b(error.code + 1) } }
do { try nested() } catch { if case .b(let n) = error { print(n) } }
func multi(_ n: Int) throws(Err) -> (Int, Bool, [Int]) { if n == 0 { throw .a }; return (n, n > 1, [n]) }
do { let t = try multi(3); print(t.0); print(t.2[0]); _ = try multi(0) } catch { print("multi") }
