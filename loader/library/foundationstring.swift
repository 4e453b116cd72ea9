// NSString: a string in an object, its UTF-16, and paths. Subclasses, and what the C library compares and searches, are refused.

import Foundation

@_silgen_name("library_string_new") func newString() -> NSString

// An object's string lies behind the header and the word that only C reads.
@inline(__always) func storage(_ s: AnyObject) -> UnsafeMutablePointer<String> { place(s, 24, String.self) }
@inline(__always) func text(_ s: NSString) -> String { storage(s).pointee }

func object(_ s: __owned String) -> NSString { fill(newString(), s) }
func fill(_ o: __owned NSString, _ s: __owned String) -> NSString {
  place(o, 16, UInt.self).initialize(to: 0)
  storage(o).initialize(to: s)
  return o
}
func make(_ t: NSString.Type, _ s: __owned String) -> NSString {
  if t != NSString.self { refuse("a subclass of NSString") }
  return object(s)
}
@_silgen_name("library_10Foundation8NSStringC13stringLiteralACs12StaticStringV_tcfc") public func stringFill(_ s: StaticString, _ o: __owned NSString) -> NSString {
  if type(of: o) != NSString.self { refuse("a subclass of NSString") }
  return fill(o, s.description)
}
@_silgen_name("library_string_free") public func freeString(_ o: AnyObject) { storage(o).deinitialize(count: 1) }

@_silgen_name("library_10Foundation8NSStringCACycfC") public func stringMake(_ t: NSString.Type) -> NSString { make(t, "") }
@_silgen_name("library_10Foundation8NSStringC6stringACSS_tcfC") public func stringMake(_ s: __owned String, _ t: NSString.Type) -> NSString { make(t, s) }
@_silgen_name("library_10Foundation8NSStringCyACSScfC") public func stringMakePlain(_ s: __owned String, _ t: NSString.Type) -> NSString { make(t, s) }
@_silgen_name("library_10Foundation8NSStringC13stringLiteralACs12StaticStringV_tcfC") public func stringMake(_ s: StaticString, _ t: NSString.Type) -> NSString { make(t, s.description) }
@_silgen_name("library_10Foundation8NSStringC20unicodeScalarLiteralACs12StaticStringV_tcfC") public func stringMakeScalar(_ s: StaticString, _ t: NSString.Type) -> NSString { make(t, s.description) }
@_silgen_name("library_10Foundation8NSStringC30extendedGraphemeClusterLiteralACs12StaticStringV_tcfC") public func stringMakeCharacter(_ s: StaticString, _ t: NSString.Type) -> NSString { make(t, s.description) }

extension String {
@_silgen_name("library_SS10FoundationE19_bridgeToObjectiveCAA8NSStringCyF") public func libraryObject() -> NSString { object(self) }
}
@_silgen_name("library_SS10FoundationE36_unconditionallyBridgeFromObjectiveCySSAA8NSStringCSgFZ") public func stringOf(_ s: NSString?, _ t: String.Type) -> String {
  guard let s else { return "" }
  return text(s)
}
@_silgen_name("library_SS10FoundationE34_conditionallyBridgeFromObjectiveC_6resultSbAA8NSStringC_SSSgztFZ") public func stringOf(_ s: NSString, _ result: inout String?, _ t: String.Type) -> Bool {
  result = text(s)
  return true
}
@_silgen_name("library_SS10FoundationEySSAA8NSStringCcfC") public func stringFrom(_ s: __owned NSString, _ t: String.Type) -> String { text(s) }

// Paths, of which the last component of one UTF-16 unit is asked for natively only to trap. What counts are characters: a slash with a mark on it
// separates nothing.

func withoutDoubleSlashes(_ path: String) -> [Character] {
  var out: [Character] = []
  for c in path where c != "/" || out.last != "/" { out.append(c) }
  return out
}
func fixedPath(_ path: String) -> [Character] {
  if path == "/" { return ["/"] }
  var out = withoutDoubleSlashes(path)
  if out.last == "/" { out.removeLast() }
  return out
}
func units(_ path: [Character]) -> Int {
  var n = 0
  for c in path { n += c.utf16.count }
  return n
}
func component(_ path: String) -> String {
  var out = withoutDoubleSlashes(path)
  if out.last == "/" && units(out) > 1 { out.removeLast() }
  return String(out)
}
func lastStart(_ path: [Character]) -> Int {
  precondition(units(path) > 1 && path.last != "/")
  return (path.lastIndex(of: "/") ?? -1) + 1
}
// Where the extension begins, behind its dot.
func extensionStart(_ path: [Character]) -> Int? {
  let start = lastStart(path)
  guard let dot = path.lastIndex(of: "."), dot > start else { return nil }
  if dot == start + 1 && dot == path.count - 1 && path[start] == "." { return nil }
  return dot + 1
}
func appended(_ path: String, _ s: String) -> String {
  if s.isEmpty { return path }
  if path.isEmpty { return s }
  return path.last == "/" ? path + s : path + "/" + s
}

extension NSString {
// A copy in memory that nobody frees, as Foundation's is.
@_silgen_name("library_10Foundation8NSStringC10utf8StringSPys4Int8VGSgvg") public func libraryBytes() -> UnsafePointer<Int8>? {
  let own = text(self).utf8CString
  let copy = UnsafeMutablePointer<Int8>.allocate(capacity: own.count)
  own.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: own.count) }
  return UnsafePointer(copy)
}
@_silgen_name("library_10Foundation8NSStringC6lengthSivg") public func libraryLength() -> Int { text(self).utf16.count }
@_silgen_name("library_10Foundation8NSStringC9character2ats6UInt16VSi_tF") public func libraryCharacter(_ n: Int) -> UInt16 {
  let all = text(self).utf16
  return all[all.index(all.startIndex, offsetBy: n)]
}
@_silgen_name("library_10Foundation8NSStringC9substring4fromSSSi_tF") public func librarySubstring(from n: Int) -> String {
  let all = text(self).utf16
  return String(all.suffix(from: all.index(all.startIndex, offsetBy: n)))!
}
@_silgen_name("library_10Foundation8NSStringC9substring2toSSSi_tF") public func librarySubstring(to n: Int) -> String {
  let all = text(self).utf16
  return String(all.prefix(upTo: all.index(all.startIndex, offsetBy: n)))!
}
@_silgen_name("library_10Foundation8NSStringC9substring4withSSAA8_NSRangeV_tF") public func librarySubstring(_ at: Int, _ count: Int) -> String {
  let all = text(self).utf16
  let from = all.index(all.startIndex, offsetBy: at)
  return String(decoding: all[from..<all.index(from, offsetBy: count)], as: UTF16.self)
}
@_silgen_name("library_10Foundation8NSStringC11descriptionSSvg") public func libraryString() -> String { text(self) }
@_silgen_name("library_10Foundation8NSStringC7isEqual2toSbSS_tF") public func libraryEquals(_ s: String) -> Bool { text(self) == s }
@_silgen_name("library_10Foundation8NSStringC9appendingyS2SF") public func libraryAppending(_ s: String) -> String { text(self) + s }
@_silgen_name("library_10Foundation8NSStringC14isAbsolutePathSbvg") public func libraryIsAbsolute() -> Bool { text(self).hasPrefix("~") || text(self).hasPrefix("/") }
@_silgen_name("library_10Foundation8NSStringC14pathComponentsSaySSGvg") public func libraryComponents() -> [String] {
  let path = text(self)
  var out = path.split(separator: "/").map { String($0) }
  if path.first == "/" { out.insert("/", at: 0) }
  if path.utf16.count > 1 && path.hasSuffix("/") { out.append("/") }
  return out
}
@_silgen_name("library_10Foundation8NSStringC17lastPathComponentSSvg") public func libraryLastComponent() -> String {
  let path = fixedPath(text(self))
  return units(path) <= 1 ? String(path) : String(path[lastStart(path)...])
}
@_silgen_name("library_10Foundation8NSStringC25deletingLastPathComponentSSvg") public func libraryDeletingComponent() -> String {
  let path = fixedPath(text(self))
  if path.isEmpty || path == ["/"] { return String(path) }
  let start = lastStart(path)
  return start == 0 ? "" : start == 1 ? "/" : String(path[..<(start - 1)])
}
@_silgen_name("library_10Foundation8NSStringC22appendingPathComponentyS2SF") public func libraryAppendingComponent(_ s: String) -> String { appended(text(self), s) }
@_silgen_name("library_10Foundation8NSStringC13pathExtensionSSvg") public func libraryExtension() -> String {
  let path = fixedPath(text(self))
  guard units(path) > 1, let start = extensionStart(path) else { return "" }
  return String(path[start...])
}
@_silgen_name("library_10Foundation8NSStringC21deletingPathExtensionSSvg") public func libraryDeletingExtension() -> String {
  let path = fixedPath(text(self))
  guard units(path) > 1, let start = extensionStart(path) else { return String(path) }
  return String(path[..<(start - 1)])
}
@_silgen_name("library_10Foundation8NSStringC22appendingPathExtensionySSSgSSF") public func libraryAppendingExtension(_ s: String) -> String? {
  let path = text(self)
  if s.hasPrefix("/") || path.isEmpty || path == "/" {
    print("Cannot append extension \(s) to path \(path)")
    return nil
  }
  let stripped = path.utf16.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  return component(stripped + "." + s)
}
@_silgen_name("library_10Foundation8NSStringC4path14withComponentsSSSaySSG_tFZ") public class func libraryPath(_ components: [String]) -> String {
  precondition(!components.isEmpty)
  var path = ""
  for c in components { path = appended(path, component(c)) }
  return path
}
}
