// Objects that pointers lead to: one was left to its pointer, two hold each other.
final class S { var id: Int; var peer: S?; init(_ i: Int) { id = i } }
var slot: UnsafeMutableRawPointer? = nil
var slots: [OpaquePointer] = []
func open(_ i: Int) {
  slot = Unmanaged.passRetained(S(i)).toOpaque()
  let a = S(10), b = S(11)
  a.peer = b; b.peer = a
  slots.append(OpaquePointer(Unmanaged.passUnretained(a).toOpaque()))
}
open(1)
print(Unmanaged<S>.fromOpaque(slot!).takeUnretainedValue().id)
