struct Fail: Error {}
struct Main {
  static func main() async throws {
    let s = AsyncStream<Int> { c in
      c.onTermination = { print("terminated", $0) }
      for n in 1...3 { print(c.yield(n)) }
      c.finish()
      print(c.yield(9))
    }
    for await x in s { print(x) }
    let (t, k) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(2))
    for x in ["a", "b", "c"] { print(k.yield(x)) }
    k.finish()
    for await x in t { print(x) }
    let u = AsyncThrowingStream<Int, Error> { c in
      Task { for n in 0..<3 { try await Task.sleep(for: .milliseconds(3)); c.yield(n) }; c.finish(throwing: Fail()) }
    }
    do { for try await x in u { print("u", x) } } catch { print("error", error) }
    var n = 0
    let v = AsyncStream(unfolding: { () -> Int? in n += 1; return n < 4 ? n * n : nil })
    for await x in v { print(x) }
    let consumer = Task {
      let w = AsyncStream<Int> { c in c.onTermination = { print("w", $0) } }
      for await x in w { print("never", x) }
      print("consumer done", Task.isCancelled)
    }
    try await Task.sleep(for: .milliseconds(1))
    consumer.cancel()
    await consumer.value
  }
}
try await Main.main()
