// A small entity-component world: arrays of structs mutated in place through inout, key paths
// replaced by closures, generic storage with free lists, events in a queue.
struct Vec2: Equatable {
  var x = 0.0, y = 0.0
  static func += (a: inout Vec2, b: Vec2) { a.x += b.x; a.y += b.y }
  static func * (a: Vec2, k: Double) -> Vec2 { return Vec2(x: a.x * k, y: a.y * k) }
}
struct Handle: Hashable { let index: Int; let generation: UInt32 }
struct Pool<T> {
  private enum Slot { case free(next: Int?), used(T) }
  private var slots: [Slot] = []
  private var generations: [UInt32] = []
  private var firstFree: Int?
  private(set) var count = 0
  mutating func insert(_ t: T) -> Handle {
    count += 1
    if let i = firstFree, case .free(let next) = slots[i] {
      firstFree = next
      slots[i] = .used(t)
      return Handle(index: i, generation: generations[i])
    }
    slots.append(.used(t))
    generations.append(0)
    return Handle(index: slots.count - 1, generation: 0)
  }
  mutating func remove(_ h: Handle) -> T? {
    guard let t = self[h] else { return nil }
    slots[h.index] = .free(next: firstFree)
    generations[h.index] += 1
    firstFree = h.index
    count -= 1
    return t
  }
  subscript(h: Handle) -> T? {
    guard h.index < slots.count, generations[h.index] == h.generation, case .used(let t) = slots[h.index] else { return nil }
    return t
  }
  mutating func forEach(_ body: (inout T) -> Void) {
    for i in slots.indices {
      if case .used(var t) = slots[i] {
        slots[i] = .free(next: nil)
        body(&t)
        slots[i] = .used(t)
      }
    }
  }
}
enum Event { case spawned(Handle), died(Handle, cause: Cause), tick(Int) }
enum Cause { case age, wall(side: Int) }
struct Particle {
  var position = Vec2()
  var velocity: Vec2
  var age = 0
  var trail: [Vec2] = []
}
final class World {
  var particles = Pool<Particle>()
  var queue: [Event] = []
  var observers: [(Event) -> Void] = []
  func spawn(_ v: Vec2) -> Handle {
    let h = particles.insert(Particle(velocity: v))
    queue.append(.spawned(h))
    return h
  }
  func step(_ n: Int) {
    particles.forEach { p in
      p.position += p.velocity * 0.5
      p.age += 1
      p.trail.append(p.position)
      if p.trail.count > 3 { p.trail.removeFirst() }
    }
    queue.append(.tick(n))
  }
  func kill(_ h: Handle, _ c: Cause) { if particles.remove(h) != nil { queue.append(.died(h, cause: c)) } }
  func flush() {
    let events = queue
    queue.removeAll(keepingCapacity: true)
    for e in events { for o in observers { o(e) } }
  }
}

let world = World()
var log: [Int] = []
world.observers.append { e in
  switch e {
  case .spawned(let h): log.append(h.index * 10 + Int(h.generation))
  case .died(_, cause: .age): log.append(-1)
  case .died(let h, cause: .wall(side: let s)): log.append(-100 * s - h.index)
  case .tick(let n) where n % 2 == 0: log.append(1000 + n)
  case .tick: break
  }
}
var handles: [Handle] = []
for i in 0..<4 { handles.append(world.spawn(Vec2(x: Double(i), y: 2))) }
for n in 1...4 { world.step(n) }
world.kill(handles[1], .wall(side: 3))
world.kill(handles[1], .age)
world.kill(handles[2], .age)
handles.append(world.spawn(Vec2(x: -1, y: 0)))
world.flush()
for x in log { print(x) }
print(world.particles.count)
print(world.particles[handles[1]] == nil)
print(Int(world.particles[handles[3]]!.position.x * 10))
print(world.particles[handles[3]]!.trail.count)
print(world.particles[handles[3]]!.trail[0] == Vec2(x: 3, y: 2))
