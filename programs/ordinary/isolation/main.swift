// Which executor the running code is isolated to, asked of custom executors in each way that they have to answer.

final class Inline: SerialExecutor, CustomStringConvertible {
  let description: String
  init(_ name: String) { description = name }
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(complexEquality: self) }
  func isSameExclusiveExecutionContext(other: Inline) -> Bool {
    print("  same \(self) \(other)?")
    return description.first == other.description.first
  }
  func checkIsolated() { print("  check \(self)") }
}

class Base: SerialExecutor {
  let name: String
  init(_ name: String) { self.name = name }
  func enqueue(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(complexEquality: self) }
  func isSameExclusiveExecutionContext(other: Base) -> Bool {
    print("  \(name) like \(other.name)? \(type(of: self)) \(type(of: other))")
    return true
  }
}
final class Left: Base {}
final class Right: Base {}

// Both kinds: a default actor's job that it runs stays the actor's.
final class Both: SerialExecutor, TaskExecutor {
  func enqueue(_ job: UnownedJob) {
    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
  func checkIsolated() { print("  check both") }
}

actor Worker {
  nonisolated let executor: any SerialExecutor
  init(_ e: any SerialExecutor) { executor = e }
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  var count = 0
  func expect(_ e: any SerialExecutor, _ what: String) {
    count += 1
    print("expect", what)
    e.preconditionIsolated()
  }
  nonisolated func assumed() -> Int { assumeIsolated { $0.count } }
  func count(after n: Int) -> Int { count += n; return assumed() }
}

actor Plain {
  var log: [String] = []
  func run(_ e: Both) async {
    preconditionIsolated()
    print("on the plain actor")
    e.preconditionIsolated()
    await nowhere(e)
    preconditionIsolated()
    log.append("x")
    print("back", log)
  }
}

nonisolated func nowhere(_ e: Both) async {
  print("nonisolated")
  e.preconditionIsolated()
}

@MainActor struct Main {
  static func main() async {
    let a1 = Inline("a1"), a2 = Inline("a2"), b = Inline("b")
    let w = Worker(a1)
    await w.expect(a1, "a1")
    await w.expect(a2, "a2")
    await w.expect(b, "b, which lets itself be checked")
    print(await w.count(after: 10))
    let v = Worker(Left("left"))
    await v.expect(Right("right"), "right")
    await v.expect(Left("other"), "other")
    print(UnownedSerialExecutor(ordinary: a1))
    let both = Both(), plain = Plain()
    await Task(executorPreference: both) {
      await plain.run(both)
      print("in the task")
      both.preconditionIsolated()
    }.value
    await withTaskExecutorPreference(globalConcurrentExecutor) { await plain.run(both) }
    MainActor.assertIsolated()
    await v.expect(b, "b from elsewhere")
    print("before")
    await Worker(Right("r")).expect(Both(), "a new one")
    await Worker(Both()).expect(Base("base"), "nothing like it: ends")
  }
}

await Main.main()
