final class Account: @unchecked Sendable { var balance = 100; var other = 1 }
nonisolated(unsafe) var total = 0
@main struct Main { static func main() async {
  let a = Account()
  let t = Task.detached { a.balance -= 10 }
  let u = Task.detached { a.balance -= 20 }
  await t.value; await u.value
  print(a.balance)
} }
