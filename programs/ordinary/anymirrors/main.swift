// Mirrors of AnyHashable and of enums; the program's own names while functions that silvm brings run; tables without capacity.
dump(AnyHashable("x"))
dump([AnyHashable(1), AnyHashable([2])])
enum E { case a(Bool), b(String?), c }
dump([E.a(true), .b("q"), .b(nil), .c])
print(Mirror(reflecting: AnyHashable(4)).children.map { "\($0.label ?? "-") \($0.value)" })

@_optimize(none) func tables(_ n: Int) {
  var s = Set<Int>(minimumCapacity: n)
  s.insert(3)
  var d = Dictionary<String, Int>(minimumCapacity: n)
  d["a"] = 1
  print(s, d, Set<String>(minimumCapacity: n).isEmpty, d.count)
}
tables(0)
tables(10)
tables(-3)
print(Float("nan(0x5)") as Any, Float("-nan(7)")!.bitPattern, Float("nan(0x5)")!.bitPattern)
print([Float16(1), 2] == [1, 2], Set([Float16(0), -0.0]).count, AnyHashable(Float16(1)) == AnyHashable(Float16(1)), [Float16(3), 1].sorted())
print(Float16(3).hashValue == Float16(3).hashValue, ["k": Float16(2)])
let pairs: KeyValuePairs = ["x": 1, "y": 2]
print(pairs, "ab".dropFirst().hashValue == "b".hashValue)
