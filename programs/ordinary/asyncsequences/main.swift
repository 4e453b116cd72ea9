struct Count: AsyncSequence { typealias Element = Int; let n: Int
  struct It: AsyncIteratorProtocol { var i = 0; let n: Int; mutating func next() async -> Int? { await Task.yield(); i += 1; return i <= n ? i : nil } }
  func makeAsyncIterator() -> It { It(n: n) } }
struct Fail: AsyncSequence { typealias Element = Int
  struct It: AsyncIteratorProtocol { var i = 0; mutating func next() async throws -> Int? { i += 1; if i == 3 { throw E() }; return i } }
  func makeAsyncIterator() -> It { It() } }
struct E: Error {}
struct Main {
  static func main() async {
    for await x in Count(n: 3) { print(x) }
    print(await Count(n: 5).map { $0 * 2 }.reduce(0, +))
    var out: [Int] = []
    for await x in Count(n: 10).filter({ $0 % 2 == 0 }).map({ $0 + 100 }) { out.append(x) }
    print(out)
    print(await Count(n: 4).contains(3), await Count(n: 4).contains { $0 > 9 }, await Count(n: 4).allSatisfy { $0 < 5 })
    print(await Count(n: 4).first { $0 > 2 } as Any, await Count(n: 4).max() as Any, await Count(n: 4).min() as Any, await Count(n: 4).min { $0 > $1 } as Any)
    out = []; for await x in Count(n: 6).dropFirst(2).prefix(3) { out.append(x) }; print(out)
    out = []; for await x in Count(n: 6).drop(while: { $0 < 4 }) { out.append(x) }; print(out)
    out = []; for await x in Count(n: 6).prefix(while: { $0 < 4 }) { out.append(x) }; print(out)
    var s: [String] = []; for await x in Count(n: 4).compactMap({ $0 % 2 == 0 ? "\($0)" : nil }) { s.append(x) }; print(s)
    out = []; for await x in Count(n: 3).flatMap({ Count(n: $0) }) { out.append(x) }; print(out)
    print(await Count(n: 3).reduce(into: []) { $0.append($1) })
    do { for try await x in Fail() { print("f", x) } } catch { print("caught", error) }
    do { for try await x in Fail().map({ $0 * 3 }) { print("m", x) } } catch { print("caught", error) }
    do { for try await x in Count(n: 3).map({ x throws -> Int in if x == 2 { throw E() }; return x }) { print("tm", x) } } catch { print("caught", error) }
    var it = Count(n: 2).makeAsyncIterator(); while let x = await it.next() { print("it", x) }
    let any: any AsyncSequence = Count(n: 2)
    do { for try await x in any { print("any", x) } } catch {}
  }
}
await Main.main()
func total<S: AsyncSequence>(_ s: S) async throws -> Int where S.Element == Int { var n = 0; for try await x in s { n += x }; return n }
print(try await total(Count(n: 4).map { $0 * 3 }), try await total(Count(n: 4).prefix(2)), try await total(AsyncStream<Int> { $0.yield(7); $0.finish() }))
print(await withTaskGroup(of: Int.self) { g in for i in 1...10 { g.addTask { i } }; return await g.map { $0 * 2 }.filter { $0 % 3 == 0 }.reduce(0, +) })
// Through the typed requirement, whose error is the sequence's own.
func each<S: AsyncSequence>(_ s: S) async throws(S.Failure) -> [S.Element] {
  var (all, i) = ([S.Element](), s.makeAsyncIterator())
  while let x = try await i.next(isolation: nil) { all.append(x) }
  return all
}
func failing() -> AsyncThrowingStream<Int, any Error> { AsyncThrowingStream { c in c.yield(1); c.yield(2); c.finish(throwing: E()) } }
print(try await each(failing().prefix(2)), await each(AsyncStream<Int> { $0.yield(7); $0.finish() }.map { $0 + 1 }))
do { print(try await each(failing())) } catch { print("stream", error) }
print(try await withThrowingTaskGroup(of: Int.self) { g in for i in 1...4 { g.addTask { i } }; return try await each(g).sorted() })
do { print(try await withThrowingTaskGroup(of: Int.self) { g in g.addTask { throw E() }; return try await each(g.filter { $0 > 1 }) }) } catch { print("group", error) }
