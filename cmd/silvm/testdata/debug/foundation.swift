import Foundation
// The run's clock, formats, text, and a lock.
let start = Date()
print(start < Date(timeIntervalSinceNow: 1), Date(timeIntervalSince1970: 86399).timeIntervalSinceReferenceDate)
print(String(format: "%05.1f|%-4d|%@|%x", 2.25, 7, "text", 255))
print(" a,b ".trimmingCharacters(in: .whitespaces).components(separatedBy: ","), "x.y".components(separatedBy: "."))
let lock = NSLock()
lock.lock()
print(lock.try())
lock.unlock()
print(ProcessInfo.processInfo.environment["WHO"] ?? "nobody")
