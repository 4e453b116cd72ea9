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
