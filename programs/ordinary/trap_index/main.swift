// An index out of range.
var a = ["x", "y"]
func get(_ i: Int) -> String { return a[i] }
print(get(0), get(1))
print(get(2))
