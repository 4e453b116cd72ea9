// A task that never ends holds the object that started it.
final class Forever: @unchecked Sendable {
  var task: Task<Void, Never>?
  let name = "forever"
  func start() {
    task = Task {
      while !Task.isCancelled { try? await Task.sleep(nanoseconds: 1_000_000); _ = self.name }
    }
  }
  deinit { print("gone") }
}
func go() async {
  let f = Forever()
  f.start()
  try? await Task.sleep(nanoseconds: 3_000_000)
}
await go()
print("end")
