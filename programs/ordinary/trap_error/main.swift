// try! of a function that throws.
enum E: Error { case bad(Int) }
func f(_ n: Int) throws -> Int {
  if n > 1 { throw E.bad(n) }
  return n
}
print(try! f(1))
print(try! f(3))
