// JSONDecoder: its options, and the containers over the values of a text (swift-foundation, FoundationEssentials/JSON).

import Foundation

// LibraryDecoderOptions and LibraryDecoderFields are JSONDecoder._Options and the stored properties of JSONDecoder.
struct LibraryDecoderOptions {
  var dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
  var data: JSONDecoder.DataDecodingStrategy = .base64
  var floats: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
  var keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
  var userInfo: [CodingUserInfoKey: Any] = [:]
  var json5 = false
}
final class LibraryDecoderFields {
  let topLevelKey: CodingUserInfoKey
  var options = LibraryDecoderOptions()
  var lock: AnyObject?
  init(_ key: CodingUserInfoKey) { topLevelKey = key }
}
@inline(__always) func fields(_ d: JSONDecoder) -> LibraryDecoderFields { unsafeBitCast(d, to: LibraryDecoderFields.self) }

@_silgen_name("library_20FoundationEssentials11JSONDecoderCACycfc") public func decoderMake(_ d: __owned JSONDecoder) -> JSONDecoder {
  let p = Unmanaged.passUnretained(d).toOpaque() + 16
  p.initializeMemory(as: CodingUserInfoKey.self, repeating: CodingUserInfoKey(rawValue: "_NSAssumesTopLevelDictionaryJSON5")!, count: 1)
  (p + 16).initializeMemory(as: LibraryDecoderOptions.self, repeating: LibraryDecoderOptions(), count: 1)
  (p + 16 + (MemoryLayout<LibraryDecoderOptions>.size + 7) & ~7).initializeMemory(as: Int.self, repeating: 0, count: 1)
  return d
}
extension JSONDecoder {
var libraryDateDecodingStrategy: DateDecodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dateDecodingStrategyAC04DateeF0Ovg") get { fields(self).options.dates }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dateDecodingStrategyAC04DateeF0Ovs") set { fields(self).options.dates = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dateDecodingStrategyAC04DateeF0OvM") _modify { yield &fields(self).options.dates }
}
var libraryDataDecodingStrategy: DataDecodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dataDecodingStrategyAC04DataeF0Ovg") get { fields(self).options.data }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dataDecodingStrategyAC04DataeF0Ovs") set { fields(self).options.data = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC20dataDecodingStrategyAC04DataeF0OvM") _modify { yield &fields(self).options.data }
}
var libraryNonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC34nonConformingFloatDecodingStrategyAC03NonefgH0Ovg") get { fields(self).options.floats }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC34nonConformingFloatDecodingStrategyAC03NonefgH0Ovs") set { fields(self).options.floats = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC34nonConformingFloatDecodingStrategyAC03NonefgH0OvM") _modify { yield &fields(self).options.floats }
}
var libraryKeyDecodingStrategy: KeyDecodingStrategy {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC19keyDecodingStrategyAC03KeyeF0Ovg") get { fields(self).options.keys }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC19keyDecodingStrategyAC03KeyeF0Ovs") set { fields(self).options.keys = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC19keyDecodingStrategyAC03KeyeF0OvM") _modify { yield &fields(self).options.keys }
}
var libraryUserInfo: [CodingUserInfoKey: Any] {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC8userInfoSDys010CodingUserE3KeyVypGvg") get { fields(self).options.userInfo }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC8userInfoSDys010CodingUserE3KeyVypGvs") set { fields(self).options.userInfo = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC8userInfoSDys010CodingUserE3KeyVypGvM") _modify { yield &fields(self).options.userInfo }
}
var libraryAllowsJSON5: Bool {
@_silgen_name("library_20FoundationEssentials11JSONDecoderC11allowsJSON5Sbvg") get { fields(self).options.json5 }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC11allowsJSON5Sbvs") set { fields(self).options.json5 = newValue }
@_silgen_name("library_20FoundationEssentials11JSONDecoderC11allowsJSON5SbvM") _modify { yield &fields(self).options.json5 }
}
}

protocol LibraryStringKeyedDecodable {
  static func libraryDecode(_ d: LibraryJSONDecoder) throws -> Self
}
extension Dictionary: LibraryStringKeyedDecodable where Key == String, Value: Decodable {
  static func libraryDecode(_ d: LibraryJSONDecoder) throws -> [String: Value] {
    guard case .object(let members) = d.value else { throw d.mismatch([String: Any].self, "\([String: Any].self)") }
    var all: [String: Value] = [:]
    for (key, value) in members {
      let name = try d.text.string(key)
      let item = try d.below(LibraryCodingKey(stringValue: name), value).decode(Value.self)
      if all[name] == nil { all[name] = item }
    }
    return all
  }
}

struct LibraryJSONDecoder: Decoder {
  let text: LibraryJSONText
  let value: LibraryJSON
  let codingPath: [any CodingKey]
  var options: LibraryDecoderOptions { text.options }
  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func below(_ key: any CodingKey, _ value: LibraryJSON) -> LibraryJSONDecoder { LibraryJSONDecoder(text: text, value: value, codingPath: codingPath + [key]) }

  func mismatch(_ type: Any.Type, _ name: String) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "Expected to decode \(name) but found \(value.kind) instead."))
  }
  func notNull<T>(_ type: T.Type) throws {
    if case .null = value {
      throw DecodingError.valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }
  }
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch value {
    case .object(let members): return KeyedDecodingContainer(LibraryJSONKeyedValues<Key>(decoder: self, values: try named(members)))
    case .null:
      throw DecodingError.valueNotFound([String: Any].self, DecodingError.Context(codingPath: codingPath, debugDescription: "Cannot get keyed decoding container -- found null value instead"))
    default: throw mismatch([String: Any].self, "\([String: Any].self)")
    }
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .array(let items): return LibraryJSONValues(decoder: self, items: items)
    case .null:
      throw DecodingError.valueNotFound([Any].self, DecodingError.Context(codingPath: codingPath, debugDescription: "Cannot get unkeyed decoding container -- found null value instead"))
    default: throw mismatch([Any].self, "\([Any].self)")
    }
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { LibraryJSONValue(decoder: self) }

  // Of members of one name the first counts.
  func named(_ members: [(LibraryJSON.Quoted, LibraryJSON)]) throws -> [String: LibraryJSON] {
    var all: [String: LibraryJSON] = [:]
    all.reserveCapacity(members.count)
    for (key, value) in members {
      var name = try text.string(key)
      switch options.keys {
      case .useDefaultKeys: break
      case .convertFromSnakeCase: name = camelCase(name)
      case .custom(let f): name = f(codingPath + [LibraryCodingKey(stringValue: name)]).stringValue
      @unknown default: refuse("this strategy for keys in JSON")
      }
      if all[name] == nil { all[name] = value }
    }
    return all
  }

  // decode takes the value at this place, with what JSON has for the types of Foundation.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == Date.self { return try date() as! T }
    if T.self == Data.self { return try data() as! T }
    if T.self == URL.self { refuse("a URL in JSON that is decoded") }
    if T.self == Decimal.self { refuse("a Decimal in JSON that is decoded") }
    if let d = T.self as? any LibraryStringKeyedDecodable.Type { return try d.libraryDecode(self) as! T }
    return try T(from: self)
  }
  func bool() throws -> Bool {
    guard case .bool(let b) = value else { throw mismatch(Bool.self, "Bool") }
    return b
  }
  func string() throws -> String {
    try notNull(String.self)
    guard case .string(let s) = value else { throw mismatch(String.self, "String") }
    return try text.string(s)
  }
  func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    try notNull(T.self)
    guard case .number(let n) = value else { throw mismatch(T.self, "\(T.self)") }
    return try text.integer(n, T.self)
  }
  func float<T: BinaryFloatingPoint & LosslessStringConvertible>(_ type: T.Type) throws -> T {
    try notNull(T.self)
    if case .number(let n) = value { return try text.float(n, T.self) }
    if case .string(let s) = value, case .convertFromString(let positive, let negative, let nan) = options.floats {
      let word = try text.string(s)
      if word == positive { return T.infinity }
      if word == negative { return -T.infinity }
      if word == nan { return T.nan }
    }
    throw mismatch(T.self, "\(T.self)")
  }
  func date() throws -> Date {
    try notNull(Date.self)
    switch options.dates {
    case .deferredToDate: return try Date(from: self)
    case .secondsSince1970: return Date(timeIntervalSince1970: try float(Double.self))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try float(Double.self) / 1000)
    case .iso8601:
      guard let s = secondsOf(Array(try string().utf8)) else {
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: Array(codingPath.dropLast()), debugDescription: "Expected date string to be ISO8601-formatted."))
      }
      return Date(timeIntervalSince1970: s)
    case .custom(let f): return try f(self)
    @unknown default: refuse("this strategy for dates in JSON")
    }
  }
  func data() throws -> Data {
    try notNull(Data.self)
    switch options.data {
    case .deferredToData: return try Data(from: self)
    case .base64:
      guard case .string(let s) = value else { throw mismatch(String.self, "String") }
      guard let d = Data(base64Encoded: try text.string(s)) else {
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: "Encountered Data is not valid Base64."))
      }
      return d
    case .custom(let f): return try f(self)
    @unknown default: refuse("this strategy for data in JSON")
    }
  }
}

// secondsOf reads 2001-01-01T00:00:00Z, also with the hours and minutes that the place is ahead: seconds since 1970.
func secondsOf(_ s: [UInt8]) -> Double? {
  func number(_ from: Int, _ to: Int) -> Int? {
    var n = 0
    for b in s[from..<to] {
      if b < 0x30 || b > 0x39 { return nil }
      n = 10 * n + Int(b - 0x30)
    }
    return n
  }
  guard s.count > 19, s[4] == 0x2d, s[7] == 0x2d, s[10] == 0x54, s[13] == 0x3a, s[16] == 0x3a, let y = number(0, 4), let m = number(5, 7), let d = number(8, 10),
    let hour = number(11, 13), let minute = number(14, 16), let second = number(17, 19), 1...12 ~= m, 1...31 ~= d, hour < 24, minute < 60, second < 60 else { return nil }
  var ahead = 0
  if s[19] == 0x2e { refuse("a fraction of a second in a date of JSON, which some versions take") }
  if s.count == 25, s[19] == 0x2b || s[19] == 0x2d, s[22] == 0x3a, let h = number(20, 22), let m = number(23, 25), h < 24, m < 60 {
    ahead = (s[19] == 0x2d ? -60 : 60) * (60 * h + m)
  } else if s.count != 20 || s[19] != 0x5a {
    if s[19] == 0x2b || s[19] == 0x2d || s[19] == 0x5a { refuse("the time zone of a date in JSON that is not Z or +hh:mm") }
    return nil
  }
  let years = m <= 2 ? y - 1 : y, era = years / 400, ofEra = years % 400
  let ofYear = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1
  let days = era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468
  let since = Double(days * 86400 + hour * 3600 + minute * 60 + second - ahead)
  if since < gregorian + 86400 { refuse("a date before the calendar of today as ISO 8601") }
  return since
}

// camelCase takes the first word as it is in small letters, the others capitalized, between the underscores at both ends.
func camelCase(_ s: String) -> String {
  guard let first = s.firstIndex(where: { $0 != "_" }) else { return s }
  let last = s.lastIndex(where: { $0 != "_" })!
  let words = s[first...last].split(separator: "_")
  if words.count == 1 { return s }
  var out = String(s[..<first]) + words[0].lowercased()
  for w in words.dropFirst() {
    var inside = false
    for c in w {
      let letter = c.isLetter
      if !letter && !c.isNumber || !c.isASCII { refuse("the word \(w) of a key in JSON, which is to be capitalized") }
      out += letter && !inside ? c.uppercased() : c.lowercased()
      inside = letter
    }
  }
  return out + s[s.index(after: last)...]
}

struct LibraryJSONKeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: LibraryJSONDecoder
  let values: [String: LibraryJSON]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  func at(_ key: Key) throws -> LibraryJSONDecoder {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }
    return decoder.below(key, value)
  }
  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try at(key).value { return true }
    return false
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).float(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).float(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).integer(type) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try at(key).decode(type) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> { try at(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try at(key).unkeyedContainer() }
  func superAt(_ key: any CodingKey) -> any Decoder { decoder.below(key, values[key.stringValue] ?? .null) }
  func superDecoder() throws -> any Decoder { superAt(LibraryCodingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { superAt(key) }
}

struct LibraryJSONValues: UnkeyedDecodingContainer {
  let decoder: LibraryJSONDecoder
  let items: [LibraryJSON]
  var currentIndex = 0
  init(decoder: LibraryJSONDecoder, items: [LibraryJSON]) {
    self.decoder = decoder
    self.items = items
  }
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  func here(_ type: Any.Type, _ what: String = "Unkeyed container is at end.") throws -> LibraryJSONDecoder {
    let key = LibraryCodingKey(index: currentIndex)
    if isAtEnd { throw DecodingError.valueNotFound(type, DecodingError.Context(codingPath: codingPath + [key], debugDescription: what)) }
    return decoder.below(key, items[currentIndex])
  }
  // What could not be taken stays the next.
  mutating func take<T>(_ type: Any.Type, _ f: (LibraryJSONDecoder) throws -> T) throws -> T {
    let value = try f(here(type))
    currentIndex += 1
    return value
  }
  mutating func decodeNil() throws -> Bool {
    guard case .null = try here(Never.self).value else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.float(Double.self) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float(Float.self) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try take(type) { try $0.integer(Int.self) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(type) { try $0.integer(Int8.self) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try take(type) { try $0.integer(Int16.self) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try take(type) { try $0.integer(Int32.self) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try take(type) { try $0.integer(Int64.self) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try take(type) { try $0.integer(UInt.self) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take(type) { try $0.integer(UInt8.self) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take(type) { try $0.integer(UInt16.self) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take(type) { try $0.integer(UInt32.self) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take(type) { try $0.integer(UInt64.self) } }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take(type) { try $0.decode(type) } }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try take(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() } }
  mutating func superDecoder() throws -> any Decoder {
    let d = try here((any Decoder).self, "Cannot get superDecoder() -- unkeyed container is at end.")
    currentIndex += 1
    return d
  }
}

struct LibraryJSONValue: SingleValueDecodingContainer {
  let decoder: LibraryJSONDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  func decodeNil() -> Bool {
    if case .null = decoder.value { return true }
    return false
  }
  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoder.float(type) }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float(type) }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

@_silgen_name("library_20FoundationEssentials11JSONDecoderC6decode_4fromxxm_AA4DataVtKSeRzlF") public func decoderDecode<T: Decodable>(_ type: T.Type, _ data: Data, _ d: JSONDecoder) throws -> T {
  if fields(d).options.json5 { refuse("JSON 5") }
  do {
    var scanner = LibraryJSONScanner(Array(data))
    let top = try scanner.top()
    return try LibraryJSONDecoder(text: LibraryJSONText(scanner.bytes, fields(d).options), value: top, codingPath: []).decode(type)
  } catch is LibraryJSONFault {
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "The given data was not valid JSON."))
  }
}

// A date is the number of its seconds where no strategy says more.
extension Date {
@_silgen_name("library_20FoundationEssentials4DateV6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(timeIntervalSinceReferenceDate)
}
@_silgen_name("library_20FoundationEssentials4DateV4fromACs7Decoder_p_tKcfC") public static func libraryDecode(_ d: any Decoder) throws -> Date { Date(timeIntervalSinceReferenceDate: try d.singleValueContainer().decode(Double.self)) }
}
