// How streams end: errors and cancellation for those who wait, for those who ask again, and for buffers without room.
struct E: Error { let n: Int }
func pause() async { try? await Task.sleep(nanoseconds: 30_000_000) }
func a() async {
  for k in 0..<4 {
    let (s, c) = AsyncThrowingStream.makeStream(of: Int.self)
    c.onTermination = { print("T", $0) }
    let t = Task { await pause(); if k & 1 == 0 { c.finish(throwing: E(n: 1)) } else { c.finish() }; if k & 2 == 0 { c.finish(throwing: E(n: 2)) } }
    var it = s.makeAsyncIterator()
    for n in 0..<4 { do { print(k, n, try await it.next() as Any) } catch { print(k, n, error) } }
    await t.value
  }
  // cancelled while it waits, then ended
  let (s, c) = AsyncThrowingStream.makeStream(of: Int.self)
  c.onTermination = { print("T", $0) }
  let t = Task { var it = s.makeAsyncIterator(); for n in 0..<3 { do { print(n, try await it.next() as Any) } catch { print(n, error) } } }
  await pause(); t.cancel(); await t.value
  c.finish(throwing: E(n: 5)); var it = s.makeAsyncIterator()
  do { print(try await it.next() as Any) } catch { print(error) }
  // the handler ends it while it is cancelled
  let (s2, c2) = AsyncThrowingStream.makeStream(of: Int.self)
  c2.onTermination = { _ in print("in handler"); c2.finish(throwing: E(n: 8)) }
  let t2 = Task { var it = s2.makeAsyncIterator(); for n in 0..<3 { do { print(n, try await it.next() as Any) } catch { print(n, error) } } }
  await pause(); t2.cancel(); await t2.value
  // elements that are waiting when it is cancelled
  let (s3, c3) = AsyncStream.makeStream(of: Int.self)
  c3.yield(1); c3.yield(2); c3.onTermination = { print("T", $0) }
  let t3 = Task { withUnsafeCurrentTask { $0?.cancel() }; for await x in s3 { print(x) }; print("end") }
  await t3.value
  for n in [-1, 0, 1] {
    for p in [AsyncStream<Int>.Continuation.BufferingPolicy.bufferingNewest(n), .bufferingOldest(n)] {
      let (s, c) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: p)
      print(c.yield(1), c.yield(2))
      let t = Task { var r: [Int] = []; for await x in s { r.append(x) }; return r }
      await pause(); print(c.yield(3)); await pause(); print(c.yield(4)); await pause(); c.finish(); print(await t.value)
    }
  }
}
func unfolding() async {
  var n = 0
  let s = AsyncThrowingStream<Int, Error> { n += 1; print("p", n); if n % 2 == 0 { throw E(n: 0) }; return n > 6 ? nil : n }
  var it = s.makeAsyncIterator()
  for _ in 0..<9 { do { print(try await it.next() as Any) } catch { print(error) } }
  let s2 = AsyncStream<Int> { print("q"); while !Task.isCancelled { await Task.yield() }; return 3 } onCancel: { print("oc") }
  let t = Task { var it = s2.makeAsyncIterator(); print(await it.next() as Any); print(await it.next() as Any); print(await it.next() as Any) }
  try? await Task.sleep(nanoseconds: 10_000_000); t.cancel(); await t.value
  var i2 = s2.makeAsyncIterator(); print(await i2.next() as Any)
  let s3 = AsyncThrowingStream<Int, Error> { print("r"); while !Task.isCancelled { await Task.yield() }; return 3 }
  let t3 = Task { var it = s3.makeAsyncIterator(); for _ in 0..<3 { do { print(try await it.next() as Any) } catch { print(error) } } }
  try? await Task.sleep(nanoseconds: 10_000_000); t3.cancel(); await t3.value
}
await a()
await unfolding()
