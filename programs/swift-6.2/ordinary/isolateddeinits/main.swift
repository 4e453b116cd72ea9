// Deinits that are isolated, tasks that start at once, names and escalation handlers of tasks.

@TaskLocal var label = "none"

@MainActor func onMain() -> Bool { MainActor.assumeIsolated { true } }

actor Log {
  var lines: [String] = []
  func add(_ s: String) { lines.append(s) }
}

actor Node {
  let name: String
  let next: Node?
  init(_ name: String, _ next: Node?) { self.name = name; self.next = next }
  isolated deinit {
    preconditionIsolated()
    print("deinit", name, label)
  }
}

@MainActor final class View {
  let name: String
  init(_ name: String) { self.name = name }
  isolated deinit {
    MainActor.preconditionIsolated()
    print("view", name, label, Task.name ?? "-")
  }
}

@MainActor class Shape {
  var n = 1
  isolated deinit { print("shape", n) }
}
final class Circle: Shape {
  isolated deinit { print("circle", n) }
}

@MainActor func make() -> (View, Circle) { (View("made"), Circle()) }

@MainActor struct Main {
  static func main() async {
    do { _ = Node("a", Node("b", Node("c", nil))) }
    await $label.withValue("bound") {
      do { _ = Node("d", nil) }
      print("still", label)
      let v = View("on main")
      _ = consume v
      await Task.detached(name: "elsewhere") {
        var pair: (View, Circle)? = await make()
        print("have", pair != nil, Task.name ?? "-")
        pair = nil
      }.value
      await MainActor.run {}
      await Task.yield()
      print("after", label)
    }
    // Starting at once.
    print("1")
    let t = Task.immediate(name: "now") { @MainActor in
      print("2", Task.name ?? "-")
      await Task.yield()
      print("4", Task.name ?? "-")
      return 5
    }
    print("3")
    print(await t.value)
    let d = Task.detached {
      print("detached")
      let u = Task.immediate { print("at once"); return Task.currentPriority }
      print("then")
      return await u.value
    }
    print(await d.value)
    await withTaskGroup(of: Int.self) { group in
      group.addImmediateTask { print("child 1"); return 1 }
      print("made 1")
      group.addImmediateTask(name: "c2") { print("child", Task.name ?? "-"); return 2 }
      print("made 2")
      var sum = 0
      for await x in group { sum += x }
      print(sum)
    }
    // Escalation.
    let e = Task.detached(priority: .background) {
      await withTaskPriorityEscalationHandler {
        while Task.currentPriority != .high { try? await Task.sleep(nanoseconds: 1_000_000) }
        print("raised", Task.currentPriority, Task.basePriority!)
      } onPriorityEscalated: { old, new in
        print("from", old, "to", new)
      }
    }
    try? await Task.sleep(nanoseconds: 20_000_000)
    e.escalatePriority(to: .low)
    e.escalatePriority(to: .high)
    await e.value
    print(AsyncStream<Int>.makeStream().continuation == AsyncStream<Int>.makeStream().continuation)
  }
}

await Main.main()
