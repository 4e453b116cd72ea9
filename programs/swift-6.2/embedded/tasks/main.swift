// Tasks in Embedded Swift: the concurrency library's own text is in the file.
import _Concurrency

actor Counter {
  var n = 0
  func add(_ k: Int) -> Int { n += k; return n }
}
enum Oops: Error { case bad(Int) }
func work(_ k: Int) async throws(Oops) -> Int {
  if k > 3 { throw .bad(k) }
  await Task.yield()
  return k * 2
}
final class Noisy {
  let n: Int
  init(_ n: Int) { self.n = n }
  deinit { print("deinit"); print(n) }
}
@main struct Main {
  static func main() async {
    let c = Counter()
    print(await Task { await c.add(5) }.value)
    async let a = c.add(1)
    print(await a)
    async let b = Noisy(6)
    print(await b.n)
    print(await withTaskGroup(of: Int.self) { g in
      for i in 0..<4 { g.addTask { await c.add(i) - c.add(0) } }
      var count = 0
      for await _ in g { count += 1 }
      return count
    })
    await withDiscardingTaskGroup { g in
      for i in 0..<3 { g.addTask { _ = await c.add(i) } }
    }
    print(await c.n)
    do throws(Oops) { print(try await work(2)); print(try await work(5)) } catch {
      switch error { case .bad(let k): print("bad"); print(k) }
    }
    print(await withUnsafeContinuation { (k: UnsafeContinuation<Int, Never>) in k.resume(returning: 7) })
    let later = Task { await withUnsafeContinuation { (k: UnsafeContinuation<Int, Never>) in Task { k.resume(returning: 8) } } }
    print(await later.value)
    let (stream, cont) = AsyncStream<Int>.makeStream()
    Task { for i in 0..<3 { cont.yield(i); await Task.yield() }; cont.finish() }
    for await i in stream { print(i) }
    let q = Task {
      await withTaskCancellationHandler {
        while !Task.isCancelled { await Task.yield() }
        return 3
      } onCancel: { print("cancelled") }
    }
    q.cancel()
    print(await q.value)
    print(Task.isCancelled)
    print(await Task { Noisy(9).n }.value)
  }
}
