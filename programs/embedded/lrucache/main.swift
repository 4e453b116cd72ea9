// A least-recently-used cache: generic over key and value, a dictionary of list nodes with
// unmanaged back links.
final class Entry<Key: Hashable, Value> {
  let key: Key
  var value: Value
  var next: Entry?
  var previous: Unmanaged<Entry>?
  init(_ key: Key, _ value: Value) {
    self.key = key
    self.value = value
  }
}

final class Cache<Key: Hashable, Value> {
  private var entries: [Key: Entry<Key, Value>] = [:]
  private var head: Entry<Key, Value>?
  private var tail: Entry<Key, Value>?
  let capacity: Int
  private(set) var hits = 0
  init(capacity: Int) { self.capacity = capacity }

  private func unlink(_ e: Entry<Key, Value>) {
    let before = e.previous?.takeUnretainedValue()
    if let b = before { b.next = e.next } else { head = e.next }
    if let n = e.next { n.previous = e.previous } else { tail = before }
    e.next = nil
    e.previous = nil
  }
  private func pushFront(_ e: Entry<Key, Value>) {
    e.next = head
    if let h = head { h.previous = Unmanaged.passUnretained(e) } else { tail = e }
    head = e
  }
  subscript(key: Key) -> Value? {
    get {
      guard let e = entries[key] else { return nil }
      hits += 1
      unlink(e)
      pushFront(e)
      return e.value
    }
    set {
      if let e = entries[key] {
        unlink(e)
        guard let v = newValue else {
          entries[key] = nil
          return
        }
        e.value = v
        pushFront(e)
      } else if let v = newValue {
        if entries.count == capacity, let t = tail {
          unlink(t)
          entries[t.key] = nil
        }
        let e = Entry(key, v)
        entries[key] = e
        pushFront(e)
      }
    }
  }
  func forEach(_ body: (Key, Value) -> Void) {
    var e = head
    while let x = e {
      body(x.key, x.value)
      e = x.next
    }
  }
}

final class Page {
  let number: Int
  init(_ n: Int) { number = n }
  deinit { print(-number) }
}

let cache = Cache<Int, Page>(capacity: 3)
for i in 1...4 { cache[i] = Page(i) }
print(cache[1] == nil)
print(cache[2]!.number)
cache[5] = Page(5)
cache[4] = nil
cache.forEach { k, v in print(k * 100 + v.number) }
cache[2] = Page(22)
cache.forEach { k, v in print(k * 100 + v.number) }
let fib = Cache<UInt8, Int>(capacity: 4)
func fibonacci(_ n: UInt8) -> Int {
  if n < 2 { return Int(n) }
  if let f = fib[n] { return f }
  let f = fibonacci(n - 1) + fibonacci(n - 2)
  fib[n] = f
  return f
}
print(fibonacci(60))
print(fib.hits)
