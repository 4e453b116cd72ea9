// Queues, groups, semaphores, work items, barriers, targets and times of Dispatch; only what has one order is printed.
import Dispatch
import Glibc

final class Box: @unchecked Sendable {
  var n = 0
  let name: String
  init(_ name: String) { self.name = name }
  deinit { print("deinit \(name)") }
}

func serial() {
  let q = DispatchQueue(label: "serial"), box = Box("serial")
  for i in 1...5 { q.async { box.n = box.n * 10 + i } }
  print(q.label, q.sync { box.n })
  let group = DispatchGroup()
  for i in 1...3 { q.async(group: group) { box.n += i } }
  group.wait()
  print(box.n, group.wait(timeout: .now()) == .success)
  q.sync {
    dispatchPrecondition(condition: .onQueue(q))
    dispatchPrecondition(condition: .notOnQueue(DispatchQueue.global()))
  }
  dispatchPrecondition(condition: .onQueue(.main))
  dispatchPrecondition(condition: .notOnQueue(q))
}

func barriers() {
  let q = DispatchQueue(label: "concurrent", attributes: .concurrent), box = Box("barriers")
  let semaphore = DispatchSemaphore(value: 0)
  q.async {
    semaphore.wait() // let go by the second one, which runs beside it
    box.n += 1
  }
  q.async { semaphore.signal() }
  q.async(flags: .barrier) { box.n *= 100 }
  q.sync { print("after the barrier", box.n) }
}

func targets() {
  let root = DispatchQueue(label: "root"), a = DispatchQueue(label: "a", target: root), b = DispatchQueue(label: "b", target: root)
  let box = Box("targets")
  let group = DispatchGroup()
  for q in [a, b] {
    for _ in 1...50 {
      q.async(group: group) {
        dispatchPrecondition(condition: .onQueue(root))
        let n = box.n
        box.n = n + 1
      }
    }
  }
  group.wait()
  print("targets", box.n, a.sync { b.label })
}

func suspended() {
  let q = DispatchQueue(label: "q", attributes: .initiallyInactive), box = Box("suspended")
  q.async { box.n += 1 }
  print("inactive", box.n)
  q.activate()
  q.sync {}
  q.suspend()
  let group = DispatchGroup()
  q.async(group: group) { box.n += 1 }
  print(group.wait(timeout: .now() + .milliseconds(20)) == .timedOut, box.n)
  q.resume()
  group.wait()
  print(box.n)
}

func items() {
  let q = DispatchQueue(label: "items")
  let done = DispatchSemaphore(value: 0)
  let item = DispatchWorkItem { print("item") }
  item.notify(queue: q) { done.signal() }
  q.async(execute: item)
  item.wait()
  done.wait()
  let cancelled = DispatchWorkItem { print("never") }
  cancelled.cancel()
  q.sync(execute: cancelled)
  print(cancelled.isCancelled, item.isCancelled)
}

func times() {
  let start = DispatchTime.now(), group = DispatchGroup(), q = DispatchQueue(label: "times")
  for (n, ms) in [30, 10, 20].enumerated() {
    group.enter()
    q.asyncAfter(deadline: start + .milliseconds(ms)) {
      print("after", ms, n)
      group.leave()
    }
  }
  group.wait()
  print(DispatchTime.now() >= start + 0.03, DispatchTimeInterval.seconds(2) == .milliseconds(2000))
  print(DispatchTime.distantFuture + 1.0 == .distantFuture, (start + .never) == .distantFuture)
  let semaphore = DispatchSemaphore(value: 1)
  print(semaphore.wait(timeout: .now() + 0.01) == .success, semaphore.wait(timeout: .now() + 0.01) == .timedOut)
  semaphore.signal()
}

struct Oops: Error {}

func errors() {
  let q = DispatchQueue(label: "errors"), key = DispatchSpecificKey<String>()
  q.setSpecific(key: key, value: "mine")
  do { try q.sync { throw Oops() } } catch { print(error) }
  print(q.sync { DispatchQueue.getSpecific(key: key) ?? "none" }, DispatchQueue.getSpecific(key: key) ?? "none")
  var squares = [Int](repeating: 0, count: 4)
  squares.withUnsafeMutableBufferPointer { p in
    nonisolated(unsafe) let p = p
    DispatchQueue.concurrentPerform(iterations: 4) { p[$0] = $0 * $0 }
  }
  print(squares)
}

serial()
barriers()
targets()
suspended()
items()
times()
errors()
DispatchQueue.main.async {
  print("main queue")
  DispatchQueue.global().async {
    let text = DispatchQueue.main.sync { "from main" }
    DispatchQueue.main.async {
      print(text)
      exit(0)
    }
  }
}

dispatchMain()
