// Text for people goes to standard error, through a handle that Foundation keeps in a global: nothing of it leaks, and none of it is the program's.
import Foundation

final class Log {
  var lines = 0
  func note(_ text: String) {
    FileHandle.standardError.write((text + "\n").data(using: .utf8)!)
    lines += 1
  }
}
let log = Log()
log.note("first")
log.note("second")
print(log.lines)
