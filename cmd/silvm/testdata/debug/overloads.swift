// Compiled with 6.0.3: swiftc -emit-sil -Onone -module-name main overloads.swift
protocol P {}
protocol Q {}
extension P { func who() -> Int { 1 } }
extension Q { func who() -> Int { 2 } }
extension P { func alone() -> Int { 3 } }
struct S: P, Q { var n = 0 }
func f(_ x: Int) -> Bool { true }
func f(_ x: Double) -> Bool { false }
func g(_ x: Int) -> Int { x }
func run() {
  let s = S()
  print(f(1), f(2.0), g(1), (s as any P).who(), (s as any Q).who(), s.alone())
}
run()
