// Casts of function values: the runtime compares the flags of the metadata, and lets the target throw.
@globalActor actor G { static let shared = G() }
struct E: Error {}
struct E2: Error {}
@inline(never) func ask(_ f: Any) -> [Bool] {
  [f is () -> Int, f is () throws -> Int, f is () async -> Int, f is () async throws -> Int, f is @Sendable () -> Int, f is @G () -> Int, f is @MainActor () -> Int,
   f is () throws(E) -> Int, f is () throws(E2) -> Int, f is @isolated(any) () -> Int, f is @isolated(any) () throws -> Int,
   f is @G () throws -> Int, f is (inout Int) -> Int, f is (Int) -> Int, f is @G () throws(E) -> Int, f is @Sendable @isolated(any) () -> Int]
}
func show(_ n: String, _ f: Any) { print(n, ask(f).map { $0 ? "1" : "0" }.joined()) }
show("plain", { 1 } as () -> Int)
show("throws", { 1 } as () throws -> Int)
show("async", { 1 } as () async -> Int)
show("async throws", { 1 } as () async throws -> Int)
show("sendable", { 1 } as @Sendable () -> Int)
show("G", { 1 } as @G () -> Int)
show("main", { 1 } as @MainActor () -> Int)
show("E", { 1 } as () throws(E) -> Int)
show("E2", { 1 } as () throws(E2) -> Int)
show("any", { 1 } as @isolated(any) () -> Int)
show("any throws", { 1 } as @isolated(any) () throws -> Int)
show("G throws", { 1 } as @G () throws -> Int)
show("inout", { (x: inout Int) in x } as (inout Int) -> Int)
show("int", { (x: Int) in x } as (Int) -> Int)
let list: Any = [{ 1 } as @G () -> Int]
print(list is [@MainActor () -> Int], list is [() throws -> Int], list is [() -> Int])
print(type(of: list) == [@MainActor () -> Int].self)
@inline(never) func run(_ f: Any) { if let g = f as? () throws -> Int { print((try? g()) ?? -1) } }
run({ 42 } as () -> Int)
