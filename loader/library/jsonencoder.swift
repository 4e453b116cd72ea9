// JSONEncoder: its options, the tree that a value is encoded as, and the text of that (swift-foundation, FoundationEssentials/JSON).

import Foundation

// LibraryEncoderOptions and LibraryEncoderFields are JSONEncoder._Options and the stored properties of JSONEncoder.
struct LibraryEncoderOptions {
  var outputFormatting: JSONEncoder.OutputFormatting = []
  var dates: JSONEncoder.DateEncodingStrategy = .deferredToDate
  var data: JSONEncoder.DataEncodingStrategy = .base64
  var floats: JSONEncoder.NonConformingFloatEncodingStrategy = .throw
  var keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  var userInfo: [CodingUserInfoKey: Any] = [:]
}
final class LibraryEncoderFields {
  var options = LibraryEncoderOptions()
  var lock: AnyObject?
}
@inline(__always) func fields(_ e: JSONEncoder) -> LibraryEncoderFields { unsafeBitCast(e, to: LibraryEncoderFields.self) }

@_silgen_name("library_20FoundationEssentials11JSONEncoderCACycfc") public func encoderMake(_ e: __owned JSONEncoder) -> JSONEncoder {
  let p = Unmanaged.passUnretained(e).toOpaque() + 16
  p.initializeMemory(as: LibraryEncoderOptions.self, repeating: LibraryEncoderOptions(), count: 1)
  (p + MemoryLayout<LibraryEncoderOptions>.size + 7 & ~7).initializeMemory(as: Int.self, repeating: 0, count: 1)
  return e
}
extension JSONEncoder {
var libraryOutputFormatting: OutputFormatting {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16outputFormattingAC06OutputE0Vvg") get { fields(self).options.outputFormatting }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16outputFormattingAC06OutputE0Vvs") set { fields(self).options.outputFormatting = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16outputFormattingAC06OutputE0VvM") _modify { yield &fields(self).options.outputFormatting }
}
var libraryDateEncodingStrategy: DateEncodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dateEncodingStrategyAC04DateeF0Ovg") get { fields(self).options.dates }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dateEncodingStrategyAC04DateeF0Ovs") set { fields(self).options.dates = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dateEncodingStrategyAC04DateeF0OvM") _modify { yield &fields(self).options.dates }
}
var libraryDataEncodingStrategy: DataEncodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dataEncodingStrategyAC04DataeF0Ovg") get { fields(self).options.data }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dataEncodingStrategyAC04DataeF0Ovs") set { fields(self).options.data = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC20dataEncodingStrategyAC04DataeF0OvM") _modify { yield &fields(self).options.data }
}
var libraryNonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC34nonConformingFloatEncodingStrategyAC03NonefgH0Ovg") get { fields(self).options.floats }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC34nonConformingFloatEncodingStrategyAC03NonefgH0Ovs") set { fields(self).options.floats = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC34nonConformingFloatEncodingStrategyAC03NonefgH0OvM") _modify { yield &fields(self).options.floats }
}
var libraryKeyEncodingStrategy: KeyEncodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC19keyEncodingStrategyAC03KeyeF0Ovg") get { fields(self).options.keys }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC19keyEncodingStrategyAC03KeyeF0Ovs") set { fields(self).options.keys = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC19keyEncodingStrategyAC03KeyeF0OvM") _modify { yield &fields(self).options.keys }
}
var libraryUserInfo: [CodingUserInfoKey: Any] {
@_silgen_name("library_20FoundationEssentials11JSONEncoderC8userInfoSDys010CodingUserE3KeyVypGvg") get { fields(self).options.userInfo }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC8userInfoSDys010CodingUserE3KeyVypGvs") set { fields(self).options.userInfo = newValue }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC8userInfoSDys010CodingUserE3KeyVypGvM") _modify { yield &fields(self).options.userInfo }
}
}

// LibraryCodingKey is _CodingKey: a key that no program has, as the place in an array.
struct LibraryCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?
  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }
  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}

// A node of the tree: containers write into it while it hangs in the tree already.
final class LibraryJSONNode {
  enum Form { case nothing, null, bool(Bool), number(String), string(String), array, object }
  var form = Form.nothing
  var items: [LibraryJSONNode] = []
  var members: [String: LibraryJSONNode] = [:]
  init() {}
  init(_ f: Form) { form = f }
  var isNothing: Bool { if case .nothing = form { return true } else { return false } }
  func becomeObject() {
    switch form {
    case .nothing: form = .object
    case .object: break
    default: preconditionFailure("Attempt to push new keyed encoding container when already previously encoded at this path.")
    }
  }
  func becomeArray() {
    switch form {
    case .nothing: form = .array
    case .array: break
    default: preconditionFailure("Attempt to push new unkeyed encoding container when already previously encoded at this path.")
    }
  }
  // Where one value was asked for, before and after it is encoded.
  func become(_ f: Form) {
    precondition(isNothing, "Attempt to encode value through single value container when previously value already encoded.")
    form = f
  }
}

// Dictionaries with keys of strings, whose keys no strategy touches.
protocol LibraryStringKeyed {
  func libraryEncode(_ to: LibraryJSONEncoder) throws
}
extension Dictionary: LibraryStringKeyed where Key == String, Value: Encodable {
  func libraryEncode(_ to: LibraryJSONEncoder) throws {
    to.node.becomeObject()
    for (key, value) in self { to.node.members[key] = try to.below(LibraryCodingKey(stringValue: key), value) }
  }
}

// Before 1582-10-15 Foundation counts by the Julian calendar.
@inline(__always) var gregorian: Double { -12219292800 }

struct LibraryJSONEncoder: Encoder {
  let options: LibraryEncoderFields // of its own, so that nobody changes them meanwhile
  let node: LibraryJSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { options.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(LibraryJSONKeyed(encoder: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return LibraryJSONUnkeyed(encoder: self)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { LibraryJSONSingle(encoder: self) }

  func inside(_ node: LibraryJSONNode, _ key: any CodingKey) -> LibraryJSONEncoder { LibraryJSONEncoder(options: options, node: node, codingPath: codingPath + [key]) }

  func below<T: Encodable>(_ key: any CodingKey, _ value: T) throws -> LibraryJSONNode {
    let node = LibraryJSONNode()
    try inside(node, key).write(value)
    if node.isNothing { node.form = .object }
    return node
  }

  // write encodes a value at this place, with what JSON has for the types of Foundation.
  func write<T: Encodable>(_ value: T) throws {
    if T.self == Date.self { return try write(value as! Date) }
    if T.self == Data.self { return try write(value as! Data) }
    if T.self == URL.self { refuse("a URL in JSON that is encoded") }
    if T.self == Decimal.self { refuse("a Decimal in JSON that is encoded") }
    if T.self == [Double].self { try check(value as! [Double]) }
    if T.self == [Float].self { try check(value as! [Float]) }
    if let d = value as? any LibraryStringKeyed { return try d.libraryEncode(self) }
    try value.encode(to: self)
  }
  // Newer versions write the numbers of an array at once, and an error has the path of the array then.
  func check<F: BinaryFloatingPoint>(_ all: [F]) throws {
    if case .throw = options.options.floats, let f = all.first(where: { !$0.isFinite }) {
      refuse("the error for \(f) in an array in JSON, of which versions tell other paths")
    }
  }
  func write(_ date: Date) throws {
    switch options.options.dates {
    case .deferredToDate: try date.encode(to: self)
    case .secondsSince1970: node.become(try number(date.timeIntervalSince1970, codingPath))
    case .millisecondsSince1970: node.become(try number(1000 * date.timeIntervalSince1970, codingPath))
    case .iso8601:
      if date.timeIntervalSince1970 < gregorian { refuse("a date before the calendar of today as ISO 8601") }
      let text = Array(date.description.utf8) // 2001-01-01 00:00:00 +0000
      if text.count != 25 { refuse("a date outside of the years 1 to 9999 as ISO 8601") }
      node.become(.string(String(decoding: text[0..<10], as: UTF8.self) + "T" + String(decoding: text[11..<19], as: UTF8.self) + "Z"))
    case .custom(let f): try f(date, self)
    @unknown default: refuse("this strategy for dates in JSON")
    }
  }
  func write(_ data: Data) throws {
    switch options.options.data {
    case .deferredToData: try data.encode(to: self)
    case .base64: node.become(.string(data.base64EncodedString()))
    case .custom(let f): try f(data, self)
    @unknown default: refuse("this strategy for data in JSON")
    }
  }
  func number<F: BinaryFloatingPoint & CustomStringConvertible>(_ f: F, _ path: [any CodingKey]) throws -> LibraryJSONNode.Form {
    if f.isFinite {
      let text = f.description
      return .number(text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text)
    }
    if case .convertToString(let positive, let negative, let nan) = options.options.floats {
      return .string(f.isNaN ? nan : f > 0 ? positive : negative)
    }
    throw EncodingError.invalidValue(f, EncodingError.Context(codingPath: path, debugDescription: "Unable to encode \(F.self).\(f) directly in JSON."))
  }
  func name(_ key: any CodingKey) -> String {
    switch options.options.keys {
    case .useDefaultKeys: return key.stringValue
    case .convertToSnakeCase: return snakeCase(key.stringValue)
    case .custom(let f): return f(codingPath + [key]).stringValue
    @unknown default: refuse("this strategy for keys in JSON")
    }
  }
}

// snakeCase splits in front of a capital behind a small letter, and in front of the last of several capitals.
func snakeCase(_ s: String) -> String {
  if s.isEmpty { return s }
  let all = Array(s)
  var words: [String] = [], from = 0, at = 1
  func upper(_ c: Character) -> Bool { c.unicodeScalars.allSatisfy { $0.properties.isUppercase } }
  func lower(_ c: Character) -> Bool { c.unicodeScalars.allSatisfy { $0.properties.isLowercase } }
  while let capital = all.indices[at...].first(where: { upper(all[$0]) }) {
    words.append(String(all[from..<capital]))
    guard let small = all.indices[capital...].first(where: { lower(all[$0]) }) else {
      from = capital
      at = all.count
      break
    }
    if small == capital + 1 {
      from = capital
    } else {
      words.append(String(all[capital..<(small - 1)]))
      from = small - 1
    }
    at = small + 1
  }
  words.append(String(all[from...]))
  return words.map { $0.lowercased() }.joined(separator: "_")
}

struct LibraryJSONKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: LibraryJSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  func put(_ f: LibraryJSONNode.Form, _ key: Key) { encoder.node.members[encoder.name(key)] = LibraryJSONNode(f) }

  mutating func encodeNil(forKey key: Key) throws { put(.null, key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), key) }
  mutating func encode(_ value: String, forKey key: Key) throws { put(.string(value), key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { put(try encoder.number(value, codingPath + [key]), key) }
  mutating func encode(_ value: Float, forKey key: Key) throws { put(try encoder.number(value, codingPath + [key]), key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { put(.number(value.description), key) }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { encoder.node.members[encoder.name(key)] = try encoder.below(key, value) }

  // A container that was made for a key before goes on.
  func child(_ key: any CodingKey) -> LibraryJSONEncoder {
    let name = encoder.name(key), node = encoder.node.members[name] ?? LibraryJSONNode()
    encoder.node.members[name] = node
    return encoder.inside(node, key)
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> { child(key).container(keyedBy: type) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
  func superAt(_ key: any CodingKey) -> any Encoder {
    let node = LibraryJSONNode()
    encoder.node.members[encoder.name(key)] = node
    return encoder.inside(node, key)
  }
  mutating func superEncoder() -> any Encoder { superAt(LibraryCodingKey(stringValue: "super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { superAt(key) }
}

struct LibraryJSONUnkeyed: UnkeyedEncodingContainer {
  let encoder: LibraryJSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.items.count }
  func put(_ f: LibraryJSONNode.Form) { encoder.node.items.append(LibraryJSONNode(f)) }
  var here: LibraryCodingKey { LibraryCodingKey(index: count) }

  mutating func encodeNil() throws { put(.null) }
  mutating func encode(_ value: Bool) throws { put(.bool(value)) }
  mutating func encode(_ value: String) throws { put(.string(value)) }
  mutating func encode(_ value: Double) throws { put(try encoder.number(value, codingPath + [here])) }
  mutating func encode(_ value: Float) throws { put(try encoder.number(value, codingPath + [here])) }
  mutating func encode(_ value: Int) throws { put(.number(value.description)) }
  mutating func encode(_ value: Int8) throws { put(.number(value.description)) }
  mutating func encode(_ value: Int16) throws { put(.number(value.description)) }
  mutating func encode(_ value: Int32) throws { put(.number(value.description)) }
  mutating func encode(_ value: Int64) throws { put(.number(value.description)) }
  mutating func encode(_ value: UInt) throws { put(.number(value.description)) }
  mutating func encode(_ value: UInt8) throws { put(.number(value.description)) }
  mutating func encode(_ value: UInt16) throws { put(.number(value.description)) }
  mutating func encode(_ value: UInt32) throws { put(.number(value.description)) }
  mutating func encode(_ value: UInt64) throws { put(.number(value.description)) }
  mutating func encode<T: Encodable>(_ value: T) throws { encoder.node.items.append(try encoder.below(here, value)) }

  func child() -> LibraryJSONEncoder {
    let node = LibraryJSONNode(), child = encoder.inside(node, here)
    encoder.node.items.append(node)
    return child
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> { child().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { child() }
}

struct LibraryJSONSingle: SingleValueEncodingContainer {
  let encoder: LibraryJSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  mutating func encodeNil() throws { encoder.node.become(.null) }
  mutating func encode(_ value: Bool) throws { encoder.node.become(.bool(value)) }
  mutating func encode(_ value: String) throws { encoder.node.become(.string(value)) }
  mutating func encode(_ value: Double) throws { encoder.node.become(try encoder.number(value, codingPath)) }
  mutating func encode(_ value: Float) throws { encoder.node.become(try encoder.number(value, codingPath)) }
  mutating func encode(_ value: Int) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: Int8) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: Int16) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: Int32) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: Int64) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: UInt) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: UInt8) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: UInt16) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: UInt32) throws { encoder.node.become(.number(value.description)) }
  mutating func encode(_ value: UInt64) throws { encoder.node.become(.number(value.description)) }
  mutating func encode<T: Encodable>(_ value: T) throws {
    precondition(encoder.node.isNothing, "Attempt to encode value through single value container when previously value already encoded.")
    try encoder.write(value)
    if encoder.node.isNothing { encoder.node.form = .object }
  }
}

// The text.
struct LibraryJSONWriter {
  let pretty, sorted, slashes: Bool
  var bytes: [UInt8] = []
  var tooDeep = false
  init(_ o: JSONEncoder.OutputFormatting) {
    pretty = o.rawValue & 1 != 0
    sorted = o.rawValue & 2 != 0
    slashes = o.rawValue & 8 == 0
  }
  mutating func put(_ s: String) { bytes.append(contentsOf: s.utf8) }
  mutating func line(_ depth: Int) {
    if pretty {
      bytes.append(0x0a)
      for _ in 0..<depth { put("  ") }
    }
  }
  mutating func quoted(_ s: String) {
    bytes.append(0x22)
    for b in s.utf8 {
      switch b {
      case 0x22: put("\\\"")
      case 0x5c: put("\\\\")
      case 0x2f where slashes: put("\\/")
      case 0x08: put("\\b")
      case 0x0c: put("\\f")
      case 0x0a: put("\\n")
      case 0x0d: put("\\r")
      case 0x09: put("\\t")
      case 0..<0x20: put("\\u00" + (b < 16 ? "0" : "") + String(b, radix: 16))
      default: bytes.append(b)
      }
    }
    bytes.append(0x22)
  }
  mutating func write(_ n: LibraryJSONNode, _ depth: Int) {
    switch n.form {
    case .null: put("null")
    case .bool(let b): put(b ? "true" : "false")
    case .number(let text): put(text)
    case .string(let text): quoted(text)
    case .array:
      if depth >= 511 { tooDeep = true; return }
      bytes.append(0x5b)
      var first = true
      for item in n.items {
        if !first { bytes.append(0x2c) }
        first = false
        line(depth + 1)
        write(item, depth + 1)
      }
      if first && pretty { bytes.append(0x0a) }
      line(depth)
      bytes.append(0x5d)
    case .nothing, .object: // a superEncoder() that nobody used
      if depth >= 511 { tooDeep = true; return }
      bytes.append(0x7b)
      var first = true
      func one(_ key: String, _ value: LibraryJSONNode) {
        if !first { bytes.append(0x2c) }
        first = false
        line(depth + 1)
        quoted(key)
        put(pretty ? " : " : ":")
        write(value, depth + 1)
      }
      if sorted {
        for (key, value) in n.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) { one(key, value) }
      } else {
        for (key, value) in n.members { one(key, value) }
      }
      if first && pretty { bytes.append(0x0a) }
      line(depth)
      bytes.append(0x7d)
    }
  }
}

@_silgen_name("library_20FoundationEssentials11JSONEncoderC6encodeyAA4DataVxKSERzlF") public func encoderEncode<T: Encodable>(_ value: T, _ e: JSONEncoder) throws -> Data {
  let own = LibraryEncoderFields()
  own.options = fields(e).options
  let top = LibraryJSONNode()
  try LibraryJSONEncoder(options: own, node: top, codingPath: []).write(value)
  if top.isNothing {
    throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
  }
  var w = LibraryJSONWriter(own.options.outputFormatting)
  w.write(top, 0)
  if w.tooDeep {
    throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "Unable to encode the given top-level value to JSON.", underlyingError: LibraryJSONFault()))
  }
  return Data(w.bytes)
}

// The options of the text, each of which is a stored property that the text only names.
nonisolated(unsafe) var outputOptions: (UInt, UInt, UInt) = (1, 2, 8)
func outputOption(_ n: Int) -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &outputOptions) { UnsafeMutableRawPointer($0) + 8 * n } }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau") public func encoderPretty() -> UnsafeMutableRawPointer { outputOption(0) }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau") public func encoderSorted() -> UnsafeMutableRawPointer { outputOption(1) }
@_silgen_name("library_20FoundationEssentials11JSONEncoderC16OutputFormattingV22withoutEscapingSlashesAEvau") public func encoderSlashes() -> UnsafeMutableRawPointer { outputOption(2) }
