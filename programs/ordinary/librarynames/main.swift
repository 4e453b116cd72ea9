// Types of a program that have the names of protocols of the library.
class Actor { let name: String; init(_ n: String) { name = n }; func act() { print(name, "acts") }; deinit { print(name, "exits") } }
class Hero: Actor { override func act() { super.act(); print("heroically") } }
struct Mirror { var x = 1 }
enum Never { case a }
struct Slice { var n = 2 }
struct Iterator { var n = 3 }
struct Identifier: Hashable { var raw: Int }
class Error { let m: String; init(_ m: String) { self.m = m } }
enum Fault: Swift.Error { case bad }
func go() throws(Fault) { throw .bad }
let cast: [Actor] = [Actor("extra"), Hero("hero")]
withExtendedLifetime(cast) { for a in cast { a.act() } }
print(Mirror(), Never.a, Slice(), Iterator(), Error("e").m)
do { try go() } catch { print(error) }
let any: Any = cast[1]
print(any is Hero, (any as? Actor)?.name ?? "-")
struct Stack<Element> { var items: [Element] = []; mutating func push(_ e: Element) { items.append(e) } }
var st = Stack<Identifier>(); st.push(Identifier(raw: 1)); print(st)
