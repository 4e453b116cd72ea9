// A registry keeps callbacks, and callbacks keep their owners; one is never taken back.
final class Registry {
    static let shared = Registry()
    var callbacks: [(Int) -> Void] = []
}

final class Clock {
    let name: StaticString
    var ticks = 0
    init(_ name: StaticString) { self.name = name }
    @inline(never) func start(_ step: Int) {
        Registry.shared.callbacks.append { time in self.ticks += time * step }
    }
    deinit { print(name, "gone") }
}

@inline(never) func each(_ kind: StaticString, _ body: (Int) -> Void) {
    for n in 1...2 { body(n) }
}

func session() {
    let clock = Clock("clock"), idle = Clock("idle")
    clock.start(2)
    var calls = 0
    each("a kind of calls whose name takes place") { time in
        calls += time
        idle.ticks += time
        Registry.shared.callbacks[0](time)
    }
    print(clock.ticks, idle.ticks, calls)
}
session()
