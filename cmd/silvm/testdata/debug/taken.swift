// Compiled with 6.0.3: swiftc -emit-sil -Onone -module-name main -Xllvm -sil-print-debuginfo taken.swift
final class Cell { var value = 7 }
func borrowed(_ c: Cell) -> Unmanaged<Cell> {
    return Unmanaged.passUnretained(c)
}
final class Job {
    var state: State = .idle
}
enum State {
    case idle
    case waiting(Job)
}
func wait() {
    let a = Job(), b = Job()
    a.state = .waiting(b)
    b.state = .waiting(a)
}
func give() {
    let c = Cell()
    let also = c
    let u = borrowed(c)
    u.release()
    print(also.value)
    print(c.value)
}
wait()
give()
