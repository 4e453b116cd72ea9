final class Box: @unchecked Sendable { var n = 0 }
struct Main {
  static func main() async {
    let t = Task { () -> String in
      do { try await Task.sleep(for: .seconds(1000)); return "slept" } catch { return "cancelled \(Task.isCancelled)" }
    }
    await Task.yield()
    t.cancel()
    print(await t.value, t.isCancelled)
    let u = Task {
      await withTaskCancellationHandler {
        var spins = 0
        while !Task.isCancelled { spins += 1; await Task.yield() }
        return "stopped"
      } onCancel: { print("handler") }
    }
    try? await Task.sleep(for: .milliseconds(5))
    u.cancel()
    print(await u.value)
    let v = Task { () throws -> Int in
      withUnsafeCurrentTask { $0?.cancel() }
      await withTaskCancellationHandler { print("operation") } onCancel: { print("early handler") }
      try Task.checkCancellation()
      return 1
    }
    switch await v.result { case .success(let n): print(n); case .failure(let e): print(e is CancellationError, e) }
    async let w: Int = { do { try await Task.sleep(for: .seconds(9)); return 1 } catch { print("let cancelled"); return 2 } }()
    _ = 0
    let d = Task.detached(priority: .low) { Task.currentPriority }
    print(await d.value, Task.isCancelled)
    print(await Task(priority: .high) { (Task.currentPriority, Task.basePriority) }.value)
    withUnsafeCurrentTask { print($0 != nil, $0!.isCancelled) }
  }
}
await Main.main()
