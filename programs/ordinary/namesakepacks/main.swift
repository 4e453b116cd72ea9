// A type with a name of the library's, and the library's, side by side: in packs, and in results of methods that tasks wait for.
struct Character: Hashable, CustomStringConvertible {
  var name: String, age = 1
  var description: String { "<\(name)>" }
}
func each<each T: CustomStringConvertible>(_ v: repeat each T) -> String {
  var out: [String] = []
  repeat out.append((each v).description)
  return out.joined(separator: "|")
}
func both<A: CustomStringConvertible, each T: Hashable>(_ a: A, _ v: repeat each T) -> (repeat (each T, Int)) {
  print(a)
  return (repeat (each v, 1))
}
class Club {
  @inline(never) func members() -> [Character] { [Character(name: "cid")] }
  @inline(never) func letters() -> [Swift.Character] { ["c"] }
  func first(_ s: String) -> Swift.Character? { s.first }
  func first(_ n: Int) -> Character? { n == 0 ? nil : Character(name: "n\(n)") }
}
actor Party {
  var all = [Character(name: "ann"), Character(name: "bob")]
  func members() -> [Character] { all }
  func letters() -> [Swift.Character] { all.map { $0.name.first! } }
}
func run() async {
  let own = Character(name: "x"), letter: Swift.Character = "y"
  print(each(1, own, letter), each(letter, own), each(own), each(letter))
  print(both(own, letter, own, "s"), both(letter, own))
  let p = Party(), c = Club()
  print(await p.members(), await p.letters())
  print(c.members(), c.letters(), c.first("ab")!, c.first(2)!)
}
await run()
