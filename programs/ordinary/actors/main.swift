actor Account {
  var balance = 0
  let name: String
  init(_ n: String) { name = n }
  deinit { print("deinit", name) }
  func deposit(_ n: Int) async { let b = balance; await Task.yield(); balance = b + n }
  func add(_ n: Int) { balance += n }
  nonisolated var title: String { "account \(name)" }
  func transfer(_ n: Int, to o: Account) async { balance -= n; await o.add(n) }
  func check() { preconditionIsolated(); print("isolated"); assertIsolated() }
}
final class Exec: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { let j = UnownedJob(job); print("enqueue"); j.runSynchronously(on: asUnownedSerialExecutor()) }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
actor Custom {
  let e = Exec()
  nonisolated var unownedExecutor: UnownedSerialExecutor { e.asUnownedSerialExecutor() }
  var n = 0
  func bump() -> Int { n += 1; preconditionIsolated(); return n }
}
@globalActor actor Global { static let shared = Global(); }
@Global enum State { static var n = 0; static func touch() -> Int { n += 1; return n } }
struct Main {
  static func main() async {
    let a = Account("a"), b = Account("b")
    await withTaskGroup(of: Void.self) { g in for n in 1...10 { g.addTask { await a.add(n) } } }
    print(await a.balance, a.title)
    await a.transfer(5, to: b)
    print(await a.balance, await b.balance)
    await a.check()
    let c = Custom()
    print(await c.bump(), await c.bump())
    print(await State.touch(), await State.touch())
    await Task.detached { await MainActor.run { MainActor.assertIsolated() } }.value
    let r = await a.assumeInside()
    print(r)
  }
}
extension Account { func assumeInside() -> Int { self.assumeIsolated { $0.balance } } }
await Main.main()
