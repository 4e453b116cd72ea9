// Typed throws, sending, isolation, noncopyable generics, parameter packs, coroutine accessors.
enum Failure: Error { case bad(Int), worse }
func check(_ n: Int) throws(Failure) -> Int { if n < 0 { throw .bad(n) }; if n == 0 { throw .worse }; return n }
func twice<E: Error>(_ f: () throws(E) -> Int) throws(E) -> Int { try f() + f() }
func send(_ x: sending [Int]) -> sending [Int] { x + [1] }
struct Handle: ~Copyable { var fd: Int; consuming func close() { print("close", fd); discard self }; deinit { print("drop", fd) } }
struct Box<T: ~Copyable>: ~Copyable { var value: T; init(_ v: consuming T) { value = v }
  func with<R>(_ body: (borrowing T) -> R) -> R { body(value) }
  consuming func take() -> T { value } }
extension Box: Copyable where T: Copyable {}
func show<each T>(_ v: repeat each T) -> String { var s = ""; for x in repeat each v { s += "\(x);" }; return s }
final class Store { var dict: [String: [Int]] = [:]
  subscript(k: String) -> [Int] { _read { yield dict[k, default: []] } _modify { yield &dict[k, default: []] } }
  var computed: Int { get { dict.count } } }
protocol Shape { var area: Double { get } }
struct Sq: Shape { var s: Double; var area: Double { s * s } }
struct Ci: Shape { var r: Double; var area: Double { 3 * r * r } }
func shapes() -> [any Shape] { [Sq(s: 2), Ci(r: 1)] }
func opaque(_ n: Int) -> some Sequence<Int> { (0..<n).lazy.map { $0 * 3 } }
@MainActor final class Model { var n = 0; func bump() { n += 1 } }
nonisolated(nonsending) func later(_ n: Int) async -> Int { n + 1 }
actor Counter { var n = 0; func inc() -> Int { n += 1; return n } }
func run() async {
  do { print(try check(3)); print(try check(-2)) } catch { switch error { case .bad(let n): print("bad", n); case .worse: print("worse") } }
  do { print(try twice { () throws(Failure) in try check(0) }) } catch { print(error) }
  print(try! twice { 4 })
  print(send([0]))
  let h = Handle(fd: 3); h.close()
  do { let b = Box(Handle(fd: 4)); print(b.with { $0.fd }); let x = b.take(); print(x.fd) }
  let bi = Box(5); let bj = bi; print(bi.value + bj.value)
  print(show(1, "a", 2.5))
  let s = Store(); s["x"].append(1); s["x"].append(2); print(s["x"], s.computed)
  print(shapes().reduce(0) { $0 + $1.area })
  print(Array(opaque(4)))
  let m = await Model(); await m.bump(); print(await m.n)
  print(await later(4))
  let c = Counter(); _ = await c.inc(); print(await c.inc())
  let t: (x: Int, y: String) = (1, "z"); print(t)
  let f: @Sendable (Int) -> Int = { $0 + 1 }; print(f(2))
  var arr = [3, 1, 2]; arr.sort(by: >); print(arr, arr.enumerated().map { $0.offset * $0.element })
  let w = if arr.count > 2 { "many" } else { "few" }; print(w)
}
await run()
