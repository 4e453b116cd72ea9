// Conditions: a thread that is waited for, limits, and a limit that is too far away.
import Foundation

let c = NSCondition(), k = NSConditionLock(condition: 0)
nonisolated(unsafe) var n = 0
Thread.detachNewThread {
  c.lock()
  n = 5
  c.signal() // the other no longer waits, and its next limit is its own
  c.unlock()
  _ = k.lock(whenCondition: 2, before: Date(timeIntervalSinceNow: 9))
  k.unlock(withCondition: 3)
}
c.lock()
while n == 0 { c.wait() }
print(n, c.wait(until: Date(timeIntervalSinceNow: 0.01)))
c.unlock()
print(k.try(), k.tryLock(whenCondition: 0), k.condition)
k.unlock(withCondition: 2)
print(k.lock(whenCondition: 3, before: Date(timeIntervalSinceNow: 9)))
k.lock()
