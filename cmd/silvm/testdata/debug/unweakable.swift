final class Pair { var both: (Pair?, Int) = (nil, 0); init() {} }
indirect enum Tree { case none, one(Owner, Int), two(Tree) }
final class Owner { var tree = Tree.none; init() {} }
struct Link { var to: Knot?; var n = 1 }
final class Knot { var link = Link(); var nested: (Link, Int) = (Link(), 1); init() {} }
func f() { let a = Pair(); a.both.0 = a }
func g() { let e = Owner(); e.tree = .two(.one(e, 1)) }
func h() { let a = Knot(); a.link.to = a }
func i() { let a = Knot(); a.nested.0.to = a }
f(); g(); h(); i()
