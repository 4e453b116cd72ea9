actor Feed {
  private var pump: Task<Void, Never>?
  private var waiters: [CheckedContinuation<Int, Never>] = []
  func begin() {
    pump = Task {
      while await self.next() > 0 {}
    }
  }
  func next() async -> Int {
    await withCheckedContinuation { waiters.append($0) }
  }
}
let feed = Feed()
await feed.begin()
for _ in 0..<5 { await Task.yield() }
