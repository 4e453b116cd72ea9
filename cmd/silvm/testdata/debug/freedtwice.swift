struct Ring {
  let base = UnsafeMutablePointer<Int>.allocate(capacity: 4)
  @inline(never) func destroy() { base.deallocate() }
}
final class Sampler {
  let ring: Ring
  @inline(never) init(_ ring: Ring) { self.ring = ring }
  deinit { ring.destroy() }
}
@inline(never) func use(_ s: Sampler) -> Int { s.ring.base[0] }
@inline(never) func average() -> Int {
  let ring = Ring()
  ring.base.initialize(to: 7)
  let first = use(Sampler(ring))
  return first + use(Sampler(ring))
}
print(average() == 14)
