@inline(never) func mix(_ a: Int, _ b: Int) -> Int { return (a &* 31 &+ b) ^ (a &>> 3) }
func run(_ n: Int) -> Int {
  var x = 1
  var flag = 0
  for i in 0..<n {
    x = mix(x, i)
    if i == 3 { flag = x }
  }
  print(flag)
  return x
}
print(run(9))
