func read(_ bytes: UnsafeRawPointer) -> Int32 {
  struct Pair {
    var y: Int32
    var x: Int32
    let z: Int32
    var sum: Int32 { x + y }
    var w: (Int16, Int16)
  }
  let p = bytes.load(as: Pair.self)
  return p.x + p.sum + p.z
}
func show(_ value: Int32) {
  struct Trio {
    var a: Int32
    var b: Int16
    var both: (Int32, Int16) {
      @storageRestrictions(initializes: a, b)
      init(initialValue) {
        a = initialValue.0
        b = initialValue.1
      }
      get { (a, b) }
      set { }
    }
    var c: Int64
  }
  print(Trio(both: (value, 1), c: 2).both)
}
func hide(_ n: Int) -> Int {
  struct Range {
    var from: Int
    func size(_ r: Swift.Range<Int>) -> Int { r.count + from }
  }
  return Range(from: n).size(0..<n)
}
