// Blocks: what they capture lives as long as they do, copies share it, and a closure that must not escape stays where it is.
import Dispatch // for the runtime of blocks
final class Counter {
  var n = 0
  deinit { print("deinit", n) }
}
typealias Block = @convention(block) (Int) -> Int

@inline(never) func adder(_ c: Counter) -> Block {
  return { x in
    c.n += x
    return c.n
  }
}
@inline(never) func call(_ b: Block, _ x: Int) -> Int { b(x) }
@inline(never) func twice(_ b: @escaping Block) -> () -> Int { return { b(1) + b(2) } }
@inline(never) func borrowed(_ f: (Int) -> Int) -> Int { withoutActuallyEscaping(f) { g in call(g, 5) } }

final class Holder {
  var block: Block?
}

func test() {
  let block = adder(Counter())
  print(block(5), call(block, 6))
  print(twice(block)())
  let holder = Holder()
  holder.block = block
  print(holder.block?(1) ?? 0)
  holder.block = { $0 * 2 }
  print(holder.block?(21) ?? 0, block(0))
  print(borrowed { $0 + 100 })
  var n = 0
  let count: @convention(block) () -> Void = { n += 1 }
  count()
  count()
  print(n)
  let thick: (Int) -> Int = block
  print(thick(9))
}
test()
print("end")
