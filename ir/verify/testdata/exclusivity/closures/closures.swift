// Conflicts through closures, and none. closures.sil is what swiftc 6.0.3 -parse-as-library -emit-silgen -Xllvm -sil-print-debuginfo
// prints, closures.txt what it says with -diagnostic-style llvm -emit-sil of overlapping accesses.
func take(_ f: () -> Void) { f() }
func with<T>(_ x: inout T, _ f: () throws -> Void) rethrows { try f() }
func auto(_ x: inout Int, _ f: @autoclosure () -> Int, _ g: @autoclosure () -> Int) { x = f() }
func convert<T, U>(_ x: inout T, _ f: (U) -> U) {}
func two(_ x: inout Int, _ f: () -> Void, _ g: () -> Int) {}
func three(_ a: inout Int, _ b: inout (Int, Int), _ c: inout Int, _ f: () -> Void) {}
private struct Pair {
  var x = 0, y = 0
  subscript(f: () -> Int) -> Int { _read { yield x } _modify { yield &x } }
  mutating func method(_ f: () -> Void) {}
  mutating func conflict() { method { x = 1 }; method { _ = x }; with(&x) { x = 2 } }
  mutating func disjoint() { with(&x) { y = 2 }; with(&y) { with(&x) {} } }
}
func writes() { var x = 0; with(&x) { x = 3 }; with(&x) { _ = x }; with(&x) { _ = x; x = 1 }; with(&x) {} }
func other() { var x = 0, y = 0; with(&x) { y = 3 }; with(&y) { _ = x } }
func nested() { var x = 0; with(&x) { take { take { x = 1 } } }; take { with(&x) { x = 2 } } }
func autoclosures() { var x = 1, y = 2; auto(&x, y, x); auto(&y, x, x) }
func tuples() { var t = (1, 2); with(&t.0) { t.1 = 3 }; with(&t.0) { t.0 = 3 }; with(&t.0) { t = (1, 2) }; with(&t) { t.1 = 1 } }
private func fields() { var p = Pair(); with(&p.x) { p.y = 2; p.x = 1; p = Pair() }; p.method { p.y = 1 }; p[{ p.x = 2; return 1 }] = 1 }
func sorts(_ a: inout [Int]) { a.sort { a.isEmpty || $0 < $1 }; a.sort { $0 < $1 }; a = a.map { a[$0] } }
func pointers() { var x = 1, y = 2; withUnsafeMutablePointer(to: &x) { $0.pointee = x }; withUnsafeMutablePointer(to: &y) { $0.pointee = x } }
func throwing() throws { var x = 1; try with(&x) { if x > 0 { throw CancellationError() } } }
func escaping() { var x = 1; let f = { x = 2 }; with(&x, f); with(&x) { f() } }
func local() { var x = 1; func l() { x = 2 }; with(&x) { l() } }
func choice(_ c: Bool) { var x = 1; with(&x, c ? { x = 1 } : { }) }
func reabstracted() { var x = 1; convert(&x) { (i: Int) in x = i; return i } }
func several() { var x = 1; two(&x, { x = 1 }, { x }); var t = (1, 2); three(&t.0, &t, &t.0) { t.1 = 3 } }
func called() { var x = 1; ({ (p: inout Int) in x = 2 })(&x); ({ (p: inout Int) in p = 2 })(&x) }
func reads(_ x: inout Int) { withUnsafePointer(to: x) { _ = $0.pointee + x }; withUnsafePointer(to: &x) { _ = $0.pointee + x } }
struct Single: ~Copyable { var a = 1; mutating func method(_ f: () -> Void) {} }
func single() { var n = Single(); n.method { n.a = 1 }; with(&n.a) { n.a = 2 }; n = Single() }
