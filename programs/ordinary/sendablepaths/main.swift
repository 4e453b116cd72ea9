// Key paths in Swift 6's mode, which are of existential types: any WritableKeyPath<Root, Value> & Sendable.
// language mode: 6
struct Stats { var name = "s"; var count = 3; var last: [Int] = [1]; var mean: Double { Double(count) / 2 } }
final class Holder { var s = Stats(); let n = 1 }
func show(_ k: AnyKeyPath) { print(type(of: k), type(of: k).rootType, type(of: k).valueType) }
func read<V>(_ s: Stats, _ k: KeyPath<Stats, V> & Sendable) -> V { s[keyPath: k] }
func main() {
    show(\Stats.name); show(\Stats.mean); show(\Holder.s.count); show(\Holder.n)
    let k: WritableKeyPath<Stats, Int> & Sendable = \.count
    var s = Stats(); s[keyPath: k] += 4; print(s.count, read(s, \.last.count), read(s, \.mean), k == \Stats.count)
    let any: any Sendable = k; print(any is KeyPath<Stats, Int>, any as? WritableKeyPath<Stats, String> as Any, type(of: any))
    let list: [PartialKeyPath<Stats> & Sendable] = [\.name, \.count]; print(list.map { "\(s[keyPath: $0])" }, list.count)
    let app = k.appending(path: \.description); print(s[keyPath: app], type(of: app)); print(Set<AnyKeyPath>([k, \Stats.count, \Stats.name]).count)
    print([Stats(), s].map(\.count).reduce(0, +), MemoryLayout.size(ofValue: k))
}
main()
