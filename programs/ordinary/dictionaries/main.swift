// Dictionaries and sets, printed in sorted order or with a single element.
var ages = ["Ann": 30]
print(ages)
ages["Bob"] = 25
ages["Cid"] = 41
ages["Bob"]! += 1
for name in ages.keys.sorted() { print(name, ages[name]!) }
print(ages["Dan"] == nil, ages["Dan", default: 0], ages.count)
ages["Ann"] = nil
print(ages.removeValue(forKey: "Cid") ?? -1, ages)
var count: [Character: Int] = [:]
for c in "mississippi" { count[c, default: 0] += 1 }
for (c, n) in count.sorted(by: { $0.key < $1.key }) { print(c, n) }
let groups = Dictionary(grouping: 1...10, by: { $0 % 3 })
for k in groups.keys.sorted() { print(k, groups[k]!) }
var seen: Set<Int> = [3, 1, 3, 2]
print(seen.count, seen.contains(2), seen.insert(1).inserted, seen.sorted())
print(seen.union([9]).sorted(), seen.intersection([1, 2]).sorted(), Set(["only"]))
