// Inner loops that compare their counter with that of the outer loop and go on when both are equal.

@inline(never)
func compare(_ rows: Int, _ columns: Int) -> (below: Int, equal: Int, above: Int) {
  var below = 0
  var equal = 0
  var above = 0
  for row in 0..<rows {
    for column in 0..<columns {
      if column == row {
        equal += row + 1
      } else if column < row {
        below += row * 10
      } else {
        above += column * 100
      }
    }
  }
  return (below, equal, above)
}

@inline(never)
func lastBelow(_ limit: Int, _ columns: Int) -> Int {
  var last = -1
  if limit < 0 {
    return last
  }
  var column = 0
  repeat {
    if column == limit {
      print("at the limit")
    } else if column < limit {
      last = column
    } else {
      print(column)
    }
    column += 1
  } while column < columns
  return last
}

let counts = compare(3, 4)
print(counts.below)
print(counts.equal)
print(counts.above)
print(lastBelow(2, 5))
print(lastBelow(4, 3))
