// What the members of an existential's values are is said by same-type requirements of its protocols, and by arguments: values of them are loaded.
protocol IntColl: RandomAccessCollection where Element == Int, Index == Int {}
extension Array: IntColl where Element == Int {}
protocol Sub: RandomAccessCollection where SubSequence == ArraySlice<Int>, Index == Int {}
extension Array: Sub where Element == Int {}
protocol Has { associatedtype V; associatedtype W: Has where W.V == V; var v: V { get }; var w: W { get } }
protocol HasS: Has where W == SHas {}
struct SHas: HasS { var v: String { "s" }; var w: SHas { self } }
struct Two: HasS { var v: String { "two" }; var w: SHas { SHas() } }
func f(_ c: any IntColl, _ s: any Sub, _ p: any RandomAccessCollection<Int>, _ h: any HasS) {
  print(c[0], c.first!, s[1], s.last!, p.first!, s.dropFirst().count, h.v, h.w.v)
  for x in c { print(x, terminator: " ") }
  print(c.map { $0 + 1 }, s.reduce(0, +), p.max()!)
}
f([1, 2], [3, 4], [5, 6], Two())
