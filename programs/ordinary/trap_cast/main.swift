// A forced cast that fails.
class A {}
class B: A { var n = 7 }
func number(_ a: A) -> Int { let b = a as! B; b.n += 1; return b.n }
print(number(B()))
print(number(A()))
