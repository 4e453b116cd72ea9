// NotificationCenter and Notification. Which of several observers of one name and sender hears first goes by addresses there; here they hear in the
// order in which they came.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never
@_silgen_name("library_receiver_new") func newReceiver() -> NSObject

// Observers and centers by their stored properties. Where a center keeps an address that stands for no sender, it has the list.
struct LibraryReceiver {
  var name: NSNotification.Name?
  var block: ((Notification) -> Void)?
  var sender: AnyObject?
  var queue: OperationQueue?
}
final class LibraryObservers {
  var all: [NSObject] = []
}
struct LibraryCenter {
  var list: LibraryObservers
  var nilHashable: AnyHashable?
  var observers: [AnyHashable: [ObjectIdentifier: [ObjectIdentifier: NSObject]]]
  let lock: NSLock
}
@inline(__always) func receiver(_ o: NSObject) -> UnsafeMutablePointer<LibraryReceiver> { (Unmanaged.passUnretained(o).toOpaque() + 16).assumingMemoryBound(to: LibraryReceiver.self) }
@inline(__always) func center(_ o: NotificationCenter) -> UnsafeMutablePointer<LibraryCenter> { (Unmanaged.passUnretained(o).toOpaque() + 16).assumingMemoryBound(to: LibraryCenter.self) }

// What stands for a sender: an NSObject itself, anything else a new object for each use, which is never the same as another.
final class LibraryValue {
  let value: Any
  init(_ v: Any) { value = v }
}
@inline(__always) func isObject(_ v: Any) -> Bool { type(of: v) is AnyObject.Type }
func object(_ v: Any) -> NSObject? { isObject(v) ? v as? NSObject : nil }
func isSame(_ a: Any, _ b: Any) -> Bool { object(a).map { $0 === object(b) } ?? false }

nonisolated(unsafe) let theCenter = NotificationCenter()

@_silgen_name("library_10Foundation18NotificationCenterCACycfc") public func centerMake(_ c: __owned NotificationCenter) -> NotificationCenter {
  center(c).initialize(to: LibraryCenter(list: LibraryObservers(), nilHashable: nil, observers: [:], lock: NSLock()))
  return c
}
@_silgen_name("library_center_free") public func centerFree(_ c: NotificationCenter) { center(c).deinitialize(count: 1) }

extension NotificationCenter {
@_silgen_name("library_10Foundation18NotificationCenterC7defaultACvgZ") public class func libraryDefault() -> NotificationCenter { theCenter }

func withList<R>(_ body: (LibraryObservers) -> R) -> R {
  let lock = center(self).pointee.lock
  lock.lock()
  let r = body(center(self).pointee.list)
  lock.unlock()
  return r
}
@_silgen_name("library_10Foundation18NotificationCenterC11addObserver7forName6object5queue5usingAA16NSObjectProtocol_pAA14NSNotificationC0G0VSg_ypSgAA14OperationQueueCSgyAA0B0VYbctF")
public func libraryAdd(_ name: NSNotification.Name?, _ sender: Any?, _ queue: OperationQueue?, _ block: @Sendable @escaping (Notification) -> Void) -> any NSObjectProtocol {
  if queue != nil { refuse("an observer of notifications on an OperationQueue") }
  if let sender, !isObject(sender) { refuse("an observer of notifications whose sender is a value") }
  let o = newReceiver()
  receiver(o).initialize(to: LibraryReceiver(name: name, block: block, sender: sender.map { v -> AnyObject in object(v) ?? LibraryValue(v) }, queue: nil))
  withList { $0.all.append(o) }
  return o
}
@_silgen_name("library_10Foundation18NotificationCenterC14removeObserver_4name6objectyyp_AA14NSNotificationC4NameVSgypSgtF")
public func libraryRemove(_ observer: Any, _ name: NSNotification.Name?, _ sender: Any?) {
  guard let o = observer as? any NSObjectProtocol else { return }
  withList { list in
    guard let n = list.all.firstIndex(where: { $0 === o as AnyObject }) else { return }
    let r = receiver(list.all[n]).pointee
    if name != nil && r.name != name { return }
    if let sender, r.sender == nil || r.sender !== object(sender) { return }
    list.all.remove(at: n)
  }
}
@_silgen_name("library_10Foundation18NotificationCenterC4postyyAA0B0VF") public func libraryPost(_ n: Notification) {
  let sender = n.object.flatMap { object($0) }
  let all = withList { $0.all }
  // First those of all names, then those of this one; of these, first those of all senders.
  for round in 0..<4 {
    for o in all {
      let r = receiver(o)
      if (r.pointee.name == nil) != (round < 2) || (r.pointee.sender == nil) != (round % 2 == 0) { continue }
      if round >= 2 && r.pointee.name != n.name || round % 2 == 1 && (sender == nil || r.pointee.sender !== sender) { continue }
      r.pointee.block?(n)
    }
  }
}
@_silgen_name("library_10Foundation18NotificationCenterC4post4name6object8userInfoyAA14NSNotificationC4NameV_ypSgSDys11AnyHashableVypGSgtF")
public func libraryPost(_ name: NSNotification.Name, _ sender: Any?, _ info: [AnyHashable: Any]?) { post(Notification(name: name, object: sender, userInfo: info)) }
}

extension Notification {
@_silgen_name("library_10Foundation12NotificationV11descriptionSSvg") public func libraryText() -> String {
  var s = "name = \(name.rawValue)"
  if let object { s += ", object = \(object)" }
  if let userInfo { s += ", userInfo = \(userInfo)" }
  return s
}
@_silgen_name("library_10Foundation12NotificationV2eeoiySbAC_ACtFZ") public static func librarySame(_ a: Notification, _ b: Notification) -> Bool {
  if a.name.rawValue != b.name.rawValue { return false }
  guard let x = a.object, let y = b.object else { return a.object == nil && b.object == nil }
  return isSame(x, y)
}
@_silgen_name("library_10Foundation12NotificationV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror {
  var children: [Mirror.Child] = [("name", name.rawValue)]
  if let object { children.append(("object", object)) }
  if let userInfo { children.append(("userInfo", userInfo)) }
  return Mirror(self, children: children, displayStyle: .class)
}
}

// NSNotification by its stored properties.
struct LibraryNotification {
  var name: NSNotification.Name
  var object: Any?
  var userInfo: [AnyHashable: Any]?
}
@_silgen_name("library_10Foundation14NSNotificationC4name6object8userInfoA2C4NameV_ypSgSDys11AnyHashableVypGSgtcfc")
public func notificationMake(_ name: __owned NSNotification.Name, _ sender: __owned Any?, _ info: __owned [AnyHashable: Any]?, _ n: __owned NSNotification) -> NSNotification {
  (Unmanaged.passUnretained(n).toOpaque() + 16).assumingMemoryBound(to: LibraryNotification.self).initialize(to: LibraryNotification(name: name, object: sender, userInfo: info))
  return n
}
