import Foundation
enum P: Error { case a, b(Int) }
struct L: LocalizedError { var errorDescription: String? { "described" }; var failureReason: String? { "because" } }
struct Bare: LocalizedError {}
struct N: CustomNSError { static var errorDomain: String { "dom" }; var errorCode: Int { 42 }; var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: "n!", "k": 5] } }
func show(_ e: Error) { let n = e as NSError; print(n.domain, n.code, n.localizedDescription, n.userInfo.count, e.localizedDescription) }
show(P.a); show(P.b(1)); show(L()); show(Bare()); show(N())
show(NSError(domain: "my", code: 8, userInfo: [NSLocalizedFailureReasonErrorKey: "r"]))
let e = NSError(domain: "d", code: 1)
print(e.description, e.isEqual(NSError(domain: "d", code: 1)), e.isEqual(P.a), e.localizedFailureReason ?? "nil")
do { throw e } catch { print((error as NSError) === e) }
print(L().recoverySuggestion ?? "nil", NSCocoaErrorDomain)
do { _ = try NSRegularExpression(pattern: "a(") } catch { print((error as NSError).code, error.localizedDescription, (error as NSError).userInfo) }
