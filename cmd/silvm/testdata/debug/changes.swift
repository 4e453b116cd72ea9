// Variables to set, to watch for reads, and errors to catch.
enum Mood { case calm, cross }
enum Fault: Error { case low(Int), high }
final class Meter {
  var value = 1, mood = Mood.calm, limit: Int? = 5, gain: UInt8 = 2, factor = 2
  var next: Meter?
  let id = 7
  func read() -> Int { value * factor }
}
func check(_ m: Meter) throws -> Int {
  let x = m.read()
  if x < 2 { throw Fault.low(x) }
  if let limit = m.limit, x > limit { throw Fault.high }
  return x
}
func passOn(_ m: Meter) throws -> Int { try check(m) + 1 }
func round(_ k: Int) {
  let m = Meter()
  var total = k
  total += m.read()
  do { total += try passOn(m) } catch { total = -1 }
  print(total)
  print(m.value)
}
round(1)
round(2)
