// The text of a key path is asked for, not only printed.
struct Point { var x = 0; var name: (first: String, last: String?) = ("", nil); var next: Box? }
final class Box { var point = Point(); let id = 1 }
func text(_ path: AnyKeyPath) -> String { "<" + path.debugDescription + ">" }
print(text(\Point.x), text(\Point.name.first), text(\Point.next?.point), text(\Box.point.next!.id), text(\Point.self), (\Box.id).debugDescription.count)
let joined = (\Box.point).appending(path: \.name.last); print(joined.debugDescription, [\Point.x, \Point.next].map(\.debugDescription))
