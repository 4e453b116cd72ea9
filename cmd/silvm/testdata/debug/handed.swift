// A reference that is handed to a queue of raw pointers and taken back: nothing is wrong with it.
final class Packet { let id: Int; init(_ id: Int) { self.id = id } }
func run() {
  let raw = Unmanaged.passRetained(Packet(1)).toOpaque()
  let back = Unmanaged<Packet>.fromOpaque(raw).takeRetainedValue()
  print(back.id)
}
run()
