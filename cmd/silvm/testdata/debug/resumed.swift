// A request holds its session unowned across an await; the session is gone when it resumes.
final class Session {
    var user = "me"
    deinit { print("session gone") }
}
final class Request: @unchecked Sendable {
    unowned let session: Session
    init(_ s: Session) { session = s }
    func run() async -> String {
        await Task.yield()
        return session.user
    }
}
func start() -> Task<String, Never> {
    let s = Session()
    let r = Request(s)
    return Task { await r.run() }
}
@main struct Main {
    static func main() async {
        let t = start()
        print(await t.value)
    }
}
