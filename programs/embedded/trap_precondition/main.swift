// Ends in a trap: a precondition on a bank account that cannot be overdrawn.
struct Account {
  private(set) var balance: Int
  mutating func withdraw(_ n: Int) {
    precondition(n > 0, "positive amounts only")
    precondition(balance >= n, "not enough money")
    balance -= n
  }
}
var a = Account(balance: 100)
for n in [10, 60, 25, 30, 1] {
  a.withdraw(n)
  print(a.balance)
}
