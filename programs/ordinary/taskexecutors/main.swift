final class InlineExecutor: TaskExecutor, @unchecked Sendable {
  let name: String
  init(_ n: String) { name = n }
  func enqueue(_ job: consuming ExecutorJob) {
    let j = UnownedJob(job)
    print("enqueue on \(name)")
    j.runSynchronously(on: asUnownedTaskExecutor())
  }
}
struct Main {
  static func main() async {
    let a = InlineExecutor("a"), b = InlineExecutor("b")
    let s = await withTaskGroup(of: Int.self) { g in
      g.addTask(executorPreference: a) { print("child on a"); return 1 }
      var n = await g.next()!
      g.addTask(executorPreference: b) { print("child on b"); return 2 }
      n += await g.next()!
      g.addTask(executorPreference: nil) { 4 }
      n += await g.next()!
      _ = g.addTaskUnlessCancelled(executorPreference: a) { print("unless on a"); return 8 }
      n += await g.next()!
      return n
    }
    print(s)
    await withDiscardingTaskGroup { g in
      g.addTask(executorPreference: a) { print("discard on a") }
    }
    try? await withThrowingTaskGroup(of: Int.self) { g in
      g.addTask(executorPreference: b) { print("throwing on b"); return 3 }
      print(try await g.next()!)
    }
    await withTaskExecutorPreference(a) {
      async let x: Int = { print("async let"); return 5 }()
      print(await x)
      let t = Task { print("unstructured does not inherit"); return 9 }
      print(await t.value)
    }
    print("end")
  }
}
await Main.main()
