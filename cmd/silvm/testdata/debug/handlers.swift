// A closure in an array captures the object that owns the array.
final class Widget {
  var onTap: [() -> Void] = []
  var taps = 0
  func arm() { onTap.append { self.taps += 1 } }
}
func leak() -> Int {
  let w = Widget()
  w.arm()
  w.onTap[0]()
  return w.taps
}
print(leak())
