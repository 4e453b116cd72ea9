// Expansions that name no pack: something else counts how often there is nothing.
struct Odd: Error { let at: Int }
struct Log { var lines: [String] = []; mutating func add<T>(_ t: T) throws { if lines.count == 3 { throw Odd(at: 3) }; lines.append("\(t)") } }
struct Box<each C> {
  var all: (repeat each C)
  init(_ c: repeat each C) { all = (repeat each c) }
  @_optimize(none) func write(to log: inout Log) throws { _ = try (repeat log.add(each all)) }
  @_optimize(none) func rewrite<each D>(_ d: repeat each D, to log: inout Log) throws { try Box<Int, repeat each D>(1, repeat each d).write(to: &log) }
}
@_optimize(none) func voids<each C>(_ c: repeat each C, f: (Any) -> Void) -> Int { let t = (repeat f(each c)); return MemoryLayout.size(ofValue: t) }
var log = Log()
try Box(1, "two").write(to: &log); print(log.lines)
do { try Box<Int>(7).rewrite(5, to: &log); print(log.lines) } catch { print(error, log.lines) }
do { try Box("x").rewrite(to: &log); print(log.lines) } catch { print(error, log.lines) }
print(voids(1, "a", f: { print($0) }), voids(f: { _ in }), voids(2.5, f: { print($0) }))
