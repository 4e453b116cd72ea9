// Noncopyable values: consumed, borrowed, discarded, in enums, classes, optionals, raw memory and generics.
// not at -O: the compiler's verifier stops it
struct File: ~Copyable { var fd: Int; init(_ n: Int) { fd = n; print("open", terminator: " "); print(n) }
  borrowing func peek() -> Int { fd }
  mutating func bump() { fd += 1 }
  consuming func close() -> Int { let f = fd; print("close", terminator: " "); print(f); discard self; return f }
  deinit { print("deinit", terminator: " "); print(fd) } }
struct Two: ~Copyable { var a: File; var b: File ; consuming func split() -> Int { let x = a.close(); return x } }
enum Maybe<T: ~Copyable>: ~Copyable { case none, some(T)
  consuming func unwrap() -> T? { switch consume self { case .some(let t): return t; case .none: return nil } } 
  borrowing func has() -> Bool { switch self { case .some: return true; case .none: return false } } }
struct Stack<E: ~Copyable>: ~Copyable { var base: UnsafeMutablePointer<E>; var n = 0; let cap: Int
  init(_ c: Int) { base = .allocate(capacity: c); cap = c }
  mutating func push(_ e: consuming E) { precondition(n < cap); (base + n).initialize(to: e); n += 1 }
  mutating func pop() -> E? { if n == 0 { return nil }; n -= 1; return (base + n).move() }
  deinit { for i in 0..<n { (base + i).deinitialize(count: 1) }; base.deallocate(); print("stack gone") } }
func borrow(_ f: borrowing File) -> Int { f.peek() * 2 }
func take(_ f: consuming File) { print("took", terminator: " "); print(f.fd) }
func mod(_ f: inout File) { f.bump(); f = File(f.fd + 100) }
func choose(_ c: Bool) -> File { let a = File(1); let b = File(2); if c { return a }; return b }
func t1() { do { var f = File(10); f.bump(); print(borrow(f)); mod(&f); print(f.fd); take(f); print("after") } }
func t2() { do { let f = File(20); print(f.close()); } }
func t3() { do { let f = choose(true); print(f.fd) }; do { let f = choose(false); print(f.fd) } }
func t4() { do { let t = Two(a: File(30), b: File(31)); print(t.split()); print("split done") } }
func t5() { do { let m = Maybe.some(File(40)); print(m.has() ? "has" : "no"); if let f = m.unwrap() { print(f.fd) } ; let n = Maybe<File>.none; print(n.has() ? "has" : "no") } }
func t6() { do { var s = Stack<File>(4); for i in 50..<53 { s.push(File(i)) }; if let f = s.pop() { take(f) }; print(s.n) } }
func t7() { do { var s = Stack<Int>(3); s.push(1); s.push(2); print(s.pop()!); print(s.pop()!); print(s.pop() == nil ? "empty" : "x") } }
final class Holder { var f: File; var o: File?; init() { f = File(60); o = nil } ; deinit { print("holder") } 
  func swap() { let n = File(61); let old = exchange(&f, n); o = consume old } }
func exchange<T: ~Copyable>(_ a: inout T, _ b: consuming T) -> T { let t = a; a = b; return t }
func t8() { do { let h = Holder(); h.swap(); h.o = nil; print(h.f.fd) } }
func opt(_ b: Bool) throws(Err) -> File { if b { throw Err.bad }; return File(70) }
enum Err: Error { case bad }
func t9() { do { let f = try opt(false); print(f.fd); let g = try opt(true); print(g.fd) } catch { print("caught") } }
func loop() { var f = File(80); for i in 0..<3 { if i == 1 { f = File(81 + i) } }; print(f.fd) }
func partial(_ c: Bool) { let t = Two(a: File(90), b: File(91)); if c { take(t.a) } else { print(t.b.fd) } ; print("p") }


t1()
t2()
t3()
t4()
t5()
t6()
t7()
t8()
t9()
loop()
partial(true); partial(false)
