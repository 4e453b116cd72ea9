// Function types with an isolation, in fields, payloads and arrays, and their names: nonisolated(nonsending), @concurrent, @isolated(any), and
// global actors, one of them inside another type.
@globalActor actor Ledger { static let shared = Ledger() }
enum Bank { @globalActor actor Vault { static let shared = Vault() } }

struct Desk {
  var caller: nonisolated(nonsending) () async -> Int
  var away: @concurrent (Int) async -> Int
  var ledger: @Ledger (Int) -> Int
  var vault: @Bank.Vault (String) async throws -> [Int]
  var anywhere: (@Sendable @isolated(any) () async -> Void)?
  var perhaps: (nonisolated(nonsending) @Sendable (Int) async throws -> Void)?
  var all: [nonisolated(nonsending) (Int) async -> Int] = []
}

enum Job {
  case caller(_: nonisolated(nonsending) (Int) async -> Int)
  case ledger(@Ledger () -> Void)
}

@Ledger func inLedger(_ d: Desk) -> Int { d.ledger(4) }
@Bank.Vault func inVault(_ d: Desk) async throws -> [Int] { try await d.vault("abc") }

@MainActor func use(_ d: Desk) async throws {
  print(await d.caller(), await d.away(2), await inLedger(d), try await inVault(d))
  if let f = d.anywhere { await f() }
  if let f = d.perhaps { try await f(3) }
  for f in d.all { print(await f(9)) }
  for job in [Job.caller({ $0 + 1 }), .ledger({ print("in the ledger") })] {
    switch job {
    case .caller(let f): print(await f(5))
    case .ledger(let f): await f()
    }
  }
}

func name<T>(_ t: T) { print(type(of: t)) }

try await use(Desk(
  caller: { MainActor.assertIsolated(); return 1 }, away: { $0 * 2 }, ledger: { $0 * 3 }, vault: { [$0.count] },
  anywhere: { print("anywhere") }, perhaps: { print("perhaps", $0) }, all: [{ $0 + 1 }, { $0 * 2 }]))
print((nonisolated(nonsending) () async -> Int).self, [@concurrent () async -> Int].self, (@Ledger () -> Void).self)
print((@Bank.Vault (Int) throws -> Void)?.self, (@isolated(any) @Sendable () async -> Void).self)
print(String(reflecting: (@Bank.Vault (Int) -> Void).self), String(reflecting: (@MainActor @Sendable () -> Ledger).self))
name({ @Ledger in 3 })
name({ @MainActor @Sendable (n: Int) -> Int in n })
