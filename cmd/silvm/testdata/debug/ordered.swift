import Synchronization
final class Box: @unchecked Sendable { var v = 0; var log: [Int] = [] }
actor Guard { let b: Box; init(_ b: Box) { self.b = b }; func bump() { b.v += 1; b.log.append(b.v) } }
nonisolated(unsafe) var g = 0
let lazyGlobal: [Int] = { (0..<10).map { $0 * 2 } }()
@MainActor var onMain = 0
@MainActor func mm() { onMain += 1 }
final class M: Sendable { let m = Mutex(0); let flag = Atomic<Bool>(false) }
@main struct Main { static func main() async {
  let b = Box(), gd = Guard(b)
  await withTaskGroup(of: Int.self) { gr in for _ in 0..<5 { gr.addTask { await gd.bump(); await mm(); return lazyGlobal.count } }; for await x in gr { g += x } }
  print(b.v, b.log, g, await onMain)
  let box2 = Box()
  let t1 = Task { box2.v = 5 }
  await t1.value
  let t2 = Task { box2.v += 1; return box2.v }
  print(await t2.value, box2.v)
  // already ended when awaited
  let box3 = Box(); let t3 = Task { box3.v = 9 }; try? await Task.sleep(nanoseconds: 1_000_000); await t3.value; box3.v += 1; print(box3.v)
  let m = M()
  await withTaskGroup(of: Void.self) { gr in for i in 0..<4 { gr.addTask { m.m.withLock { $0 += i } } } }
  print(m.m.withLock { $0 })
  let box4 = Box()
  let t5 = Task { box4.v = 7; m.flag.store(true, ordering: .releasing) }
  while !m.flag.load(ordering: .acquiring) { await Task.yield() }
  print(box4.v); await t5.value
  let (s, c) = AsyncStream<Box>.makeStream()
  Task { for i in 0..<3 { let x = Box(); x.v = i; c.yield(x) }; c.finish() }
  for await x in s { x.v += 1; print(x.v) }
  let r: Box = await withCheckedContinuation { k in Task { let x = Box(); x.v = 3; k.resume(returning: x) } }
  r.v += 1; print(r.v)
  async let l: Box = { let x = Box(); x.v = 8; return x }()
  let lv = await l; lv.v += 1; print(lv.v)
  var arr = [1, 2, 3]
  let shared = arr
  let t6 = Task { shared.reduce(0, +) }
  print(await t6.value); arr[0] = 100; print(arr)
  // the last owner destroys
  var d: Box? = Box(); d!.v = 1
  let t7 = Task { [d] in d!.v + 0 }
  d = nil; print(await t7.value)
  let cancelled = Task { () -> Int in while !Task.isCancelled { await Task.yield() }; return box4.v }
  box4.v = 100; cancelled.cancel(); print(await cancelled.value)
} }
