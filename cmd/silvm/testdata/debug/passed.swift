final class Context {
  let n: Int
  init(_ n: Int) { self.n = n }
  deinit { print("context", n, "gone") }
}
struct Registration {
  static var info: UnsafeMutableRawPointer?
}
func subscribe(_ n: Int) {
  let context = Context(n)
  Registration.info = Unmanaged.passRetained(context).toOpaque()
}
func cancel(releasing: Bool) {
  if releasing, let info = Registration.info { Unmanaged<Context>.fromOpaque(info).release() }
  Registration.info = nil
}
subscribe(1)
cancel(releasing: true)
subscribe(2)
cancel(releasing: false)
