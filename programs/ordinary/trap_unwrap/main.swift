// Forced unwrapping of nil.
let table = ["one": 1]
func lookup(_ k: String) -> Int { return table[k]! }
print(lookup("one"))
print(lookup("two"))
