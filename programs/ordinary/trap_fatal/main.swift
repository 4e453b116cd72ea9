// fatalError after some output.
func check(_ n: Int) {
  if n > 2 { fatalError("too big: \(n)") }
  print("fine", n)
}
for i in 1...5 { check(i) }
