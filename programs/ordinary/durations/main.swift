// Durations: arithmetic, comparison, printing, and as the protocols see them.
let d1 = Duration.seconds(90), d2 = Duration.milliseconds(1500), d3: Duration = .microseconds(25), d4 = Duration.nanoseconds(7)
print(d1, d2, d3, d4, d1 + d2, d1 - d2, d1 / 4, d2 * 3, d1 / d2, d1 > d2, d1 == .seconds(90), Duration.zero)
print(d2.components, d1.components.seconds, Duration(secondsComponent: 1, attosecondsComponent: 5), Duration.seconds(1.25), Duration.milliseconds(0.5), [d1, d2].sorted(), [d1, d2, d3].reduce(.zero, +), d2 * 1.5, d1 / 0.5)
var dd = d1; dd += .seconds(1); dd *= 2; dd -= .milliseconds(250); dd /= 3; print(dd, Set([d1, d1]).count, d1.hashValue == Duration.seconds(90).hashValue)
func total<D: DurationProtocol>(_ all: [D]) -> (D, Double, D, D) {
  var sum = all.reduce(.zero, +)
  let ratio = sum / all[0]
  sum *= 4
  sum /= 2
  return (sum, ratio, sum / 3 - all[0] * 2, all.max()!)
}
func hash<H: Hashable>(_ h: H) -> Int { h.hashValue }
print(total([d1, d2, d3]), hash(d1) == hash(Duration.seconds(90)), d1 as Any, Optional(d2) as Any, [d3: 1])
print(Duration.seconds(-1.5), Duration.microseconds(382.9), Duration.seconds(Int64.max).components, Duration.nanoseconds(-1))
