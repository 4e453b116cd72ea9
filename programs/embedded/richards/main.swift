// A simulation of an operating system: tasks that override run, packets in queues, a scheduler that deinits.
enum Kind { case idle, worker, handlerA, handlerB, devA, devB }
final class Packet {
  var link: Packet?
  var id: Int
  let work: Bool
  var a1 = 0
  var a2 = (0, 0, 0, 0)
  init(_ link: Packet?, _ id: Int, _ work: Bool) { self.link = link; self.id = id; self.work = work }
  func appendTo(_ q: Packet?) -> Packet {
    link = nil
    guard let q = q else { return self }
    var p = q
    while let n = p.link { p = n }
    p.link = self
    return q
  }
}
class Task {
  let id: Int, pri: Int
  var queue: Packet?
  var suspended = false, held = false
  unowned(unsafe) let sched: Scheduler
  init(_ s: Scheduler, _ id: Int, _ pri: Int, _ q: Packet?) { sched = s; self.id = id; self.pri = pri; queue = q }
  func run(_ p: Packet?) -> Task? { return nil }
  final func take() -> Task? {
    var p: Packet? = nil
    if let q = queue { p = q; queue = q.link }
    return run(p)
  }
}
final class Idle: Task {
  var v1 = 1, count = 200
  override func run(_ p: Packet?) -> Task? {
    count -= 1
    if count == 0 { held = true; return sched.next(after: self) }
    if v1 & 1 == 0 { v1 >>= 1; return sched.release(2) }
    v1 = (v1 >> 1) ^ 0xD008
    return sched.release(3)
  }
}
final class Dev: Task {
  var seen = 0
  override func run(_ p: Packet?) -> Task? {
    seen += 1
    held = true
    if let p = p { p.a1 += 1; return sched.queue(p, to: 1) }
    return sched.next(after: self)
  }
}
final class Worker: Task {
  var count = 0
  override func run(_ p: Packet?) -> Task? {
    guard let p = p else { suspended = true; return sched.next(after: self) }
    count += 1
    p.a2.0 &+= count; p.a2.3 &+= p.a2.0
    if count > 300 { held = true; return sched.next(after: self) }
    return sched.queue(p, to: 2 + count % 2)
  }
}
final class Scheduler {
  var tasks: [Task?] = Array(repeating: nil, count: 6)
  var order: [Int] = []
  var queued = 0, released = 0
  func add(_ t: Task) { tasks[t.id] = t; order.append(t.id) }
  func next(after t: Task?) -> Task? {
    var best: Task? = nil
    for i in order {
      guard let x = tasks[i], !x.held, !(x.suspended && x.queue == nil) else { continue }
      if best == nil || x.pri > best!.pri { best = x }
    }
    return best
  }
  func release(_ i: Int) -> Task? { released += 1; tasks[i]!.held = false; return tasks[i]!.queue == nil ? next(after: nil) : tasks[i] }
  func queue(_ p: Packet, to i: Int) -> Task? {
    queued += 1
    p.link = nil; let t = tasks[i]!
    t.queue = p.appendTo(t.queue); t.suspended = false
    return next(after: t)
  }
  func schedule() { var t = next(after: nil); var n = 0; while let x = t, n < 5000 { t = x.take(); n += 1 }; print(n) }
  deinit { print("scheduler gone") }
}
func go() {
  let s = Scheduler()
  s.add(Idle(s, 0, 0, nil))
  s.add(Worker(s, 1, 10, Packet(Packet(nil, 1, true), 2, true)))
  s.add(Dev(s, 2, 20, nil)); s.add(Dev(s, 3, 30, nil))
  s.schedule()
  print(s.queued); print(s.released)
}
go()
