final class Request {}
final class Page { let request = Request() }
final class Log { unowned let page: Page; init(_ p: Page) { page = p } }

var context: UnsafeMutableRawPointer?
var log: Log?

func submit() { context = Unmanaged.passRetained(Page()).toOpaque() }
func complete() {
  _ = Unmanaged<Page>.fromOpaque(context!).takeRetainedValue()
  context = nil
}
func lose() {
  let page = Page()
  log = Log(page)
  _ = Unmanaged.passRetained(page)
}
submit()
complete()
lose()
