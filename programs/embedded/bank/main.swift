// An event-driven simulation: protocol-oriented state, delegates through closures, observers
// kept unretained, accounts that fail with typed errors, globals initialized once.
enum Failure: Error, Equatable {
  case insufficient(missing: Int)
  case closed
  case limit
}

class Account {
  static var nextNumber = 1000
  let number: Int
  fileprivate(set) var balance: Int
  var isClosed = false
  var onChange: ((Account, Int) -> Void)?
  init(opening: Int) {
    number = Account.nextNumber
    Account.nextNumber += 1
    balance = opening
  }
  func deposit(_ n: Int) throws(Failure) {
    guard !isClosed else { throw .closed }
    balance += n
    onChange?(self, n)
  }
  func withdraw(_ n: Int) throws(Failure) {
    guard !isClosed else { throw .closed }
    guard balance >= n else { throw .insufficient(missing: n - balance) }
    balance -= n
    onChange?(self, -n)
  }
  deinit { print(number) }
}
final class Savings: Account {
  var withdrawals = 0
  override func withdraw(_ n: Int) throws(Failure) {
    if withdrawals == 2 { throw .limit }
    try super.withdraw(n)
    withdrawals += 1
  }
}

final class Ledger {
  private(set) var entries: [(account: Int, amount: Int)] = []
  func record(_ a: Account) {
    a.onChange = { [self] account, amount in entries.append((account.number, amount)) }
  }
  var net: Int { return entries.reduce(0) { $0 + $1.amount } }
  deinit { print("ledger deinit") }
}

func transfer(_ n: Int, from: Account, to: Account) throws(Failure) {
  try from.withdraw(n)
  do {
    try to.deposit(n)
  } catch {
    from.balance += n
    throw error
  }
}

func attempt(_ body: () throws(Failure) -> Void) {
  do throws(Failure) {
    try body()
    print("ok")
  } catch .insufficient(missing: let m) {
    print(m)
  } catch {
    print(error == .closed ? "closed" : "limit")
  }
}

func run() {
  let ledger = Ledger()
  let current = Account(opening: 500)
  let savings = Savings(opening: 1000)
  ledger.record(current)
  ledger.record(savings)
  attempt { () throws(Failure) in try transfer(200, from: savings, to: current) }
  attempt { () throws(Failure) in try transfer(5000, from: current, to: savings) }
  attempt { () throws(Failure) in try transfer(100, from: savings, to: current) }
  attempt { () throws(Failure) in try transfer(1, from: savings, to: current) }
  current.isClosed = true
  savings.withdrawals = 0
  attempt { () throws(Failure) in try transfer(50, from: savings, to: current) }
  print(current.balance)
  print(savings.balance)
  print(ledger.entries.count)
  print(ledger.net)
  for e in ledger.entries { print(e.account * 10_000 + e.amount) }
  current.onChange = nil
  savings.onChange = nil
}
run()
print(Account.nextNumber)
