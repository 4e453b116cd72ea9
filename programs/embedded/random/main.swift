// Random numbers from generators of our own: ranges, shuffles, choices; and that the
// system's stays within bounds.
struct LCG: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6364136223846793005 &+ 1442695040888963407
    return state ^ (state >> 31)
  }
}
struct Constant: RandomNumberGenerator {
  func next() -> UInt64 { return 0x8000_0000_0000_0001 }
}
var g = LCG(state: 42)
for _ in 0..<5 { print(Int.random(in: 1...6, using: &g)) }
print(UInt8.random(in: 0..<200, using: &g))
print(Int.random(in: Int.min...Int.max, using: &g))
print(Bool.random(using: &g))
print(Int(Double.random(in: 0..<1, using: &g) * 1_000_000))
print(Int(Float.random(in: -1...1, using: &g) * 1000))
var deck = Array(1...10)
deck.shuffle(using: &g)
for x in deck { print(x) }
print(deck.shuffled(using: &g).sorted() == Array(1...10))
print(deck.randomElement(using: &g)!)
print([Int]().randomElement(using: &g) == nil)
var k = Constant()
print(Int.random(in: 0..<100, using: &k))
var ok = true
for _ in 0..<100 {
  let n = Int.random(in: 10..<20)
  if n < 10 || n >= 20 { ok = false }
}
print(ok)
