// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main -Xllvm -sil-print-debuginfo registry.swift
final class Registry {
    var all: [Session] = []
}
final class Session {
    let registry: Registry
    init(_ r: Registry) {
        registry = r
        r.all.append(self)
    }
}
@inline(never) func run() {
    let r = Registry()
    for _ in 0..<3 { _ = Session(r) }
    print(r.all.count)
}
run()
