// URL, as far as its releases agree and no file system is asked. Its two words hold an object of our own and nothing.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never

final class LibraryURL {
  let string: String
  var scheme: String? = nil
  var user: String? = nil
  var password: String? = nil
  var host: String? = nil // nil without an authority
  var port: Int? = nil
  var path = "" // as it stands in the string, percent-encoded
  var query: String? = nil
  var fragment: String? = nil
  init(_ s: String) { string = s }
}
@_silgen_name("library_url_make") func made(_ o: __owned LibraryURL) -> URL
@_silgen_name("library_url_set") func set(_ u: inout URL, _ o: __owned LibraryURL)
@_silgen_name("library_url_parts") func parts(_ u: URL) -> LibraryURL

func isAlphanumeric(_ c: UInt8) -> Bool { c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 }
func isHex(_ c: UInt8) -> Bool { c >= 48 && c <= 57 || c >= 65 && c <= 70 || c >= 97 && c <= 102 }
// What RFC 3986 lets stand in a path, and in queries and fragments besides.
func isPath(_ c: UInt8) -> Bool { isAlphanumeric(c) || "-._~!$&'()*+,;=:@/".utf8.contains(c) }
func isQuery(_ c: UInt8) -> Bool { isPath(c) || c == 0x3f }
func isUser(_ c: UInt8) -> Bool { isPath(c) && c != 0x2f && c != 0x40 }

func encoded(_ s: some Sequence<UInt8>, _ allowed: (UInt8) -> Bool) -> String {
  var out: [UInt8] = []
  for c in s {
    if allowed(c) {
      out.append(c)
    } else {
      let digits = Array("0123456789ABCDEF".utf8)
      out += [0x25, digits[Int(c >> 4)], digits[Int(c & 15)]]
    }
  }
  return String(decoding: out, as: UTF8.self)
}
// keepsSlash: a slash that is encoded stays so.
func decoded(_ s: String, keepsSlash: Bool) -> String {
  let all = Array(s.utf8)
  if !all.contains(0x25) { return s }
  var out: [UInt8] = [], at = 0
  while at < all.count {
    if all[at] == 0x25, at + 2 < all.count, let v = UInt8(String(decoding: all[at + 1...at + 2], as: UTF8.self), radix: 16), !(keepsSlash && v == 0x2f) {
      out.append(v)
      at += 3
    } else {
      out.append(all[at])
      at += 1
    }
  }
  guard let t = String(validating: out, as: UTF8.self), !out.contains(0) else { refuse("a URL that encodes no text") }
  return t
}

func parsed(_ s: String) -> LibraryURL? {
  let all = Array(s.utf8)
  if all.isEmpty { refuse("a URL of an empty string, which releases read differently") }
  if all.contains(0) { refuse("a URL with a zero byte") }
  // A percent sign that encodes nothing is encoded itself.
  var good = 0, bad = 0
  for i in all.indices where all[i] == 0x25 { if i + 2 < all.count && isHex(all[i + 1]) && isHex(all[i + 2]) { good += 1 } else { bad += 1 } }
  if good > 0 && bad > 0 { refuse("a URL with percent signs of both kinds") }
  let keeps = bad == 0
  var rest = all[...]
  let o: LibraryURL
  var scheme: String? = nil, authority: ArraySlice<UInt8>? = nil, query: ArraySlice<UInt8>? = nil, fragment: ArraySlice<UInt8>? = nil
  if let stop = rest.firstIndex(where: { $0 == 0x3a || $0 == 0x2f || $0 == 0x3f || $0 == 0x23 }), rest[stop] == 0x3a {
    let name = rest[..<stop]
    if name.isEmpty { refuse("a URL that begins with a colon") }
    if !(name.first! | 0x20 >= 97 && name.first! | 0x20 <= 122) || !name.allSatisfy({ isAlphanumeric($0) || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e }) { return nil }
    scheme = String(decoding: name, as: UTF8.self)
    rest = rest[(stop + 1)...]
    if rest.isEmpty { refuse("a URL of a scheme alone") }
  }
  if let hash = rest.firstIndex(of: 0x23) {
    fragment = rest[(hash + 1)...]
    rest = rest[..<hash]
  }
  if let mark = rest.firstIndex(of: 0x3f) {
    query = rest[(mark + 1)...]
    rest = rest[..<mark]
  }
  if rest.starts(with: [0x2f, 0x2f]) {
    let from = rest.index(rest.startIndex, offsetBy: 2), to = rest[from...].firstIndex(of: 0x2f) ?? rest.endIndex
    authority = rest[from..<to]
    rest = rest[to...]
  }
  func text(_ bytes: ArraySlice<UInt8>, _ allowed: (UInt8) -> Bool) -> String { encoded(bytes) { allowed($0) || keeps && $0 == 0x25 } }
  let path = text(rest, isPath), q = query.map { text($0, isQuery) }, f = fragment.map { text($0, isQuery) }
  var front = ""
  var user: String? = nil, password: String? = nil, host: String? = nil, port: Int? = nil
  if let scheme { front = scheme + ":" }
  if var a = authority {
    front += "//" + String(decoding: a, as: UTF8.self)
    if let at = a.lastIndex(of: 0x40) {
      let who = a[..<at]
      if !who.allSatisfy({ isUser($0) || $0 == 0x25 && keeps }) || who.isEmpty || who.first == 0x3a { refuse("a URL with such a user") }
      let pair = who.split(separator: 0x3a, maxSplits: 1, omittingEmptySubsequences: false)
      user = String(decoding: pair[0], as: UTF8.self)
      if pair.count > 1 { password = String(decoding: pair[1], as: UTF8.self) }
      a = a[(at + 1)...]
    }
    if let colon = a.lastIndex(of: 0x3a) {
      if a[colon...].count == 1 { refuse("a URL with an empty port") }
      if !a[(colon + 1)...].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
        if a.contains(0x5b) { refuse("a URL with an address in brackets") }
        return nil
      }
      port = Int(String(decoding: a[(colon + 1)...], as: UTF8.self))
      if port == nil { refuse("a URL with such a port") }
      a = a[..<colon]
    }
    if !a.allSatisfy({ isAlphanumeric($0) || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f || $0 == 0x7e }) || a.isEmpty && (user != nil || port != nil) { refuse("a URL with such a host") }
    host = String(decoding: a, as: UTF8.self)
  }
  o = LibraryURL(front + path + (q.map { "?" + $0 } ?? "") + (f.map { "#" + $0 } ?? ""))
  (o.scheme, o.user, o.password, o.host, o.port, o.path, o.query, o.fragment) = (scheme, user, password, host, port, path, q, f)
  return o
}

extension LibraryURL {
  // The same with another path.
  func with(_ path: String) -> LibraryURL {
    var s = scheme.map { $0 + ":" } ?? ""
    if let host { s += "//" + (user.map { $0 + (password.map { ":" + $0 } ?? "") + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "") }
    s += path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    let o = LibraryURL(s)
    (o.scheme, o.user, o.password, o.host, o.port, o.path, o.query, o.fragment) = (scheme, user, password, host, port, path, query, fragment)
    return o
  }
  var isFile: Bool { scheme?.lowercased() == "file" }
  var plainPath: String {
    if path.contains("%2F") || path.contains("%2f") { refuse("the path of a URL with a slash that is encoded, which releases see differently") }
    let p = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if path.utf8.count > 2 && path.hasSuffix("//") { refuse("the path of a URL that ends with two slashes") }
    return decoded(p, keepsSlash: true)
  }
  // As they stand there, without empty ones.
  var components: [Substring] { path.split(separator: "/") }
  var last: String { components.last.map { decoded(String($0), keepsSlash: false) } ?? (path.hasPrefix("/") ? "/" : "") }
  var ending: String {
    let name = last
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    let e = name[name.index(after: dot)...]
    if !e.utf8.allSatisfy(isAlphanumeric) { refuse("the extension of the path \(path)") }
    return String(e)
  }
  func editable(_ what: String) {
    if path.contains("//") || path.contains("%2F") || path.contains("%2f") || components.last == "." || components.last == ".." || host == nil && (path.isEmpty || path.contains(":") || scheme != nil && !isFile) {
      refuse("\(what) of the URL \(string)")
    }
  }
  func appending(_ name: String, _ isDirectory: Bool?) -> LibraryURL {
    editable("appendingPathComponent")
    if isFile && isDirectory == nil && !name.hasSuffix("/") { refuse("appendingPathComponent of a file's URL, which asks the file system") }
    let parts = name.split(separator: "/")
    if parts.isEmpty || name.contains("//") || parts.contains(".") || parts.contains("..") { refuse("appendingPathComponent(\"\(name)\")") }
    let more = encoded(parts.joined(separator: "/").utf8, isPath)
    return with((path.hasSuffix("/") ? path : path + "/") + more + (name.hasSuffix("/") || isDirectory == true ? "/" : ""))
  }
}
extension LibraryURL {
  var withoutLast: LibraryURL {
    editable("deletingLastPathComponent")
    if components.isEmpty { return self }
    let kept = components.dropLast().joined(separator: "/")
    if path.hasPrefix("/") { return with(kept.isEmpty ? "/" : "/" + kept + "/") }
    return with(kept.isEmpty ? "./" : kept + "/")
  }
  var withoutExtension: LibraryURL {
    editable("deletingPathExtension")
    let e = ending
    if e.isEmpty { return self }
    if path.hasSuffix("/") { refuse("deletingPathExtension of the URL \(string)") }
    return with(String(path.dropLast(e.count + 1)))
  }
  func with(ending e: String) -> LibraryURL {
    editable("appendingPathExtension")
    if e.isEmpty || !e.utf8.allSatisfy(isAlphanumeric) { refuse("appendingPathExtension(\"\(e)\")") }
    if components.isEmpty { return path.isEmpty ? self : with("/." + e) }
    return with(path.hasSuffix("/") ? String(path.dropLast()) + "." + e + "/" : path + "." + e)
  }
}
func agreed(_ s: String?) -> String? {
  if s?.utf8.contains(0x25) ?? false { refuse("the user of a URL with percent signs, which releases see differently") }
  return s
}
extension URL {
@_silgen_name("library_20FoundationEssentials3URLV6stringACSgSSh_tcfC") public static func libraryMake(_ s: __shared String) -> URL? { parsed(s).map { made($0) } }
@_silgen_name("library_20FoundationEssentials3URLV6string10relativeToACSgSSh_AFhtcfC") public static func libraryMake(_ s: __shared String, _ base: __shared URL?) -> URL? {
  if base != nil { refuse("a URL relative to another") }
  return parsed(s).map { made($0) }
}
@_silgen_name("library_20FoundationEssentials3URLV15fileURLWithPath11isDirectoryACSSh_SbtcfC") public static func libraryFile(_ path: __shared String, _ isDirectory: Bool) -> URL { made(file(path, isDirectory)) }
@_silgen_name("library_20FoundationEssentials3URLV15fileURLWithPathACSSh_tcfC") public static func libraryFile(_ path: __shared String) -> URL { made(file(path, nil)) }
@_silgen_name("library_20FoundationEssentials3URLV14absoluteStringSSvg") public func libraryString() -> String { parts(self).string }
@_silgen_name("library_20FoundationEssentials3URLV14relativeStringSSvg") public func libraryRelative() -> String { parts(self).string }
@_silgen_name("library_20FoundationEssentials3URLV11descriptionSSvg") public func libraryText() -> String { parts(self).string }
@_silgen_name("library_20FoundationEssentials3URLV16debugDescriptionSSvg") public func libraryDebugText() -> String { parts(self).string }
@_silgen_name("library_20FoundationEssentials3URLV04baseC0ACSgvg") public func libraryBase() -> URL? { nil }
@_silgen_name("library_20FoundationEssentials3URLV08absoluteC0ACvg") public func libraryAbsolute() -> URL { made(parts(self)) }
@_silgen_name("library_20FoundationEssentials3URLV6schemeSSSgvg") public func libraryScheme() -> String? { parts(self).scheme }
@_silgen_name("library_20FoundationEssentials3URLV4hostSSSgvg") public func libraryHost() -> String? {
  if parts(self).host?.isEmpty ?? false { refuse("the host of a URL that has an empty one, which releases see differently") }
  return parts(self).host
}
@_silgen_name("library_20FoundationEssentials3URLV4host14percentEncodedSSSgSb_tF") public func libraryHost(_ e: Bool) -> String? { libraryHost() }
@_silgen_name("library_20FoundationEssentials3URLV4path14percentEncodedSSSb_tF") public func libraryPath(_ e: Bool) -> String {
  if e { return parts(self).path }
  _ = parts(self).plainPath
  return decoded(parts(self).path, keepsSlash: true)
}
@_silgen_name("library_20FoundationEssentials3URLV5query14percentEncodedSSSgSb_tF") public func libraryQuery(_ e: Bool) -> String? { parts(self).query.map { e ? $0 : decoded($0, keepsSlash: false) } }
@_silgen_name("library_20FoundationEssentials3URLV8fragment14percentEncodedSSSgSb_tF") public func libraryFragment(_ e: Bool) -> String? { parts(self).fragment.map { e ? $0 : decoded($0, keepsSlash: false) } }
@_silgen_name("library_20FoundationEssentials3URLV4portSiSgvg") public func libraryPort() -> Int? { parts(self).port }
@_silgen_name("library_20FoundationEssentials3URLV4userSSSgvg") public func libraryUser() -> String? { agreed(parts(self).user) }
@_silgen_name("library_20FoundationEssentials3URLV8passwordSSSgvg") public func libraryPassword() -> String? { agreed(parts(self).password) }
@_silgen_name("library_20FoundationEssentials3URLV4pathSSvg") public func libraryPath() -> String { parts(self).plainPath }
@_silgen_name("library_20FoundationEssentials3URLV12relativePathSSvg") public func libraryRelativePath() -> String { parts(self).plainPath }
@_silgen_name("library_20FoundationEssentials3URLV5querySSSgvg") public func libraryQuery() -> String? { parts(self).query }
@_silgen_name("library_20FoundationEssentials3URLV8fragmentSSSgvg") public func libraryFragment() -> String? { parts(self).fragment }
@_silgen_name("library_20FoundationEssentials3URLV06isFileC0Sbvg") public func libraryIsFile() -> Bool { parts(self).isFile }
@_silgen_name("library_20FoundationEssentials3URLV16hasDirectoryPathSbvg") public func libraryIsDirectory() -> Bool {
  if let last = parts(self).components.last, last == "." || last == ".." { refuse("hasDirectoryPath of a URL that ends with dots") }
  return parts(self).path.hasSuffix("/")
}
@_silgen_name("library_20FoundationEssentials3URLV17lastPathComponentSSvg") public func libraryLast() -> String { parts(self).last }
@_silgen_name("library_20FoundationEssentials3URLV13pathExtensionSSvg") public func libraryExtension() -> String { parts(self).ending }
@_silgen_name("library_20FoundationEssentials3URLV14pathComponentsSaySSGvg") public func libraryComponents() -> [String] {
  (parts(self).path.hasPrefix("/") ? ["/"] : []) + parts(self).components.map { decoded(String($0), keepsSlash: false) }
}
@_silgen_name("library_20FoundationEssentials3URLV25deletingLastPathComponentACyF") public func libraryWithoutLast() -> URL { made(parts(self).withoutLast) }
@_silgen_name("library_20FoundationEssentials3URLV23deleteLastPathComponentyyF") public mutating func libraryDeleteLast() { set(&self, parts(self).withoutLast) }
@_silgen_name("library_20FoundationEssentials3URLV21deletingPathExtensionACyF") public func libraryWithoutExtension() -> URL { made(parts(self).withoutExtension) }
@_silgen_name("library_20FoundationEssentials3URLV19deletePathExtensionyyF") public mutating func libraryDeleteExtension() { set(&self, parts(self).withoutExtension) }
@_silgen_name("library_20FoundationEssentials3URLV22appendingPathExtensionyACSSF") public func libraryWith(_ e: String) -> URL { made(parts(self).with(ending: e)) }
@_silgen_name("library_20FoundationEssentials3URLV19appendPathExtensionyySSF") public mutating func libraryAdd(_ e: String) { set(&self, parts(self).with(ending: e)) }
@_silgen_name("library_20FoundationEssentials3URLV22appendingPathComponentyACSSF") public func libraryAppending(_ s: String) -> URL { made(parts(self).appending(s, nil)) }
@_silgen_name("library_20FoundationEssentials3URLV22appendingPathComponent_11isDirectoryACSS_SbtF") public func libraryAppending(_ s: String, _ isDirectory: Bool) -> URL { made(parts(self).appending(s, isDirectory)) }
@_silgen_name("library_20FoundationEssentials3URLV19appendPathComponentyySSF") public mutating func libraryAppend(_ s: String) { set(&self, parts(self).appending(s, nil)) }
@_silgen_name("library_20FoundationEssentials3URLV19appendPathComponent_11isDirectoryySS_SbtF") public mutating func libraryAppend(_ s: String, _ isDirectory: Bool) { set(&self, parts(self).appending(s, isDirectory)) }
@_silgen_name("library_20FoundationEssentials3URLV2eeoiySbAC_ACtFZ") public static func librarySame(_ a: URL, _ b: URL) -> Bool { parts(a).string.utf8.elementsEqual(parts(b).string.utf8) }
}
@_silgen_name("library_url_filePath") public func fileURL(_ path: __owned String, _ hint: URL.DirectoryHint, _ isRelative: Bool) -> URL {
  if isRelative { refuse("the URL of a file relative to another") }
  return made(file(path, hint == .checkFileSystem ? nil : hint == .isDirectory || hint == .inferFromPath && path.hasSuffix("/")))
}
// isDirectory is nil where the file system is asked.
func file(_ path: String, _ isDirectory: Bool?) -> LibraryURL {
  if !path.hasPrefix("/") || path.contains("//") { refuse("the URL of a file whose path is no absolute one") }
  if isDirectory == nil && !path.hasSuffix("/") { refuse("the URL of a file, which asks the file system whether it is a directory") }
  let isDirectory = isDirectory ?? true
  let s = isDirectory && !path.hasSuffix("/") ? path + "/" : !isDirectory && path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
  return parsed("file://" + encoded(s.utf8, isPath))!
}
