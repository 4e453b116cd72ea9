// A number of Builtin.FPIEEE128 in memory, in a struct, in an enum, in a closure and in generic code: moved, as no type of the library has it.
import Swift

@_silgen_name("putchar") @discardableResult func put(_ c: Builtin.Int32) -> Builtin.Int32

struct Byte: ExpressibleByIntegerLiteral, _ExpressibleByBuiltinIntegerLiteral {
  var bits: Builtin.Int8
  init(_builtinIntegerLiteral n: Builtin.IntLiteral) { bits = Builtin.s_to_s_checked_trunc_IntLiteral_Int8(n).0 }
  init(integerLiteral n: Byte) { self = n }
  init(_ bits: Builtin.Int8) { self.bits = bits }
}
struct Word: ExpressibleByIntegerLiteral, _ExpressibleByBuiltinIntegerLiteral {
  var bits: Builtin.Word
  init(_builtinIntegerLiteral n: Builtin.IntLiteral) { bits = Builtin.s_to_s_checked_trunc_IntLiteral_Word(n).0 }
  init(integerLiteral n: Word) { self = n }
}
struct Wide { var front: Byte; var number: Builtin.FPIEEE128; var back: Byte }
enum Choice { case none, wide(Builtin.FPIEEE128) }

func fill(_ at: Builtin.RawPointer, _ front: Word, _ back: Word) {
  let half: Word = 8
  Builtin.assign(front.bits, at)
  Builtin.assign(back.bits, Builtin.gepRaw_Word(at, half.bits))
}

func show(_ at: Builtin.RawPointer, _ i: Word) {
  let byte: Builtin.Int8 = Builtin.load(Builtin.gepRaw_Word(at, i.bits))
  put(Builtin.zext_Int8_Int32(byte))
}

func showAll(_ at: Builtin.RawPointer) {
  show(at, 0); show(at, 1); show(at, 2); show(at, 3); show(at, 4); show(at, 5); show(at, 6); show(at, 7)
  show(at, 8); show(at, 9); show(at, 10); show(at, 11); show(at, 12); show(at, 13); show(at, 14); show(at, 15)
  put(Builtin.zext_Int8_Int32((10 as Byte).bits))
}

func same<T>(_ x: T) -> T { let y = x; return y }

func run() {
  var number: Builtin.FPIEEE128 = Builtin.zeroInitializer()
  fill(Builtin.addressof(&number), 0x4847464544434241, 0x504F4E4D4C4B4A49)
  var wide = Wide(front: 35, number: same(number), back: 36)
  show(Builtin.addressof(&wide.front), 0)
  showAll(Builtin.addressof(&wide.number))
  show(Builtin.addressof(&wide.back), 0)
  var other = same(wide)
  fill(Builtin.addressof(&wide.number), 0x6867666564636261, 0x706F6E6D6C6B6A69)
  showAll(Builtin.addressof(&other.number))
  other = wide
  let captured = other.number
  let back = { () -> Builtin.FPIEEE128 in captured }
  var result = back()
  showAll(Builtin.addressof(&result))
  switch same(Choice.wide(number)) {
  case .wide(let n):
    var n = n
    showAll(Builtin.addressof(&n))
  case .none: show(Builtin.addressof(&wide.back), 0)
  }
  switch same(Choice.none) {
  case .wide: show(Builtin.addressof(&wide.front), 0)
  case .none: show(Builtin.addressof(&wide.back), 0)
  }
}
run()
