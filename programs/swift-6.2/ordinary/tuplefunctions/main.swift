// Functions inside tuples and optionals that are put into Any.
let t: Any = (1, { 1 } as () -> Int)
if let (a, f) = t as? (Int, () -> Int) { print(a, f()) } else { print("no") }
let o: Any = Optional<(String) -> Int>.some { $0.count } as Any
if let f = o as? (String) -> Int { print(f("four")) } else { print("no") }
let n: Any = ((true, { (x: Int) in x + 1 } as (Int) -> Int), [2])
if let ((b, f), l) = n as? ((Bool, (Int) -> Int), [Int]) { print(b, f(41), l) } else { print("no") }
