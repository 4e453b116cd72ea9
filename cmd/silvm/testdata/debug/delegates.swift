final class Download {
  var completion: ((Int) -> Void)?
  var bytes = 0
  func start(_ n: Int) { completion?(n) }
}

final class Screen {
  var downloads: [Download] = []
  var total = 0
  func add() {
    let d = Download()
    d.completion = { n in self.total += n }
    downloads.append(d)
  }
}

struct Handle {
  let raw: Unmanaged<Download>
  func close() { raw.release() }
}

func show() {
  let s = Screen()
  s.add()
  s.add()
  for d in s.downloads { d.start(4) }
  print(s.total)
}

func twice() {
  let h = Handle(raw: .passRetained(Download()))
  let kept = [h]
  h.close()
  kept[0].close()
}

show()
twice()
