// Observation: what a closure read, and who hears of its change, once and before it is made.
import Observation
@Observable final class Model { var name = "a"; var count = 0; var items: [Int] = []; @ObservationIgnored var quiet = 0
  var both: String { "\(name)\(count)" }
  init() {} ; init(_ n: String) { name = n }
  deinit { if name == "r" { print("gone", name) } } }
@Observable class Base { var b = 1 }
final class Derived: Base { var d = 2 }
func track(_ tag: String, _ body: () -> Void) { withObservationTracking(body) { print("change", tag) } }
let m = Model()
track("name") { _ = m.name }
m.count += 1; m.name = "b"; m.name = "c"
track("both") { print(m.both) }
m.quiet = 3; m.count = 5; m.name = "z"
track("items") { _ = m.items.count }
m.items.append(1); m.items.append(2)
track("outer") { _ = m.name; track("inner") { _ = m.items } }
m.name = "y"; m.items = [3]; m.count = 10
// value seen in onChange is the old one
withObservationTracking { _ = m.count } onChange: { print("old", m.count) }
m.count = 11; print(m.count)
// two objects
do { let p = Model("p"), q = Model("q"); withObservationTracking { _ = p.name + q.name } onChange: { print("pq") }
  q.name = "q2"; p.name = "p2"; track("p again") { _ = p.name } ; p.name = "p3" }
// observed object dies first
do { var r: Model? = Model("r"); track("r") { _ = r!.name }; r = nil; print("r nil") }
// re-tracking
final class Watcher { let m: Model; var n = 0; init(_ m: Model) { self.m = m }
  func go() { withObservationTracking { _ = m.items } onChange: { [weak self] in guard let self else { print("dead watcher"); return }; n += 1; if n < 4 { go() } } }
  deinit { print("watcher gone", n) } }
var w: Watcher? = Watcher(m); w!.go(); for i in 0..<6 { m.items = [i] }; print(w!.n); w = nil
do { let w2 = Watcher(m); w2.go() }
m.items = [100]
let d = Derived(); track("b") { _ = d.b + d.d }; d.d = 5; d.b = 7
let res = withObservationTracking { m.count * 2 } onChange: { print("r2") }; print(res); m.count = 0
struct E: Error {}
func g<T: Observable>(_ t: T) { print(type(of: t)) }
g(m); print(m is any Observable)

// two that hear of one change, in the order of a set
m.count = 1
var heard = 0
withObservationTracking { withObservationTracking { _ = m.count } onChange: { heard += 1 }; _ = m.count } onChange: { heard += 10 }
m.count = 2
print(heard)
