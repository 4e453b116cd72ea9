struct Boom: Error { let n: Int }
func slow(_ n: Int) async throws -> Int { try await Task.sleep(nanoseconds: UInt64(n) * 10_000_000); return n }
struct Main {
  static func main() async {
    let order = await withTaskGroup(of: Int.self) { g in
      for n in [3, 1, 2] { g.addTask { (try? await slow(n)) ?? -1 } }
      var out: [Int] = []
      while let x = await g.next() { out.append(x) }
      return out
    }
    print(order)
    do {
      try await withThrowingTaskGroup(of: Int.self) { g in
        g.addTask { try await slow(2) }
        g.addTask { try await slow(1); throw Boom(n: 1) }
        g.addTask { do { return try await slow(50) } catch { print("cancelled", error is CancellationError); throw error } }
        for try await x in g { print("got", x) }
      }
    } catch { print("threw", error) }
    await withDiscardingTaskGroup { g in
      for n in 0..<4 { g.addTask { try? await Task.sleep(for: .milliseconds(10 * n + 1)); print("discarded", n) } }
    }
    do {
      try await withThrowingDiscardingTaskGroup { g in
        g.addTask { try await Task.sleep(for: .seconds(100)) }
        g.addTask { try await Task.sleep(for: .milliseconds(5)); throw Boom(n: 7) }
      }
    } catch { print("discarding threw", error) }
  }
}
await Main.main()
