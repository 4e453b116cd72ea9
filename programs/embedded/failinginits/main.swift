// Initializers that fail at each stage: what was initialized by then is destroyed, and no deinit runs before all of it is.
// not at -O: the deinit of Derived retains and releases the object there, and the runtime of Embedded mode then begins it again
struct Refused: Error { var code: Int }

final class Part {
  let n: Int
  init(_ n: Int) { self.n = n }
  deinit { print(-n) }
}

class Base {
  var a: Part
  let b: Part
  init(_ n: Int) throws(Refused) {
    a = Part(1)
    if n == 1 { throw Refused(code: 10) }
    b = Part(2)
    if n == 2 { throw Refused(code: 20) }
  }
  convenience init(twice n: Int) throws(Refused) {
    if n == 9 { throw Refused(code: 90) }
    try self.init(n)
    if n == 4 { throw Refused(code: 40) }
  }
  func name() -> StaticString { return "base" }
  deinit { print("base deinit") }
}

class Middle: Base {
  var list = [Part(3), Part(4)]
  override func name() -> StaticString { return "middle" }
}

final class Derived: Middle {
  let own: Part
  var maybe: Part?
  override init(_ n: Int) throws(Refused) {
    if n == 0 { throw Refused(code: 1) }
    own = Part(5)
    maybe = n == 5 ? nil : Part(6)
    try super.init(n)
    if n == 3 { throw Refused(code: 30) }
  }
  init?(optional n: Int) {
    own = Part(7)
    if n == 6 { return nil }
    do { try super.init(n) } catch { return nil }
  }
  override func name() -> StaticString { return "derived" }
  deinit { print("derived deinit") }
}

func make(_ n: Int) {
  do throws(Refused) {
    let x: Base = try Derived(n)
    print(x.name())
  } catch {
    print(error.code)
  }
}
for n in 0...5 { make(n) }
for n in [1, 4, 9, 8] {
  do throws(Refused) {
    print(try Middle(twice: n).name())
  } catch {
    print(error.code)
  }
}
for n in [6, 1, 2, 5] {
  if let d = Derived(optional: n) { print(d.own.n) } else { print("nil") }
}

struct Pair {
  let left: Part
  var right: Part
  init(_ n: Int) throws(Refused) {
    left = Part(8)
    if n == 1 { throw Refused(code: 11) }
    right = Part(9)
    if n == 2 { throw Refused(code: 12) }
  }
}
for n in 1...3 {
  do throws(Refused) {
    print(try Pair(n).right.n)
  } catch {
    print(error.code)
  }
}
