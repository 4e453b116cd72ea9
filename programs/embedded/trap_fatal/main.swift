// Ends in a trap: fatalError in a state machine's impossible state.
enum State { case idle, running(Int), done }
func step(_ s: State) -> State {
  switch s {
  case .idle: return .running(1)
  case .running(let n) where n < 3: return .running(n + 1)
  case .running: return .done
  case .done: fatalError("stepped past the end")
  }
}
var s = State.idle
while true {
  s = step(s)
  if case .running(let n) = s { print(n) } else { print("done") }
}
