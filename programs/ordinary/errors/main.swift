// Errors: throwing, catching by pattern, rethrowing, try?, defer, Result.
enum BankError: Error {
  case insufficient(needed: Int)
  case unknownAccount(String)
}
struct Timeout: Error { let seconds: Double }
struct Bank {
  var accounts = ["ann": 100]
  mutating func withdraw(_ n: Int, from name: String) throws -> Int {
    defer { print("checked \(name)") }
    guard let balance = accounts[name] else { throw BankError.unknownAccount(name) }
    if balance < n { throw BankError.insufficient(needed: n - balance) }
    if n == 13 { throw Timeout(seconds: 1.5) }
    accounts[name] = balance - n
    return balance - n
  }
}
var bank = Bank()
func attempt(_ n: Int, _ name: String) {
  do {
    print("left:", try bank.withdraw(n, from: name))
  } catch BankError.insufficient(let needed) {
    print("need \(needed) more")
  } catch let e as BankError {
    print("bank error:", e)
  } catch {
    print("other:", error)
  }
}
attempt(30, "ann")
attempt(500, "ann")
attempt(1, "bob")
attempt(13, "ann")
print((try? bank.withdraw(10, from: "ann")) ?? -1, (try? bank.withdraw(10, from: "x")) ?? -1)
func twice(_ f: () throws -> Int) rethrows -> Int { return try f() + f() }
print(twice { 21 })
let r: Result<Int, BankError> = .failure(.insufficient(needed: 1))
switch r {
case .success(let n): print(n)
case .failure(let e): print("failed:", e)
}
let ok = Result { try twice { 4 } }
print((try? ok.get()) ?? 0)
do { try { throw Timeout(seconds: 2) }() } catch let t as Timeout { print(t.seconds) }
