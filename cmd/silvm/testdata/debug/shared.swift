func again() -> () -> Int {
  var n = 0
  var f: (() -> Int)? = nil
  f = { n += 1; return n < 3 ? f!() : n }
  return f!
}
print(again()())
