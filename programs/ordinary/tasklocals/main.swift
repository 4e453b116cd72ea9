enum L { @TaskLocal static var name = "none"; @TaskLocal static var depth: Int? }
func show(_ s: String) { print(s, L.name, L.depth as Any) }
struct Main {
  static func main() async {
    show("start")
    await L.$name.withValue("a") {
      show("in a")
      await L.$depth.withValue(1) {
        await L.$name.withValue("b") { show("in b") }
        show("after b")
        async let x: () = show("async let")
        await x
        await Task { show("task") }.value
        await Task.detached { show("detached") }.value
        await withTaskGroup(of: Void.self) { g in
          g.addTask { show("child"); await L.$name.withValue("c") { await Task.yield(); show("child c") } }
        }
      }
    }
    L.$depth.withValue(5) { show("sync") }
    show("end")
    print(L.$name)
  }
}
await Main.main()
