final class Token {
  let id: Int
  init(_ i: Int) { id = i }
  deinit { print("token", id) }
}
func giveUp(_ u: Unmanaged<Token>) { u.release() }
func run() {
  let t = Token(7)
  let u = Unmanaged.passRetained(t)
  print(u.takeUnretainedValue().id)
  giveUp(u)
  giveUp(u)
  print("after")
}
run()
print("done")
