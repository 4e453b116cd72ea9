// A program that calls the C functions that Foundation calls as well.
import Foundation
func formatted(_ format: String, _ arguments: CVarArg...) -> String {
  var room = [CChar](repeating: 0, count: 40)
  let length = withVaList(arguments) { vsnprintf(&room, room.count, format, $0) }
  return "\(String(cString: room)) of \(length)"
}
setvbuf(stdout, nil, _IOLBF, 0)
print(formatted("%05ld|%.2f|%lx", 42, 3.5, 255), String(format: "%5.1f|%-4ld|%c", 2.25, 7, 65))
let line = Array("by write\n".utf8)
print(write(1, line, line.count))
