@main struct Main { static func main() async {
  let t = Task { () -> Int in await withCheckedContinuation { (c: CheckedContinuation<Int, Never>) in _ = c } }
  try? await Task.sleep(nanoseconds: 1000)
  print("end"); _ = t
} }
