// custom serial executor of an actor, inline
final class Serial: SerialExecutor, @unchecked Sendable {
  let name: String
  init(_ n: String) { name = n }
  func enqueue(_ job: consuming ExecutorJob) {
    print("\(name): enqueue")
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
actor A {
  let e: Serial
  var n = 0
  init(_ e: Serial) { self.e = e }
  nonisolated var unownedExecutor: UnownedSerialExecutor { e.asUnownedSerialExecutor() }
  func add(_ k: Int) -> Int { preconditionIsolated(); n += k; print("add", n); return n }
  func twice(_ o: A) async { print("before"); _ = await o.add(1); print("after"); n += 10 }
}
@globalActor actor G { 
  static let e = Serial("global")
  static let shared = G()
  nonisolated var unownedExecutor: UnownedSerialExecutor { G.e.asUnownedSerialExecutor() }
}
@G func onG() -> Int { G.preconditionIsolated(); print("on G"); return 7 }
struct Main {
  static func main() async {
    let e = Serial("e"), f = Serial("f")
    let a = A(e), b = A(f), c = A(e)
    print(await a.add(1))
    print(await a.add(2))
    await a.twice(b)
    print("same executor")
    await a.twice(c)
    print(await onG())
    print(await a.n, await b.n, await c.n)
  }
}
await Main.main()
