// Who keeps a stream alive: asynchronous sequences that algorithms go through give up the stream, what it still holds, and what the closures
// between have captured.
final class Owner: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
  deinit { print("~" + name) }
}

func stream(_ name: String, _ count: Int) -> AsyncStream<Owner> {
  AsyncStream { c in
    for n in 1...count { c.yield(Owner("\(name)\(n)")) }
    c.finish()
  }
}

func mapped() async {
  let suffix = Owner("suffix")
  let names = stream("map", 2).map { $0.name + suffix.name }
  print(await names.reduce("") { $0 + $1 + " " })
}

func filtered() async {
  let limit = Owner("limit")
  let some = stream("filter", 3).filter { $0.name < limit.name }.dropFirst()
  print(await some.contains { $0.name == "filter2" })
}

func prefixed() async throws {
  let tail = stream("while", 4).drop { $0.name.hasSuffix("1") }.prefix(1)
  for try await o in tail.map({ (o: Owner) throws -> String in o.name }) { print(o) }
}

await mapped()
await filtered()
try await prefixed()
await withTaskGroup(of: Owner.self) { group in
  group.addTask { Owner("child") }
  print(await group.allSatisfy { $0.name == "child" })
}
print("end")
