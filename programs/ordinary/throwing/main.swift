enum E: Error, Equatable { case a, b(Int), c(String) }
struct SE: Error, CustomStringConvertible { var description: String { "SE!" } }
class CE: Error { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("~CE", n) } }
func t(_ i: Int) throws -> String { switch i { case 0: throw E.a; case 1: throw E.b(7); case 2: throw SE(); case 3: throw CE(5); case 4: throw E.c("x"); default: return "ok" } }
for i in 0...5 { do { print(try t(i)) } catch E.a { print("E.a") } catch E.b(let n) where n > 5 { print("big", n) } catch let e as SE { print(e) } catch is CE { print("CE") } catch { print("other", error, type(of: error)) } }
print((try? t(0)) as Any, (try? t(5)) as Any, try! t(9))
func outer() throws { defer { print("outer defer") }; _ = try t(1) }
do { try outer() } catch { print(error as? E == .b(7), "\(error)") }
func typed(_ b: Bool) throws(E) -> Int { if b { throw .c("typed") }; return 1 }
do { print(try typed(false)); print(try typed(true)) } catch { switch error { case .c(let s): print("c", s); default: print("d") } }
func gthrow<X: Error>(_ f: () throws(X) -> Int) throws(X) -> Int { try f() * 2 }
print((try? gthrow { try typed(true) }) as Any, gthrow { 4 })
let r: Result<Int, E> = .failure(.a)
print(r, r.map { $0 + 1 }, (try? r.get()) as Any, r.mapError { SE.init(e: $0) })
extension SE { init(e: E) { self.init() } }
let r2 = Result { try t(5) }
print(r2, (try? r2.get())!)
let r3 = Result<Int, any Error> { throw E.b(3) }
switch r3 { case .success: print("s"); case .failure(let e): print("f", e) }
print(r.flatMap { .success($0) }, Result<Int, E>.success(3).flatMap { $0 > 2 ? .failure(.b($0)) : .success(1) }, r == .failure(.a), Result<Int, E>.success(1) == .success(1))
func nested() throws -> Int { do { return try t(0).count } catch E.a { do { throw E.b(1) } catch E.b(let n) { print("inner", n); throw SE() } } }
do { _ = try nested() } catch { print("got", error) }
func lst() throws -> [Int] { try [1, 2, 3].map { if $0 == 3 { throw E.c("map") }; return $0 } }
do { _ = try lst() } catch { print(error) }
struct Box: Error { let inner: any Error }
do { do { throw E.a } catch { throw Box(inner: error) } } catch let b as Box { print("box", b.inner) }
class Res { let n: String; init(_ n: String) throws { self.n = n; if n == "bad" { throw E.c(n) } }; deinit { print("~Res", n) } }
do { let a = try Res("good"); let b = try Res("bad"); print(a.n, b.n) } catch { print("init", error) }
let e: any Error = E.b(2)
print(e is E, e as? SE as Any, e as! E == .b(2), (e as? E).map { "\($0)" } as Any)
func cnt(_ n: Int) throws -> Int { if n == 0 { throw E.b(0) }; return try cnt(n - 1) + 1 }
print((try? cnt(1000)) as Any)
labeled: do { if true { break labeled }; print("never") }
print("end")
print(String(reflecting: E.c("q")), String(describing: CE(1)))
func never() -> Never { fatalError("bye") }
if CommandLine.argc > 5 { never() }
