// Span, RawSpan, MutableSpan: lifetime dependence and nonescapable types.
func total(_ s: Span<Int>) -> Int { var t = 0; for i in s.indices { t += s[i] }; return t }
func double(_ s: inout MutableSpan<Int>) { for i in s.indices { s[i] *= 2 } }
struct Buffer: ~Copyable {
  func sum() -> Int { var t = 0; for x in p { t += x }; return t }
  private var p: UnsafeMutableBufferPointer<Int>
  init(_ n: Int) { p = .allocate(capacity: n); for i in 0..<n { p[i] = i } }
  deinit { print("freed"); p.deallocate() }
}
func run() {
  let a = [1, 2, 3, 4]
  print(total(a.span), a.span.count, a.span.isEmpty)
  print(total(a.span.extracting(1..<3)))
  var b = [5, 6, 7]
  var ms = b.mutableSpan
  double(&ms)
  print(b)
  let buf = Buffer(5)
  print(buf.sum())
  let c: InlineArray<3, Int> = [7, 8, 9]
  print(total(c.span), c.span[1])
  let bytes = a.span.bytes
  print(bytes.byteCount, bytes.unsafeLoad(fromByteOffset: 8, as: Int.self))
  let e = [Int]()
  print(e.span.isEmpty, total(e.span))
}
run()
