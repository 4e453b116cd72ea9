// Sieve of Eratosthenes over an array of Bool, several rounds.
let size = 2_000_000
let rounds = 14
var runtimeSize = size

@inline(never) func sieve(_ n: Int, _ round: Int) -> Int {
  var composite = [Bool](repeating: false, count: n + 1)
  var count = 0
  var i = 2
  while i <= n {
    if !composite[i] {
      count += 1
      var j = i + i
      while j <= n {
        composite[j] = true
        j += i
      }
    }
    i += 1
  }
  return count + round
}

var total = 0
for round in 0..<rounds { total += sieve(runtimeSize, round) }
print(total)
