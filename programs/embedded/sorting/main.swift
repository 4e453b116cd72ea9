// Arrays: append, sort, map, filter, reduce, slices, two dimensions.
func bubble(_ a: inout [Int]) {
  for i in 0..<a.count {
    for j in 1..<(a.count - i) where a[j - 1] > a[j] {
      a.swapAt(j - 1, j)
    }
  }
}

func quicksort(_ a: inout [Int], _ lo: Int, _ hi: Int) {
  if lo >= hi { return }
  let pivot = a[(lo + hi) / 2]
  var i = lo
  var j = hi
  while i <= j {
    while a[i] < pivot { i += 1 }
    while a[j] > pivot { j -= 1 }
    if i <= j {
      a.swapAt(i, j)
      i += 1
      j -= 1
    }
  }
  quicksort(&a, lo, j)
  quicksort(&a, i, hi)
}

func mergesort(_ a: ArraySlice<Int>) -> [Int] {
  if a.count < 2 { return Array(a) }
  let mid = (a.startIndex + a.endIndex) / 2
  let l = mergesort(a[a.startIndex..<mid])
  let r = mergesort(a[mid..<a.endIndex])
  var out: [Int] = []
  out.reserveCapacity(a.count)
  var i = 0
  var j = 0
  while i < l.count && j < r.count {
    if l[i] <= r[j] { out.append(l[i]); i += 1 } else { out.append(r[j]); j += 1 }
  }
  out += l[i...]
  out += r[j...]
  return out
}

func checksum(_ a: [Int]) -> Int {
  var h = 7
  for (i, x) in a.enumerated() { h = (h &* 31 &+ x &* (i + 1)) % 1_000_003 }
  return h
}

var seed = 12345
func random() -> Int {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed % 1000
}

var data: [Int] = []
for _ in 0..<60 { data.append(random()) }
var a = data
bubble(&a)
var b = data
quicksort(&b, 0, b.count - 1)
let c = mergesort(data[...])
print(checksum(a) == checksum(b))
print(checksum(b) == checksum(c))
print(checksum(c) == checksum(data.sorted()))
print(checksum(data))
for x in c.prefix(5) { print(x) }
for x in c.suffix(3).reversed() { print(x) }
print(data.map { $0 / 10 }.filter { $0 % 2 == 0 }.reduce(0, +))
print(data.sorted(by: >)[0] == c.last!)
print(data.firstIndex(of: c[0])! >= 0)
print(data.contains(1001))
print(data.min()! == c.first! && data.max()! == c.last!)
