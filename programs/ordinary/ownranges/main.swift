// own non-generic Range, Result, Optional-like Slice, Hasher, Array-like types
struct Range: Equatable { var lo, hi: Int; func has(_ k: Int) -> Bool { lo <= k && k < hi }; var lib: Swift.Range<Int> { lo..<hi } }
enum Result { case win, loss(String), draw
  var score: Int { switch self { case .win: 3; case .draw: 1; case .loss: 0 } } }
struct Hasher { var state = 5381; mutating func feed(_ s: String) { for b in s.utf8 { state = state &* 33 ^ Int(b) } } }
struct Item: Hashable { var n: Int; func hash(into h: inout Swift.Hasher) { h.combine(n % 10) }; static func == (a: Item, b: Item) -> Bool { a.n % 10 == b.n % 10 } }
class Slice { let r: Range; init(_ r: Range) { self.r = r }; deinit { print("slice gone", r.lo) } }
struct Unicode { var code: Int }
func parse(_ s: String) -> Swift.Result<Int, Fault> { if let n = Int(s) { .success(n) } else { .failure(.text(s)) } }
enum Fault: Error { case text(String) }
var h = Hasher(); h.feed("hello"); print(h.state)
print(Set([Item(n: 1), Item(n: 11), Item(n: 2)]).count)
let r = Range(lo: 2, hi: 6); print(r.has(3), Array(r.lib), r, r == Range(lo: 2, hi: 6))
let rs: [Result] = [.win, .draw, .loss("rain")]; print(rs.map(\.score), rs)
for s in ["4", "x"] { switch parse(s) { case .success(let n): print(n); case .failure(let e): print(e) } }
do { let s = [Slice(r), Slice(Range(lo: 9, hi: 10))]; print(s.count, [1,2,3,4][1..<3].count) }
print("é".unicodeScalars.map { $0.value }, Unicode(code: 3))
let a: [Swift.Range<Int>] = [0..<2, 5..<7]; print(a.contains { $0.contains(5) }, a)
var m: [Range_: Result] = [:]; struct Range_: Hashable { var k: Int }
m[Range_(k: 1)] = .loss("x"); print(m)
func both(_ a: Range, _ b: Swift.Range<Int>) -> Bool { a.lib == b }
print(both(r, 2..<6)); print(parse("9").map { $0 + 1 })
