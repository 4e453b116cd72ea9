// Arithmetic of every integer width, with the wrapping and reporting forms.
@inline(never) func opaque<T>(_ x: T) -> T { return x }

func signed() {
  let a: Int8 = opaque(100)
  let b: Int8 = opaque(27)
  print(a + b)
  print(a &+ b &+ 1)
  print(a &* b)
  print(a.addingReportingOverflow(100).partialValue)
  print(a.addingReportingOverflow(100).overflow)
  print(a.multipliedFullWidth(by: b).high)
  print(a.multipliedFullWidth(by: b).low)
  print(-opaque(Int16(-300)))
  print(opaque(Int32.min) / 7)
  print(opaque(Int32(-17)) % 5)
  print(opaque(Int64.max) - 1)
  print(Int.min)
}

func unsigned() {
  let x: UInt8 = opaque(250)
  print(x &+ 10)
  print(x >> 3)
  print(x << 3)
  print(UInt16(x) * 200)
  print(opaque(UInt32.max) / 3)
  print(UInt64.max)
  print(opaque(UInt64.max) % 1_000_007)
  print(UInt(bitPattern: opaque(-1)) / 10)
}

func conversions() {
  let n = opaque(70_000)
  print(Int16(truncatingIfNeeded: n))
  print(UInt8(clamping: n))
  print(Int8(clamping: -n))
  print(Int16(exactly: n) == nil)
  print(Int16(exactly: n / 10)!)
  print(UInt32(bitPattern: Int32(truncatingIfNeeded: -n)))
  print(Int(Int8(bitPattern: UInt8(truncatingIfNeeded: n))))
}

func division() {
  for d in [1, 2, 3, 7, -7] {
    let (q, r) = opaque(1000).quotientAndRemainder(dividingBy: d)
    print(q)
    print(r)
  }
  print(opaque(17).isMultiple(of: 4))
  print(opaque(-20).magnitude)
  print(opaque(-20).signum())
}

signed()
unsigned()
conversions()
division()
