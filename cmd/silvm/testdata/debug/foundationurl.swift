import Foundation
func show(_ s: String) {
  guard let u = URL(string: s) else { return print(s, "is none") }
  print(u.absoluteString, u.scheme ?? "-", u.host ?? "-", u.port ?? -1, u.path, u.query ?? "-", u.fragment ?? "-", u.pathComponents, u.pathExtension)
}
show("https://user:pw@example.com:8080/a/b%20c/d.tar.gz?q=1&r=%26#frag")
show("mailto:x@y.z")
show("a/b c/é")
show("http://h:ab/x")
show("http://h/100%")
var u = URL(string: "https://example.com/a/b.txt?q=1")!
u.deleteLastPathComponent()
u.appendPathComponent("c d.md")
print(u.absoluteString, u.deletingPathExtension().appendingPathExtension("txt").absoluteString, u == URL(string: "https://example.com/a/c%20d.md?q=1"))
