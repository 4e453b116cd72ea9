// An error that leaves the top level.
struct Oops: Error { let why: String }
func go(_ n: Int) throws {
  print("go \(n)")
  if n == 2 { throw Oops(why: "two") }
}
for i in 1...3 { try go(i) }
