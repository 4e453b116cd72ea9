// An object is given up once too often while an array still has it.
final class Session {
  let id: Int
  init(_ id: Int) { self.id = id }
}
var kept: [Session] = []
func shut(_ h: UnsafeMutableRawPointer) {
  Unmanaged<Session>.fromOpaque(h).release()
}
func over() {
  let h = Unmanaged.passRetained(Session(1)).toOpaque()
  kept.append(Unmanaged<Session>.fromOpaque(h).takeUnretainedValue())
  shut(h)
  shut(h)
  print(kept[0].id)
}
over()
