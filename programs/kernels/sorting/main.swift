// Sorting and searching: merge sort, insertion sort, the library's sort with closures, binary search, a sieve of ranks.
let size = 20_000
var runtimeSize = size

struct Item: Equatable {
  var rank: Int
  var weight: Double
}

@inline(never) func mergeSort(_ a: [Int]) -> [Int] {
  if a.count < 2 { return a }
  let half = a.count / 2
  let l = mergeSort(Array(a[..<half])), r = mergeSort(Array(a[half...]))
  var out: [Int] = []
  out.reserveCapacity(a.count)
  var i = 0, j = 0
  while i < l.count && j < r.count {
    if l[i] <= r[j] {
      out.append(l[i])
      i += 1
    } else {
      out.append(r[j])
      j += 1
    }
  }
  while i < l.count { out.append(l[i]); i += 1 }
  while j < r.count { out.append(r[j]); j += 1 }
  return out
}

@inline(never) func insertionSort(_ a: inout [Item]) {
  for i in 1..<a.count {
    let x = a[i]
    var j = i
    while j > 0 && a[j - 1].weight > x.weight {
      a[j] = a[j - 1]
      j -= 1
    }
    a[j] = x
  }
}

@inline(never) func search(_ a: [Int], _ x: Int) -> Int? {
  var low = 0
  var high = a.count
  while low < high {
    let middle = low + (high - low) / 2
    if a[middle] == x { return middle }
    if a[middle] < x { low = middle + 1 } else { high = middle }
  }
  return nil
}

@inline(never) func histogram(_ a: [Int], _ buckets: Int) -> [Int] {
  var out = [Int](repeating: 0, count: buckets)
  for x in a { out[x % buckets] += 1 }
  return out
}

let n = runtimeSize
let numbers = (0..<n).map { ($0 &* 1103515245 &+ 12345) & 0x7fffffff }
let sorted = mergeSort(numbers)
var items = (0..<n / 20).map { Item(rank: $0, weight: Double(numbers[$0] % 1000) / 8) }
insertionSort(&items)
let descending = numbers.sorted { $0 > $1 }
var hits = 0
for k in 0..<n where search(sorted, numbers[k] ^ (k & 1)) != nil { hits += 1 }
print(sorted[n / 3], items[7].rank, descending[5], hits, histogram(numbers, 97).max()!)
