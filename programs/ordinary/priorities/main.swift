// Priorities of tasks: what is asked for, what is inherited, and what is raised because somebody waits.

func show(_ what: String) {
  print(what, "base", Task.basePriority.map { "\($0)" } ?? "none", "current", Task.currentPriority)
}

func untilRaised(to p: TaskPriority) async {
  while Task.currentPriority != p { try? await Task.sleep(nanoseconds: 1_000_000) }
}

// Waits without lending the priority that awaiting the value lends.
actor Gate {
  var isOpen = false
  func open() { isOpen = true }
  nonisolated func wait() async { while await !isOpen { try? await Task.sleep(nanoseconds: 1_000_000) } }
}

func unlent(_ start: (Gate) -> Void) async {
  let g = Gate()
  start(g)
  await g.wait()
}

func alone(_ body: @escaping @Sendable () async -> Void) async {
  let g = Gate()
  Task.detached {
    await body()
    await g.open()
  }
  await g.wait()
}

@MainActor struct Main {
  static func main() async {
    for p: TaskPriority in [.background, .utility, .low, .medium, .userInitiated, .high] {
      await alone {
        let g = Gate()
        Task.detached(priority: p) {
          show("detached \(p):")
          await Task { show("  task in it:") }.value
          await unlent { g in _ = Task(priority: .medium) { show("  medium task in it:"); await g.open() } }
          await unlent { g in _ = Task.detached { show("  detached in it:"); await g.open() } }
          async let a: Void = show("  async let in it:")
          await a
          await withTaskGroup(of: Void.self) { group in
            group.addTask { show("  child:") }
            await group.next()
            group.addTask(priority: .low) { show("  low child:") }
            await group.next()
            group.addTask(priority: .high) { show("  high child:") }
          }
          await g.open()
        }
        await g.wait()
      }
    }
    // Raised by who waits; children made after that start at the raised priority, but keep the base.
    await alone {
      let t = Task.detached(priority: .background) {
        show("before:")
        await untilRaised(to: .medium)
        show("raised:")
        await Task { show("  task:") }.value
        async let a: Void = show("  async let:")
        await a
        await withTaskGroup(of: Void.self) { group in
          group.addTask { show("  child:") }
          await group.next()
          group.addTask(priority: .utility) { show("  low child:") }
        }
      }
      try? await Task.sleep(nanoseconds: 30_000_000)
      await t.value
    }
    // Children that run are raised with their parent.
    await alone {
      let t = Task.detached(priority: .background) {
        await withTaskGroup(of: Int.self) { group in
          for n in 0..<3 { group.addTask { await untilRaised(to: .medium); return n } }
          var sum = 0
          for await n in group { sum += n }
          print("children", sum, Task.currentPriority)
        }
        async let grandchild: Int = {
          async let x: Int = { await untilRaised(to: .medium); return 1 }()
          return await x
        }()
        print("grandchild", await grandchild)
      }
      try? await Task.sleep(nanoseconds: 30_000_000)
      await t.value
      print("not lowered", Task.currentPriority)
    }
  }
}

await Main.main()
