// Errors that leave asynchronous sequences: thrown by what maps and filters, by the sequence itself, untyped and of a type of its own.
struct Failure: Error, Equatable { var value: Int }

final class Tracked: Error {
  let name: String
  init(_ name: String) { self.name = name }
  deinit { print("error \(name) goes") }
}

struct Numbers: AsyncSequence {
  var last: Int
  struct AsyncIterator: AsyncIteratorProtocol {
    var at = 0
    let last: Int
    mutating func next() async -> Int? {
      at += 1
      return at <= last ? at : nil
    }
  }
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(last: last) }
}

struct Failing: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    var at = 0
    mutating func next() async throws -> Int? {
      at += 1
      if at == 3 { throw Tracked("of the sequence") }
      return at
    }
  }
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

@inline(never) func all<S: AsyncSequence>(_ what: String, _ s: S) async {
  do {
    for try await x in s { print(what, x) }
    print(what, "ends")
  } catch let e as Failure {
    print(what, "fails with", e.value)
  } catch let e as Tracked {
    print(what, "fails with", e.name)
  } catch {
    print(what, "fails otherwise")
  }
}

@inline(never) func check(_ x: Int) throws -> Int {
  if x == 3 { throw Failure(value: 42) }
  return x * 10
}

let n = Numbers(last: 4)
await all("map", n.map { try check($0) })
await all("compactMap", n.compactMap { try check($0) })
await all("filter", n.filter { try check($0) > 10 })
await all("prefix", try! n.prefix { try check($0) > 0 })
await all("drop", n.drop { try check($0) > 0 })
await all("flatMap", n.flatMap { (x: Int) throws -> Numbers in Numbers(last: try check(x) / 10) })
await all("of the base", Failing().map { $0 + 1 })
await all("first of the base", Failing().prefix(2))
await all("dropped", Failing().dropFirst(1).filter { $0 > 0 })
do {
  print(try await n.map { try check($0) }.contains { $0 == 30 })
} catch {
  print(error as? Failure ?? Failure(value: 0))
}
do {
  print(try await Failing().map { $0 }.reduce(0, +))
} catch {
  print((error as! Tracked).name)
}
do {
  var i = n.map { try check($0) }.makeAsyncIterator()
  while let x = try await i.next() { print(x) }
} catch {
  print(error)
}
