// Ends in a trap: an Int32 sum overflows in the middle of a loop; output so far stays.
@inline(never) func triangle(_ n: Int32) -> Int32 {
  var sum: Int32 = 0
  var i: Int32 = 1
  while i <= n {
    sum += i
    i += 1
  }
  return sum
}
print(triangle(10))
print(triangle(65_535))
print(triangle(65_536))
print("not reached")
