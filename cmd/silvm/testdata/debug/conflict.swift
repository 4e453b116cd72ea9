var total = 0
func add(_ x: inout Int, _ f: () -> Void) {
  x += 1
  f()
  x += 1
}
func run() {
  add(&total) { total += 10 }
}
run()
print(total)
