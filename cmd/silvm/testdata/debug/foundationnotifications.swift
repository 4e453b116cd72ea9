import Foundation

final class Model {
  var heard = 0
  let center: NotificationCenter
  var token: NSObjectProtocol?
  init(_ c: NotificationCenter) {
    center = c
    token = c.addObserver(forName: NSNotification.Name("tick"), object: nil, queue: nil) { [weak self] _ in self?.heard += 1 }
  }
  deinit {
    center.removeObserver(token!, name: nil, object: nil)
    print("gone after", heard)
  }
}
func show() {
  let center = NotificationCenter.default
  let tick = NSNotification.Name("tick"), sender = NSObject()
  var model: Model? = Model(center)
  let one = center.addObserver(forName: nil, object: sender, queue: nil) { _ in print("from the sender") }
  let two = center.addObserver(forName: tick, object: nil, queue: nil) { _ in print("tick") }
  center.post(name: tick, object: nil, userInfo: nil)
  center.post(name: tick, object: sender, userInfo: nil)
  center.post(name: NSNotification.Name("tock"), object: sender, userInfo: nil)
  print(model!.heard)
  model = nil
  center.removeObserver(two, name: nil, object: sender)
  center.removeObserver(one, name: nil, object: sender)
  center.post(name: tick, object: sender, userInfo: nil)
  center.removeObserver(two, name: tick, object: nil)
  center.post(name: tick, object: sender, userInfo: nil)
}
show()
