private struct Helper {
    var d: Double
    @inline(never) func show() { print("helper of the second file:", d, self) }
}

private final class Box<T> {
    let w: [T]
    init(_ v: T) { w = [v, v] }
    deinit { print("second box goes") }
}

private enum Kind { case two(String), three }

private struct Pair { var x = 1 }

private protocol Talk {
    func talk()
    func more()
}

extension Helper: Talk {
    fileprivate func talk() { print("second talks", d) }
    fileprivate func more() { print("and says more") }
}

private let shared = Helper(d: 9.5)

@inline(never) private func make(_ n: Int) -> Pair { Pair(x: n) }

@inline(never) private func name(_ k: Kind) -> String {
    switch k {
    case .three: return "three"
    case .two(let s): return "two " + s
    }
}

@inline(never) func runSecond() {
    Helper(d: 1.5).show()
    let b = Box("x")
    print(b.w, name(.two("q")), name(.three), make(5))
    let t: any Talk = Helper(d: 2)
    t.talk()
    t.more()
    print(shared.d, type(of: b))
}
