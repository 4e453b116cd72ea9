final class View {
  var onTap: (() -> Int)?
  let id: Int
  init(_ n: Int) { id = n }
}

struct Pair {
  var view: View
  var label: Int
}

struct Wrapper {
  let view: View
}

func whole() {
  let v = View(1)
  let pair = Pair(view: v, label: 2)
  v.onTap = { pair.label + pair.view.id }
}

func array() {
  let v = View(3)
  let all = [v, v]
  v.onTap = { all.count }
}

func only() {
  let w = Wrapper(view: View(4))
  w.view.onTap = { w.view.id }
}

func reference() {
  let v: View? = View(5)
  v?.onTap = { v?.id ?? 0 }
}

whole()
array()
only()
reference()
