// Asynchronous functions, actors and sequences in the main task.
struct Countdown: AsyncSequence, AsyncIteratorProtocol { var n: Int; typealias Element = Int; func makeAsyncIterator() -> Countdown { self }; mutating func next() async throws -> Int? { if n == 0 { return nil }; if n == 13 { throw Bad.luck }; defer { n -= 1 }; return n } }
enum Bad: Error { case luck }
@MainActor final class Model { var items: [String] = []; func add(_ s: String) { items.append(s) }; deinit { print("model gone") } }
@globalActor actor Work { static let shared = Work(); var jobs = 0; func tick() { jobs += 1 } }
@Work func job(_ n: Int) -> Int { n * n }
protocol Fetcher { associatedtype Out; func fetch(_ id: Int) async throws -> Out }
struct Squares: Fetcher { func fetch(_ id: Int) async throws -> Int { if id < 0 { throw Bad.luck }; return await job(id) } }
struct Names: Fetcher { func fetch(_ id: Int) async -> String { await Task.yield(); return "name\(id)" } }
func all<F: Fetcher>(_ f: F, _ ids: [Int]) async -> [F.Out] { var r: [F.Out] = []; for i in ids { if let x = try? await f.fetch(i) { r.append(x) } }; return r }
actor Bank { private var accounts: [String: Int]; init(_ a: [String: Int]) { accounts = a }
  func move(_ n: Int, from a: String, to b: String) throws { guard let x = accounts[a], x >= n else { throw Bad.luck }; accounts[a] = x - n; accounts[b, default: 0] += n }
  var total: Int { accounts.values.reduce(0, +) }
  nonisolated var kind: String { "bank" }
  func with<R>(_ f: (isolated Bank) async -> R) async -> R { await f(self) } }
func lazyValue(_ make: () async -> Int) async -> Int { let a = await make(); let b = await make(); return a * 100 + b }
var seen = 0
for try await x in Countdown(n: 3) { print("tick", x) }
do { for try await x in Countdown(n: 14) { print("before", x) } } catch { print("caught", error) }
let m = Model(); m.add("a"); m.add("b"); print(m.items)
await Work.shared.tick(); print(await Work.shared.jobs, await job(7))
print(await all(Squares(), [1, -2, 3]), await all(Names(), [4, 5]))
let bank = Bank(["x": 10]); try await bank.move(4, from: "x", to: "y"); do { try await bank.move(40, from: "x", to: "y") } catch { print("refused") }
print(await bank.total, bank.kind, await bank.with { b in b.total + 1 })
print(await lazyValue { seen += 1; return seen })
var names: [String] = []; for await n in [1, 2].lazy.map({ $0 }).async() { names.append("\(n)") }; print(names)
extension Sequence where Element: Sendable { func async() -> Wrapped<Self> { Wrapped(base: self) } }
struct Wrapped<S: Sequence>: AsyncSequence { let base: S; typealias Element = S.Element; struct It: AsyncIteratorProtocol { var i: S.Iterator; mutating func next() async -> S.Element? { i.next() } }; func makeAsyncIterator() -> It { It(i: base.makeIterator()) } }

func typed(_ n: Int) async throws(Bad) -> Int { if n > 1 { throw .luck }; return n }
do { print(try await typed(1)); print(try await typed(2)) } catch { print("typed", error) }
let f: (Int) async -> Int = { await job($0) + 1 }; print(await f(3), (f as Any) is (Int) async -> Int, Task.isCancelled)

func twice(_ n: Int) async -> Int { n * 2 }
func risky(_ n: Int) async throws -> Int { if n > 2 { throw E.big(n) }; return await twice(n) }
enum E: Error { case big(Int) }
actor Counter { var n = 0; func add(_ k: Int) -> Int { n += k; return n }; deinit { print("counter gone", n) } }
protocol Source { func next() async -> Int? }
final class Three: Source { var n = 0; func next() async -> Int? { n += 1; return n > 3 ? nil : n } }
func drain(_ s: some Source) async -> [Int] { var r: [Int] = []; while let x = await s.next() { r.append(x) }; return r }
func applied(_ f: (Int) async throws -> Int, _ x: Int) async rethrows -> Int { try await f(x) }
do {
  print("start")
  print(await twice(4))
  do { print(try await risky(1)); print(try await risky(5)) } catch { print("caught", error) }
  let c = Counter(); for i in 1...3 { print(await c.add(i)) }
  print(await drain(Three()))
  print(await applied({ await twice($0) + 1 }, 20))
  let s: any Source = Three(); print(await s.next() as Any)
  print("end")
}
