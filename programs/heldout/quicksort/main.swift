// Generic code over comparable elements: quicksort in place of integers, doubles and structs of two keys.
let size = 150_000
var runtimeSize = size

struct Key: Comparable {
  let major: Int32
  let minor: Int32
  static func < (a: Key, b: Key) -> Bool { return a.major != b.major ? a.major < b.major : a.minor < b.minor }
}

func sort<T: Comparable>(_ a: inout [T], _ low: Int, _ high: Int) {
  var low = low
  var high = high
  while low < high {
    let pivot = a[(low + high) / 2]
    var i = low
    var j = high
    while i <= j {
      while a[i] < pivot { i += 1 }
      while pivot < a[j] { j -= 1 }
      if i <= j {
        a.swapAt(i, j)
        i += 1
        j -= 1
      }
    }
    if j - low < high - i {
      sort(&a, low, j)
      low = i
    } else {
      sort(&a, i, high)
      high = j
    }
  }
}

var state: UInt64 = 88172645463325252
func random() -> Int {
  state ^= state << 13
  state ^= state >> 7
  state ^= state << 17
  return Int(truncatingIfNeeded: state >> 33)
}

var numbers = (0..<runtimeSize).map { _ in random() }
sort(&numbers, 0, numbers.count - 1)
var reals = (0..<runtimeSize).map { _ in Double(random()) / 7 }
sort(&reals, 0, reals.count - 1)
var keys = (0..<runtimeSize).map { _ in Key(major: Int32(random() % 50), minor: Int32(truncatingIfNeeded: random())) }
sort(&keys, 0, keys.count - 1)
print(numbers[runtimeSize / 2], Int(reals[runtimeSize / 3]), keys[runtimeSize / 5].major, keys[runtimeSize / 5].minor)
print(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }, zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 })
