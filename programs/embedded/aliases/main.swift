// Properties read before and behind what may change them: method calls, closures, raw pointers into the object.
class Step { func go(_ o: Counter) {} }
final class Add: Step { override func go(_ o: Counter) { o.x += 1 } }
final class Grow: Step {
  var k = 2
  override func go(_ o: Counter) {
    o.x += k
    o.list.append(3)
  }
}
final class Counter { var x = 0, y = 2, z = 3, list: [Int] = [1] }
var total = 0

@inline(never) func methods(_ steps: [Step], _ o: Counter) -> Int {
  var s = 0
  for b in steps {
    s += o.x * 10
    b.go(o)
    s += o.x
    total += 1
  }
  return s
}
@inline(never) func closures(_ o: Counter, _ fs: [(Counter) -> Void]) -> Int {
  var s = 0
  for f in fs {
    s += o.x * 10
    f(o)
    s += o.x
    total += o.list.count
  }
  return s
}
@inline(never) func until(_ o: Counter, _ b: Step, _ n: Int) -> Int {
  var i = 0
  while o.x < n {
    b.go(o)
    i += 1
    if i > 100 { return -1 }
  }
  return i
}
print(methods([Add(), Grow(), Add(), Grow()], Counter()))
print(total)
let o = Counter()
print(closures(o, [{ $0.x += 5 }, { $0.list.append($0.x) }, { $0.x *= 2 }]))
print(total)
print(until(Counter(), Add(), 10))
print(until(Counter(), Grow(), 20))
print(until(Counter(), Step(), 20))

// One word is a reference on one way and the address of a property on the other.
@inline(never) func word(_ o: Counter, _ w: Int, _ isObject: Bool) -> Int {
  let before = o.z
  if isObject {
    unsafeBitCast(w, to: Counter.self).x = 7
  } else {
    UnsafeMutablePointer<Int>(bitPattern: w)![2] = 99
  }
  return before * 1000 + o.z
}
func words() {
  let o = Counter(), p = Counter()
  withExtendedLifetime((o, p)) {
    print(word(o, unsafeBitCast(p, to: Int.self), true))
    print(word(o, unsafeBitCast(o, to: Int.self) + 16, false))
  }
  print(p.x)
}
words()
