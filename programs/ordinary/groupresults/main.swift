struct Boom: Error { let n: Int }
struct Main {
  static func main() async {
    let r = await withTaskGroup(of: Int.self, returning: Int.self) { g in
      g.addTask { 1 }
      print(g.isEmpty, g.isCancelled)
      g.cancelAll()
      print(g.addTaskUnlessCancelled { 2 }, g.isCancelled)
      var sum = 0
      for await x in g { sum += x }
      print(g.isEmpty)
      return sum
    }
    print(r)
    let results = await withThrowingTaskGroup(of: Int.self) { g in
      g.addTask { throw Boom(n: 3) }
      var n = 0
      while let r = await g.nextResult() { switch r { case .success: n += 1; case .failure(let e): print("failure", e); n += 100 } }
      return n
    }
    print(results)
    do {
      try await withThrowingTaskGroup(of: Void.self) { g in
        g.addTask { throw Boom(n: 9) }
        try await g.waitForAll()
      }
    } catch { print(error) }
  }
}
await Main.main()
