// A closure that captures a local variable: its first place is that of the declaration.
final class Owner { var onChange: (() -> Void)?; var calls = 0 }
@inline(never) func ring(_ n: Int) {
  let o = Owner()
  o.calls = n
  o.onChange = {
    o.calls += 1
  }
}
ring(3)
