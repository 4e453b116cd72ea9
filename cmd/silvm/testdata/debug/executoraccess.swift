// The executor has an access open while it runs a job, which accesses the same variable.
@inline(never) func exclusively(_ x: inout Int, _ f: (inout Int) -> Void) { f(&x) }
var free = 1
var held = 2
final class Inline: SerialExecutor {
  func enqueue(_ job: UnownedJob) { exclusively(&held) { _ in job.runSynchronously(on: asUnownedSerialExecutor()) } }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
actor Account {
  let executor = Inline()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func use() { exclusively(&free) { _ in } }
  func touch() { exclusively(&held) { _ in } }
}
@main struct Main {
  static func main() async {
    let a = Account()
    await a.use()
    print("used")
    await a.touch()
    print("touched")
  }
}
