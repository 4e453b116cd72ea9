// An instance method and a class method of one name, called by the names of their overrides.
class Case {
  required init() {}
  class func setUp() { print("class Case.setUp") }
  func setUp() { print("Case.setUp") }
  static func run() { Self.setUp(); let c = Self.init(); c.setUp() }
}
class Mine: Case {
  override class func setUp() { super.setUp(); print("class Mine.setUp") }
  override func setUp() { super.setUp(); print("Mine.setUp") }
}
final class Other: Mine { override func setUp() { print("Other.setUp") } }
Case.run(); Mine.run(); Other.run()
let t: Case.Type = Mine.self
t.setUp(); t.init().setUp()
let m: Mine = Mine()
m.setUp(); Mine.setUp()
@_optimize(none) func over(_ m: Mine, _ t: Mine.Type) { m.setUp(); t.setUp() }
over(Other(), Other.self); over(Mine(), Mine.self)
