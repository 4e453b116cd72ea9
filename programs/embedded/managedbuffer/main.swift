// not at -Onone: the compiler itself fails on it there
// A copy-on-write array on ManagedBuffer: tail allocation, uniqueness checks, deinit.
final class Storage: ManagedBuffer<Int, Int> {
  static func make(capacity: Int) -> Storage {
    return create(minimumCapacity: capacity) { _ in 0 } as! Storage
  }
  deinit { print("storage deinit") }
}

struct Bag {
  private var storage = Storage.make(capacity: 4)
  private var capacity = 4
  var count: Int { return storage.header }
  private mutating func makeRoom() {
    let full = count == capacity
    if !full && isKnownUniquelyReferenced(&storage) { return }
    let larger = full ? capacity * 2 : capacity
    print(full ? "grow" : "copy")
    let fresh = Storage.make(capacity: larger)
    let n = count
    fresh.header = n
    storage.withUnsafeMutablePointerToElements { from in
      fresh.withUnsafeMutablePointerToElements { to in to.update(from: from, count: n) }
    }
    storage = fresh
    capacity = larger
  }
  mutating func add(_ x: Int) {
    makeRoom()
    let n = count
    storage.withUnsafeMutablePointerToElements { ($0 + n).initialize(to: x) }
    storage.header = n + 1
  }
  subscript(i: Int) -> Int {
    get {
      precondition(i < count)
      return storage.withUnsafeMutablePointerToElements { $0[i] }
    }
    set {
      makeRoom()
      storage.withUnsafeMutablePointerToElements { $0[i] = newValue }
    }
  }
}

func run() {
  var a = Bag()
  for i in 1...6 { a.add(i * i) }
  print(a.count)
  var b = a
  b[0] = 100
  b[1] = 200
  print(a[0])
  print(b[0])
  print(b[5])
  a.add(7)
  print(a.count + b.count)
}
run()
