final class Account: @unchecked Sendable {
  var balance = 100
  func pay(_ n: Int) async { if balance >= n { await Task.yield(); balance -= n } }
}
@main struct Main {
  static func main() async {
    let a = Account()
    async let x: Void = a.pay(70)
    async let y: Void = { await Task.yield(); await Task.yield(); await a.pay(60) }()
    _ = await (x, y)
    print("balance", a.balance)
    precondition(a.balance >= 0)
  }
}
