private struct Helper {
    var n: Int
    var s = "first"
    @inline(never) func show() { print("helper of the first file:", n, s, self) }
}

private final class Box<T> {
    let v: T
    init(_ v: T) { self.v = v }
    deinit { print("first box goes") }
}

private enum Kind { case one, two(Int) }

private typealias Pair = (Int, String)

private protocol Talk { func talk() }

extension Helper: Talk {
    fileprivate func talk() { print("first talks", n) }
}

private let shared = Helper(n: 9)

@inline(never) private func make(_ n: Int) -> Pair { (n, "first") }

@inline(never) private func name(_ k: Kind) -> String {
    switch k {
    case .one: return "one"
    case .two(let n): return "two \(n)"
    }
}

@inline(never) func runFirst() {
    Helper(n: 1).show()
    let b = Box(3)
    print(b.v, name(.two(4)), name(.one), make(5))
    let t: any Talk = Helper(n: 2)
    t.talk()
    print(shared.n, type(of: b))
}
