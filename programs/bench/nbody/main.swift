// Gravity between five bodies: structs of doubles in an array.
let size = 3_000_000
var runtimeSize = size

struct Vector {
  var x, y, z: Double
  static func - (a: Vector, b: Vector) -> Vector { return Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  static func + (a: Vector, b: Vector) -> Vector { return Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func * (a: Vector, k: Double) -> Vector { return Vector(x: a.x * k, y: a.y * k, z: a.z * k) }
  var squared: Double { return x * x + y * y + z * z }
}

struct Body {
  var position: Vector
  var velocity: Vector
  let mass: Double
}

let year = 365.24
let solarMass = 39.47841760435743

func planets() -> [Body] {
  return [
    Body(position: Vector(x: 0, y: 0, z: 0), velocity: Vector(x: 0, y: 0, z: 0), mass: solarMass),
    Body(position: Vector(x: 4.84143144246472, y: -1.16032004402742, z: -0.103622044471123),
         velocity: Vector(x: 0.00166007664274404 * year, y: 0.00769901118419740 * year, z: -0.0000690460016972063 * year),
         mass: 0.000954791938424327 * solarMass),
    Body(position: Vector(x: 8.34336671824458, y: 4.12479856412430, z: -0.403523417114321),
         velocity: Vector(x: -0.00276742510726412 * year, y: 0.00499852801234917 * year, z: 0.0000230417297573764 * year),
         mass: 0.000285885980666131 * solarMass),
    Body(position: Vector(x: 12.8943695621391, y: -15.1111514016986, z: -0.223307578892656),
         velocity: Vector(x: 0.00296460137564762 * year, y: 0.00237847173959481 * year, z: -0.0000296589568540238 * year),
         mass: 0.0000436624404335156 * solarMass),
    Body(position: Vector(x: 15.3796971148509, y: -25.9193146099880, z: 0.179258772950371),
         velocity: Vector(x: 0.00268067772490389 * year, y: 0.00162824170038242 * year, z: -0.0000951592254519716 * year),
         mass: 0.0000515138902046611 * solarMass),
  ]
}

@inline(never) func advance(_ bodies: inout [Body], _ dt: Double) {
  for i in 0..<bodies.count {
    for j in (i + 1)..<max(bodies.count, i + 1) {
      let d = bodies[i].position - bodies[j].position
      let distance2 = d.squared
      let magnitude = dt / (distance2 * distance2.squareRoot())
      bodies[i].velocity = bodies[i].velocity - d * (bodies[j].mass * magnitude)
      bodies[j].velocity = bodies[j].velocity + d * (bodies[i].mass * magnitude)
    }
  }
  for i in 0..<bodies.count {
    bodies[i].position = bodies[i].position + bodies[i].velocity * dt
  }
}

func energy(_ bodies: [Body]) -> Double {
  var e = 0.0
  for (i, b) in bodies.enumerated() {
    e += 0.5 * b.mass * b.velocity.squared
    for c in bodies[(i + 1)...] { e -= b.mass * c.mass / (b.position - c.position).squared.squareRoot() }
  }
  return e
}

var bodies = planets()
print(Int(energy(bodies) * 1e9))
for _ in 0..<runtimeSize { advance(&bodies, 0.01) }
print(Int(energy(bodies) * 1e9))
