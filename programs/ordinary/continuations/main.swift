struct Bad: Error {}
final class Later: @unchecked Sendable { var k: CheckedContinuation<String, Never>?; var u: UnsafeContinuation<Int, any Error>? }
struct Main {
  static func main() async {
    let l = Later()
    let t = Task { await withCheckedContinuation { l.k = $0 } }
    while l.k == nil { await Task.yield() }
    l.k!.resume(returning: "hello")
    print(await t.value)
    let u = Task { try await withUnsafeThrowingContinuation { l.u = $0 } }
    while l.u == nil { await Task.yield() }
    l.u!.resume(throwing: Bad())
    do { print(try await u.value) } catch { print(error) }
    let v: [Int] = await withUnsafeContinuation { k in k.resume(returning: [1, 2, 3]) }
    print(v)
    do { let _: Int = try await withCheckedThrowingContinuation { $0.resume(with: .failure(Bad())) } } catch { print("bad") }
    await withCheckedContinuation { $0.resume() }
    let clock = ContinuousClock()
    let d = await clock.measure { try? await Task.sleep(for: .milliseconds(250)) }
    print(d >= .milliseconds(250), d < .seconds(5))
    let start = SuspendingClock.now
    try? await Task.sleep(until: start.advanced(by: .milliseconds(20)), clock: .suspending)
    print(start.duration(to: .now) >= .milliseconds(20), start < .now)
  }
}
await Main.main()
