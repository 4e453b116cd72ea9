// What command-line programs use most of Foundation, without the text of its modules: dates, the process, locks, formats, searching in text, data, errors.
import Foundation

let start = Date()
let d = Date(timeIntervalSince1970: 86_400)
print(Date().timeIntervalSince(start) >= 0, d.timeIntervalSince1970, d.addingTimeInterval(2.5).timeIntervalSince(d), d < start)
print(String(reflecting: Date.self), String(describing: type(of: d)), (d as Any) as? Date == d, (1 as Any) is Date)
print(ProcessInfo.processInfo.arguments.count, ProcessInfo.processInfo.environment["NO_SUCH_VARIABLE"] ?? "none", ProcessInfo.processInfo.processorCount > 0)

final class Counter {
  private let lock = NSLock()
  private var count = 0
  func add(_ n: Int) {
    lock.lock()
    defer { lock.unlock() }
    count += n
  }
  var value: Int { lock.withLock { count } }
}
let counter = Counter()
counter.add(2)
counter.add(40)
print(counter.value, String(reflecting: NSLock.self), NSRecursiveLock().try())

print(String(format: "%05.2f|%@|%x|%-4d|", 3.14159, "text", 255, 7))
print("a,b,,c".components(separatedBy: ","), "  x ".trimmingCharacters(in: .whitespaces), "abcb".replacingOccurrences(of: "b", with: "-"), "abc".contains("bc"))
print(Decimal(string: "1.25")! + 3, Decimal(2) < 3)
print(("ab" as NSString).length, NSString(string: "é").utf8String.map { String(cString: $0) } ?? "")

enum Failure: LocalizedError {
  case one
  var errorDescription: String? { "the first" }
}
let e = NSError(domain: "d", code: 3)
print(Failure.one.localizedDescription, e.code, e.domain, (e as Error) is Failure)
Thread.sleep(forTimeInterval: 0.001)
print(Date().timeIntervalSince(start) > 0.0005)
