// Task.startOnMainActor: the task runs where it is started, up to where it waits first.
@_spi(MainActorUtilities) import _Concurrency

enum Local { @TaskLocal static var name = "none" }
struct Failed: Error { let n: Int }
final class Noisy { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("gone", n) } }

@MainActor func run() async {
  let t = Local.$name.withValue("inherited") {
    Task.startOnMainActor { () -> Int in
      print("in the task", Local.name, Task.currentPriority == .high)
      await Task.yield()
      print("went on", Task.isCancelled)
      return 7
    }
  }
  print("started")
  print(await t.value)
  let noisy = Noisy(1)
  let u = Task.startOnMainActor(priority: .high) { () -> Noisy in
    print("asked for", Task.currentPriority == .high)
    return noisy
  }
  print("no wait in it")
  print(await u.value.n)
  let v = Task.startOnMainActor { () async throws -> String in
    print("throws", noisy.n)
    await Task.yield()
    throw Failed(n: 3)
  }
  v.cancel()
  do { print(try await v.value) } catch { print(error, v.isCancelled) }
  let w: Task<Int, any Error> = Task.startOnMainActor { throw Failed(n: 4) }
  print(await w.result)
}
await run()
print("end")
