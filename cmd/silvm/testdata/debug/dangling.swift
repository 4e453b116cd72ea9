// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main -Xllvm -sil-print-debuginfo dangling.swift
final class Session { var n = 1 }
final class View {
    unowned var s: Session
    init(_ s: Session) { self.s = s }
}
func make() -> View {
    let s = Session()
    return View(s)
}
func run() {
    let v = make()
    print(v.s.n)
}
run()
