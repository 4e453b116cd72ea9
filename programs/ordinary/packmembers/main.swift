// Members of pack elements, inside tuples too.
struct Ended: Error {}
struct Zip<each S: Sequence>: IteratorProtocol {
  var iterators: (repeat (each S).Iterator)
  init(_ s: repeat each S) { iterators = (repeat (each s).makeIterator()) }
  mutating func next() -> (repeat (each S).Element)? {
    func advance<I: IteratorProtocol>(_ i: I) throws -> (I, I.Element) {
      var i = i
      guard let x = i.next() else { throw Ended() }
      return (i, x)
    }
    do {
      let stepped = (repeat try advance(each iterators))
      iterators = (repeat (each stepped).0)
      return (repeat (each stepped).1)
    } catch { return nil }
  }
}
var zip = Zip([1, 2, 3], [true, false])
while let (a, b) = zip.next() { print(a, b) }
