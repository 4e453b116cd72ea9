// Two tasks append to one text, in no order: what changes it is a function of the library, which has no SIL here.
final class Log: @unchecked Sendable {
  var text = ""
  func add(_ word: String) { text += word }
}
let log = Log()
let a = Task.detached { log.add("one") }
let b = Task.detached { log.add("two") }
await a.value
await b.value
print(log.text.count)
