// Types that extensions nest in the program's own types of the library's names. What is compiled without optimization has a variable self of
// which only the function itself tells whose type it is.
struct _HashTable {
  var scale: Int
}
extension _HashTable {
  struct Bucket: Equatable {
    var offset: Int
    @_optimize(none) init(offset: Int) {
      precondition(offset >= 0)
      self.offset = offset
    }
  }
  struct Header {
    var count: Int
    @_optimize(none) init(count: Int) {
      precondition(count > 0)
      self.count = count
    }
  }
  @_optimize(none) func moved(_ b: Bucket) -> Bucket { Bucket(offset: b.offset + scale) }
}

struct Set {
  var x: Int
  @_optimize(none) init(x: Int) {
    precondition(x > 0)
    self.x = x
  }
}
extension Set {
  struct Index {
    var i: Int
    @_optimize(none) init(i: Int) {
      precondition(i > 0)
      self.i = i
    }
  }
}

@_optimize(none) func show<T>(_ x: T) { print(T.self, x) }

show(_HashTable(scale: 3).moved(_HashTable.Bucket(offset: 4)))
show(_HashTable.Header(count: 2))
show(Set(x: 1))
show(Set.Index(i: 2))
show(Swift.Set([3]))
