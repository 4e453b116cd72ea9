// Codable: what the types of the library encode, the containers by keys, and what protocols do by default (stdlib/public/core/Codable.swift).

// _DictionaryCodingKey is a key of a dictionary; programs see its name.
public struct _DictionaryCodingKey: CodingKey {
  public let stringValue: String
  public let intValue: Int?
  public init(stringValue: String) {
    self.stringValue = stringValue
    intValue = Int(stringValue)
  }
  public init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
  init(_ key: any CodingKey) {
    stringValue = key.stringValue
    intValue = key.intValue
  }
}

// One value.
extension Bool {
@_silgen_name("library_Sb6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_Sb4fromSbs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Bool { try d.singleValueContainer().decode(Bool.self) }
}
extension String {
@_silgen_name("library_SS6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_SS4fromSSs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> String { try d.singleValueContainer().decode(String.self) }
}
extension Double {
@_silgen_name("library_Sd6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_Sd4fromSds7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Double { try d.singleValueContainer().decode(Double.self) }
}
extension Float {
@_silgen_name("library_Sf6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_Sf4fromSfs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Float { try d.singleValueContainer().decode(Float.self) }
}
extension Int {
@_silgen_name("library_Si6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_Si4fromSis7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int { try d.singleValueContainer().decode(Int.self) }
}
extension Int8 {
@_silgen_name("library_s4Int8V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s4Int8V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int8 { try d.singleValueContainer().decode(Int8.self) }
}
extension Int16 {
@_silgen_name("library_s5Int16V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s5Int16V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int16 { try d.singleValueContainer().decode(Int16.self) }
}
extension Int32 {
@_silgen_name("library_s5Int32V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s5Int32V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int32 { try d.singleValueContainer().decode(Int32.self) }
}
extension Int64 {
@_silgen_name("library_s5Int64V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s5Int64V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int64 { try d.singleValueContainer().decode(Int64.self) }
}
extension Int128 {
@_silgen_name("library_s6Int128V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s6Int128V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Int128 { try d.singleValueContainer().decode(Int128.self) }
}
extension UInt {
@_silgen_name("library_Su6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_Su4fromSus7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt { try d.singleValueContainer().decode(UInt.self) }
}
extension UInt8 {
@_silgen_name("library_s5UInt8V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s5UInt8V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt8 { try d.singleValueContainer().decode(UInt8.self) }
}
extension UInt16 {
@_silgen_name("library_s6UInt16V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s6UInt16V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt16 { try d.singleValueContainer().decode(UInt16.self) }
}
extension UInt32 {
@_silgen_name("library_s6UInt32V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s6UInt32V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt32 { try d.singleValueContainer().decode(UInt32.self) }
}
extension UInt64 {
@_silgen_name("library_s6UInt64V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s6UInt64V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt64 { try d.singleValueContainer().decode(UInt64.self) }
}
extension UInt128 {
@_silgen_name("library_s7UInt128V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(self)
}
@_silgen_name("library_s7UInt128V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> UInt128 { try d.singleValueContainer().decode(UInt128.self) }
}
extension Float16 {
@_silgen_name("library_s7Float16V6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(Float(self))
}
@_silgen_name("library_s7Float16V4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Float16 {
  let wide = try d.singleValueContainer().decode(Float.self)
  let value = Float16(wide)
  if value.isInfinite && wide.isFinite {
    throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Parsed JSON number \(wide) does not fit in Float16.", underlyingError: nil).decoding)
  }
  return value
}
}
extension RawRepresentable where Self: Encodable, RawValue == Bool {
@_silgen_name("library_SYsSERzSb8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Bool {
@_silgen_name("library_SYsSeRzSb8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Bool.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == String {
@_silgen_name("library_SYsSERzSS8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == String {
@_silgen_name("library_SYsSeRzSS8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(String.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Double {
@_silgen_name("library_SYsSERzSd8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Double {
@_silgen_name("library_SYsSeRzSd8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Double.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Float {
@_silgen_name("library_SYsSERzSf8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Float {
@_silgen_name("library_SYsSeRzSf8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Float.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int {
@_silgen_name("library_SYsSERzSi8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int {
@_silgen_name("library_SYsSeRzSi8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int8 {
@_silgen_name("library_SYsSERzs4Int8V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int8 {
@_silgen_name("library_SYsSeRzs4Int8V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int8.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int16 {
@_silgen_name("library_SYsSERzs5Int16V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int16 {
@_silgen_name("library_SYsSeRzs5Int16V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int16.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int32 {
@_silgen_name("library_SYsSERzs5Int32V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int32 {
@_silgen_name("library_SYsSeRzs5Int32V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int32.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int64 {
@_silgen_name("library_SYsSERzs5Int64V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int64 {
@_silgen_name("library_SYsSeRzs5Int64V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int64.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == Int128 {
@_silgen_name("library_SYsSERzs6Int128V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == Int128 {
@_silgen_name("library_SYsSeRzs6Int128V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(Int128.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt {
@_silgen_name("library_SYsSERzSu8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt {
@_silgen_name("library_SYsSeRzSu8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt8 {
@_silgen_name("library_SYsSERzs5UInt8V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt8 {
@_silgen_name("library_SYsSeRzs5UInt8V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt8.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt16 {
@_silgen_name("library_SYsSERzs6UInt16V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt16 {
@_silgen_name("library_SYsSeRzs6UInt16V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt16.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt32 {
@_silgen_name("library_SYsSERzs6UInt32V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt32 {
@_silgen_name("library_SYsSeRzs6UInt32V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt32.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt64 {
@_silgen_name("library_SYsSERzs6UInt64V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt64 {
@_silgen_name("library_SYsSeRzs6UInt64V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt64.self), d) }
}
extension RawRepresentable where Self: Encodable, RawValue == UInt128 {
@_silgen_name("library_SYsSERzs7UInt128V8RawValueSYRtzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  try c.encode(rawValue)
}
}
extension RawRepresentable where Self: Decodable, RawValue == UInt128 {
@_silgen_name("library_SYsSeRzs7UInt128V8RawValueSYRtzrlE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self { try made(try d.singleValueContainer().decode(UInt128.self), d) }
}
extension RawRepresentable {
@inline(__always) static func made(_ raw: RawValue, _ d: any Decoder) throws -> Self {
  if let value = Self(rawValue: raw) { return value }
  throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Cannot initialize \(Self.self) from invalid \(RawValue.self) value \(raw)", underlyingError: nil).decoding)
}
}

extension RawRepresentable where Self: CodingKeyRepresentable, RawValue == String {
@_silgen_name("library_SYss22CodingKeyRepresentableRzSS8RawValueSYRtzrlE06codingB0s0aB0_pvg") public func libraryKey() -> any CodingKey { _DictionaryCodingKey(stringValue: rawValue) }
@_silgen_name("library_SYss22CodingKeyRepresentableRzSS8RawValueSYRtzrlE06codingB0xSgqd___tcs0aB0Rd__lufC") public static func libraryOf<K: CodingKey>(_ k: __owned K) -> Self? { Self(rawValue: k.stringValue) }
}
extension String {
@_silgen_name("library_SS9codingKeys06CodingB0_pvg") public func libraryKey() -> any CodingKey { _DictionaryCodingKey(stringValue: self) }
@_silgen_name("library_SS9codingKeySSSgx_tcs06CodingB0RzlufC") public static func libraryOf<K: CodingKey>(_ k: __owned K) -> String? { k.stringValue }
}
extension RawRepresentable where Self: CodingKeyRepresentable, RawValue == Int {
@_silgen_name("library_SYss22CodingKeyRepresentableRzSi8RawValueSYRtzrlE06codingB0s0aB0_pvg") public func libraryKey() -> any CodingKey { _DictionaryCodingKey(intValue: rawValue) }
@_silgen_name("library_SYss22CodingKeyRepresentableRzSi8RawValueSYRtzrlE06codingB0xSgqd___tcs0aB0Rd__lufC") public static func libraryOf<K: CodingKey>(_ k: __owned K) -> Self? { k.intValue.flatMap { Self(rawValue: $0) } }
}
extension Int {
@_silgen_name("library_Si9codingKeys06CodingB0_pvg") public func libraryKey() -> any CodingKey { _DictionaryCodingKey(intValue: self) }
@_silgen_name("library_Si9codingKeySiSgx_tcs06CodingB0RzlufC") public static func libraryOf<K: CodingKey>(_ k: __owned K) -> Int? { k.intValue }
}

// Several values.
extension Optional where Wrapped: Encodable {
@_silgen_name("library_SqsSERzlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.singleValueContainer()
  if let value = self { try c.encode(value) } else { try c.encodeNil() }
}
}
extension Optional where Wrapped: Decodable {
@_silgen_name("library_SqsSeRzlE4fromxSgs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Wrapped? {
  let c = try d.singleValueContainer()
  return c.decodeNil() ? nil : try c.decode(Wrapped.self)
}
}
extension Array where Element: Encodable {
@_silgen_name("library_SasSERzlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  for x in self { try c.encode(x) }
}
}
extension Array where Element: Decodable {
@_silgen_name("library_SasSeRzlE4fromSayxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var list = Self()
  var c = try d.unkeyedContainer()
  while !c.isAtEnd { list.append(try c.decode(Element.self)) }
  return list
}
}
extension ContiguousArray where Element: Encodable {
@_silgen_name("library_s15ContiguousArrayVsSERzlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  for x in self { try c.encode(x) }
}
}
extension ContiguousArray where Element: Decodable {
@_silgen_name("library_s15ContiguousArrayVsSeRzlE4fromAByxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var list = Self()
  var c = try d.unkeyedContainer()
  while !c.isAtEnd { list.append(try c.decode(Element.self)) }
  return list
}
}
extension Set where Element: Encodable {
@_silgen_name("library_ShsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  for x in self { try c.encode(x) }
}
}
extension Set where Element: Decodable {
@_silgen_name("library_ShsSeRzrlE4fromShyxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var list = Self()
  var c = try d.unkeyedContainer()
  while !c.isAtEnd { list.insert(try c.decode(Element.self)) }
  return list
}
}
extension Dictionary where Key: Encodable, Value: Encodable {
@_silgen_name("library_SDsSERzSER_rlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  if Key.self == String.self {
    var c = e.container(keyedBy: _DictionaryCodingKey.self)
    for (k, v) in self { try c.encode(v, forKey: _DictionaryCodingKey(stringValue: k as! String)) }
  } else if Key.self == Int.self {
    var c = e.container(keyedBy: _DictionaryCodingKey.self)
    for (k, v) in self { try c.encode(v, forKey: _DictionaryCodingKey(intValue: k as! Int)) }
  } else if Key.self is any CodingKeyRepresentable.Type {
    var c = e.container(keyedBy: _DictionaryCodingKey.self)
    for (k, v) in self { try c.encode(v, forKey: _DictionaryCodingKey((k as! any CodingKeyRepresentable).codingKey)) }
  } else {
    var c = e.unkeyedContainer()
    for (k, v) in self {
      try c.encode(k)
      try c.encode(v)
    }
  }
}
}
extension Dictionary where Key: Decodable, Value: Decodable {
@_silgen_name("library_SDsSeRzSeR_rlE4fromSDyxq_Gs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> [Key: Value] {
  var list: [Key: Value] = [:]
  if Key.self == String.self {
    let c = try d.container(keyedBy: _DictionaryCodingKey.self)
    for k in c.allKeys { list[k.stringValue as! Key] = try c.decode(Value.self, forKey: k) }
  } else if Key.self == Int.self {
    let c = try d.container(keyedBy: _DictionaryCodingKey.self)
    for k in c.allKeys {
      guard let n = k.intValue else {
        throw DecodingError.typeMismatch(Int.self, LibraryContext(codingPath: d.codingPath + [k], debugDescription: "Expected Int key but found String key instead.", underlyingError: nil).decoding)
      }
      list[n as! Key] = try c.decode(Value.self, forKey: k)
    }
  } else if let keys = Key.self as? any CodingKeyRepresentable.Type {
    let c = try d.container(keyedBy: _DictionaryCodingKey.self)
    for k in c.allKeys {
      guard let key = keys.init(codingKey: k) else {
        throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath + [k], debugDescription: "Could not convert key to type \(Key.self)", underlyingError: nil).decoding)
      }
      list[key as! Key] = try c.decode(Value.self, forKey: k)
    }
  } else {
    var c = try d.unkeyedContainer()
    if let n = c.count, n % 2 != 0 {
      throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Expected collection of key-value pairs; encountered odd-length array instead.", underlyingError: nil).decoding)
    }
    while !c.isAtEnd {
      let k = try c.decode(Key.self)
      if c.isAtEnd {
        throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Unkeyed container reached end before value in key-value pair.", underlyingError: nil).decoding)
      }
      list[k] = try c.decode(Value.self)
    }
  }
  return list
}
}
extension Range where Bound: Encodable {
@_silgen_name("library_SnsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(lowerBound)
  try c.encode(upperBound)
}
}
extension Range where Bound: Decodable {
@_silgen_name("library_SnsSeRzrlE4fromSnyxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  let low = try c.decode(Bound.self), high = try c.decode(Bound.self)
  if high < low {
    throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Cannot initialize \(Range.self) with a lowerBound (\(low)) greater than upperBound (\(high))", underlyingError: nil).decoding)
  }
  return low..<high
}
}
extension ClosedRange where Bound: Encodable {
@_silgen_name("library_SNsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(lowerBound)
  try c.encode(upperBound)
}
}
extension ClosedRange where Bound: Decodable {
@_silgen_name("library_SNsSeRzrlE4fromSNyxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  let low = try c.decode(Bound.self), high = try c.decode(Bound.self)
  if high < low {
    throw DecodingError.dataCorrupted(LibraryContext(codingPath: d.codingPath, debugDescription: "Cannot initialize \(ClosedRange.self) with a lowerBound (\(low)) greater than upperBound (\(high))", underlyingError: nil).decoding)
  }
  return low...high
}
}
extension PartialRangeFrom where Bound: Encodable {
@_silgen_name("library_s16PartialRangeFromVsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(lowerBound)
}
}
extension PartialRangeFrom where Bound: Decodable {
@_silgen_name("library_s16PartialRangeFromVsSeRzrlE4fromAByxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  let b = try c.decode(Bound.self)
  return b...
}
}
extension PartialRangeUpTo where Bound: Encodable {
@_silgen_name("library_s16PartialRangeUpToVsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(upperBound)
}
}
extension PartialRangeUpTo where Bound: Decodable {
@_silgen_name("library_s16PartialRangeUpToVsSeRzrlE4fromAByxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  let b = try c.decode(Bound.self)
  return ..<b
}
}
extension PartialRangeThrough where Bound: Encodable {
@_silgen_name("library_s19PartialRangeThroughVsSERzrlE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(upperBound)
}
}
extension PartialRangeThrough where Bound: Decodable {
@_silgen_name("library_s19PartialRangeThroughVsSeRzrlE4fromAByxGs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  let b = try c.decode(Bound.self)
  return ...b
}
}
extension Duration {
@_silgen_name("library_s8DurationV6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  try c.encode(_high)
  try c.encode(_low)
}
@_silgen_name("library_s8DurationV4fromABs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Duration {
  var c = try d.unkeyedContainer()
  let high = try c.decode(Int64.self), low = try c.decode(UInt64.self)
  return Duration(_high: high, low: low)
}
}
extension SIMD where Scalar: Codable {
@_silgen_name("library_s4SIMDPsE6encode2toys7Encoder_p_tKF") public func libraryEncode(_ e: any Encoder) throws {
  var c = e.unkeyedContainer()
  for i in indices { try c.encode(self[i]) }
}
@_silgen_name("library_s4SIMDPsE4fromxs7Decoder_p_tKcfC") public static func libraryDecode(_ d: __owned any Decoder) throws -> Self {
  var c = try d.unkeyedContainer()
  guard c.count == scalarCount else {
    throw DecodingError.dataCorrupted(LibraryContext(codingPath: c.codingPath, debugDescription: "Expected vector with exactly \(scalarCount) elements.", underlyingError: nil).decoding)
  }
  var v = Self()
  for i in v.indices { v[i] = try c.decode(Scalar.self) }
  return v
}
}

// LibraryContext has the stored properties of the contexts of both errors.
public struct LibraryContext {
  let codingPath: [any CodingKey]
  let debugDescription: String
  let underlyingError: (any Error)?
  var decoding: DecodingError.Context { alike(self, DecodingError.Context.self) }
}
extension DecodingError.Context {
@inline(__always) var fields: LibraryContext { alike(self, LibraryContext.self) }
@_silgen_name("library_s13DecodingErrorO7ContextV10codingPathSays9CodingKey_pGvg") public func libraryPath() -> [any CodingKey] { fields.codingPath }
@_silgen_name("library_s13DecodingErrorO7ContextV16debugDescriptionSSvg") public func libraryText() -> String { fields.debugDescription }
@_silgen_name("library_s13DecodingErrorO7ContextV010underlyingB0s0B0_pSgvg") public func libraryError() -> (any Error)? { fields.underlyingError }
@_silgen_name("library_s13DecodingErrorO7ContextV10codingPath16debugDescription010underlyingB0ADSays9CodingKey_pG_SSs0B0_pSgtcfC") public static func libraryMake(_ path: __owned [any CodingKey], _ text: __owned String, _ error: __owned (any Error)?) -> DecodingError.Context { alike(LibraryContext(codingPath: path, debugDescription: text, underlyingError: error), DecodingError.Context.self) }
}
extension EncodingError.Context {
@inline(__always) var fields: LibraryContext { alike(self, LibraryContext.self) }
@_silgen_name("library_s13EncodingErrorO7ContextV10codingPathSays9CodingKey_pGvg") public func libraryPath() -> [any CodingKey] { fields.codingPath }
@_silgen_name("library_s13EncodingErrorO7ContextV16debugDescriptionSSvg") public func libraryText() -> String { fields.debugDescription }
@_silgen_name("library_s13EncodingErrorO7ContextV010underlyingB0s0B0_pSgvg") public func libraryError() -> (any Error)? { fields.underlyingError }
@_silgen_name("library_s13EncodingErrorO7ContextV10codingPath16debugDescription010underlyingB0ADSays9CodingKey_pG_SSs0B0_pSgtcfC") public static func libraryMake(_ path: __owned [any CodingKey], _ text: __owned String, _ error: __owned (any Error)?) -> EncodingError.Context { alike(LibraryContext(codingPath: path, debugDescription: text, underlyingError: error), EncodingError.Context.self) }
}
// The key of a place in an array, which the library has for itself.
struct LibraryIndexKey: CodingKey {
  let stringValue: String
  let intValue: Int?
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}
extension DecodingError {
@_silgen_name("library_s13DecodingErrorO013dataCorruptedB02in16debugDescriptionABs011SingleValueA9Container_p_SStFZ") public static func libraryCorrupted(_ c: any SingleValueDecodingContainer, _ text: String) -> DecodingError { .dataCorrupted(LibraryContext(codingPath: c.codingPath, debugDescription: text, underlyingError: nil).decoding) }
@_silgen_name("library_s13DecodingErrorO013dataCorruptedB02in16debugDescriptionABs07UnkeyedA9Container_p_SStFZ") public static func libraryCorrupted(_ c: any UnkeyedDecodingContainer, _ text: String) -> DecodingError { .dataCorrupted(LibraryContext(codingPath: c.codingPath + [LibraryIndexKey(index: c.currentIndex)], debugDescription: text, underlyingError: nil).decoding) }
@_silgen_name("library_s13DecodingErrorO013dataCorruptedB06forKey2in16debugDescriptionAB0F0Qz_xSSts05KeyedA17ContainerProtocolRzlFZ") public static func libraryCorrupted<C: KeyedDecodingContainerProtocol>(_ k: C.Key, _ c: C, _ text: String) -> DecodingError { .dataCorrupted(LibraryContext(codingPath: c.codingPath + [k], debugDescription: text, underlyingError: nil).decoding) }
}
extension CodingUserInfoKey {
@inline(__always) var text: String { alike(self, String.self) }
@_silgen_name("library_s17CodingUserInfoKeyV2eeoiySbAB_ABtFZ") public static func librarySame(_ a: Self, _ b: Self) -> Bool { a.text == b.text }
@_silgen_name("library_s17CodingUserInfoKeyV4hash4intoys6HasherVz_tF") public func libraryFeed(_ h: inout Hasher) { h.combine(text) }
@_silgen_name("library_s17CodingUserInfoKeyV9hashValueSivg") public func libraryHash() -> Int { hashed(text) }
@_silgen_name("library_s17CodingUserInfoKeyV8rawValueSSvg") public func libraryText() -> String { text }
@_silgen_name("library_s17CodingUserInfoKeyV8rawValueABSgSS_tcfC") public static func libraryMake(_ s: __owned String) -> CodingUserInfoKey? { alike(s, CodingUserInfoKey.self) }
}
extension CodingKey {
@inline(__always) var named: String { "\(type(of: self))(stringValue: \"\(stringValue)\", intValue: \(intValue?.description ?? "nil"))" }
@_silgen_name("library_s9CodingKeyPsE11descriptionSSvg") public func libraryText() -> String { named }
@_silgen_name("library_s9CodingKeyPsE16debugDescriptionSSvg") public func libraryDebugText() -> String { named }
}

// What a container by keys does with a key that is known to be of its type.
extension KeyedEncodingContainerProtocol {
@inline(__always) mutating func keyedEncodeNil<K>(_ k: K) throws { try encodeNil(forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Bool, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Bool?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: String, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: String?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Double, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Double?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Float, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Float?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int8, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int8?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int16, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int16?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int32, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int32?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int64, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int64?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: Int128, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: Int128?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt8, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt8?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt16, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt16?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt32, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt32?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt64, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt64?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K>(_ v: UInt128, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K>(_ v: UInt128?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncode<K, T: Encodable>(_ v: T, _ k: K) throws { try encode(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeIfPresent<K, T: Encodable>(_ v: T?, _ k: K) throws { try encodeIfPresent(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedEncodeConditional<K, T: AnyObject & Encodable>(_ v: T, _ k: K) throws { try encodeConditional(v, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedNestedContainer<K, N: CodingKey>(_ t: N.Type, _ k: K) -> KeyedEncodingContainer<N> { nestedContainer(keyedBy: t, forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedNestedUnkeyedContainer<K>(_ k: K) -> any UnkeyedEncodingContainer { nestedUnkeyedContainer(forKey: alike(k, Key.self)) }
@inline(__always) mutating func keyedSuperEncoder<K>(_ k: K) -> any Encoder { superEncoder(forKey: alike(k, Key.self)) }
}
extension KeyedDecodingContainerProtocol {
@inline(__always) func keyedDecodeNil<K>(_ k: K) throws -> Bool { try decodeNil(forKey: alike(k, Key.self)) }
@inline(__always) func keyedContains<K>(_ k: K) -> Bool { contains(alike(k, Key.self)) }
@inline(__always) func keyedAllKeys<K>() -> [K] { alike(allKeys, [K].self) }
@inline(__always) func keyedDecode<K>(_ t: Bool.Type, _ k: K) throws -> Bool { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Bool.Type, _ k: K) throws -> Bool? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: String.Type, _ k: K) throws -> String { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: String.Type, _ k: K) throws -> String? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Double.Type, _ k: K) throws -> Double { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Double.Type, _ k: K) throws -> Double? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Float.Type, _ k: K) throws -> Float { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Float.Type, _ k: K) throws -> Float? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int.Type, _ k: K) throws -> Int { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int.Type, _ k: K) throws -> Int? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int8.Type, _ k: K) throws -> Int8 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int8.Type, _ k: K) throws -> Int8? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int16.Type, _ k: K) throws -> Int16 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int16.Type, _ k: K) throws -> Int16? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int32.Type, _ k: K) throws -> Int32 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int32.Type, _ k: K) throws -> Int32? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int64.Type, _ k: K) throws -> Int64 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int64.Type, _ k: K) throws -> Int64? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: Int128.Type, _ k: K) throws -> Int128 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: Int128.Type, _ k: K) throws -> Int128? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt.Type, _ k: K) throws -> UInt { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt.Type, _ k: K) throws -> UInt? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt8.Type, _ k: K) throws -> UInt8 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt8.Type, _ k: K) throws -> UInt8? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt16.Type, _ k: K) throws -> UInt16 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt16.Type, _ k: K) throws -> UInt16? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt32.Type, _ k: K) throws -> UInt32 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt32.Type, _ k: K) throws -> UInt32? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt64.Type, _ k: K) throws -> UInt64 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt64.Type, _ k: K) throws -> UInt64? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K>(_ t: UInt128.Type, _ k: K) throws -> UInt128 { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K>(_ t: UInt128.Type, _ k: K) throws -> UInt128? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecode<K, T: Decodable>(_ t: T.Type, _ k: K) throws -> T { try decode(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedDecodeIfPresent<K, T: Decodable>(_ t: T.Type, _ k: K) throws -> T? { try decodeIfPresent(t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedNestedContainer<K, N: CodingKey>(_ t: N.Type, _ k: K) throws -> KeyedDecodingContainer<N> { try nestedContainer(keyedBy: t, forKey: alike(k, Key.self)) }
@inline(__always) func keyedNestedUnkeyedContainer<K>(_ k: K) throws -> any UnkeyedDecodingContainer { try nestedUnkeyedContainer(forKey: alike(k, Key.self)) }
@inline(__always) func keyedSuperDecoder<K>(_ k: K) throws -> any Decoder { try superDecoder(forKey: alike(k, Key.self)) }
}

// A container by keys holds one object, and that the container of the coder.
final class LibraryEncodingBox<K: CodingKey> {
  var c: any KeyedEncodingContainerProtocol
  init(_ c: __owned any KeyedEncodingContainerProtocol) { self.c = c }
}
extension KeyedEncodingContainer {
@inline(__always) var box: LibraryEncodingBox<K> { alike(self, LibraryEncodingBox<K>.self) }
@_silgen_name("library_s22KeyedEncodingContainerVyAByxGqd__c3KeyQyd__Rszs0abC8ProtocolRd__lufC") public static func libraryMake<C: KeyedEncodingContainerProtocol>(_ c: __owned C) -> KeyedEncodingContainer<K> where C.Key == K { alike(LibraryEncodingBox<K>(c), KeyedEncodingContainer<K>.self) }
@_silgen_name("library_s22KeyedEncodingContainerV10codingPathSays9CodingKey_pGvg") public func libraryPath() -> [any CodingKey] { box.c.codingPath }
@_silgen_name("library_s22KeyedEncodingContainerV9encodeNil6forKeyyx_tKF") public mutating func libraryNil(_ k: K) throws { try box.c.keyedEncodeNil(k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySb_xtKF") public mutating func libraryPut(_ v: Bool, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySbSg_xtKF") public mutating func libraryPutIf(_ v: Bool?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySS_xtKF") public mutating func libraryPut(_ v: String, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySSSg_xtKF") public mutating func libraryPutIf(_ v: String?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySd_xtKF") public mutating func libraryPut(_ v: Double, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySdSg_xtKF") public mutating func libraryPutIf(_ v: Double?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySf_xtKF") public mutating func libraryPut(_ v: Float, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySfSg_xtKF") public mutating func libraryPutIf(_ v: Float?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySi_xtKF") public mutating func libraryPut(_ v: Int, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySiSg_xtKF") public mutating func libraryPutIf(_ v: Int?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys4Int8V_xtKF") public mutating func libraryPut(_ v: Int8, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys4Int8VSg_xtKF") public mutating func libraryPutIf(_ v: Int8?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys5Int16V_xtKF") public mutating func libraryPut(_ v: Int16, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys5Int16VSg_xtKF") public mutating func libraryPutIf(_ v: Int16?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys5Int32V_xtKF") public mutating func libraryPut(_ v: Int32, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys5Int32VSg_xtKF") public mutating func libraryPutIf(_ v: Int32?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys5Int64V_xtKF") public mutating func libraryPut(_ v: Int64, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys5Int64VSg_xtKF") public mutating func libraryPutIf(_ v: Int64?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys6Int128V_xtKF") public mutating func libraryPut(_ v: Int128, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys6Int128VSg_xtKF") public mutating func libraryPutIf(_ v: Int128?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyySu_xtKF") public mutating func libraryPut(_ v: UInt, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyySuSg_xtKF") public mutating func libraryPutIf(_ v: UInt?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys5UInt8V_xtKF") public mutating func libraryPut(_ v: UInt8, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys5UInt8VSg_xtKF") public mutating func libraryPutIf(_ v: UInt8?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys6UInt16V_xtKF") public mutating func libraryPut(_ v: UInt16, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys6UInt16VSg_xtKF") public mutating func libraryPutIf(_ v: UInt16?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys6UInt32V_xtKF") public mutating func libraryPut(_ v: UInt32, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys6UInt32VSg_xtKF") public mutating func libraryPutIf(_ v: UInt32?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys6UInt64V_xtKF") public mutating func libraryPut(_ v: UInt64, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys6UInt64VSg_xtKF") public mutating func libraryPutIf(_ v: UInt64?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyys7UInt128V_xtKF") public mutating func libraryPut(_ v: UInt128, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyys7UInt128VSg_xtKF") public mutating func libraryPutIf(_ v: UInt128?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV6encode_6forKeyyqd___xtKSERd__lF") public mutating func libraryPut<T: Encodable>(_ v: T, _ k: K) throws { try box.c.keyedEncode(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV15encodeIfPresent_6forKeyyqd__Sg_xtKSERd__lF") public mutating func libraryPutIf<T: Encodable>(_ v: T?, _ k: K) throws { try box.c.keyedEncodeIfPresent(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV17encodeConditional_6forKeyyqd___xtKRld__CSERd__lF") public mutating func libraryPutConditional<T: AnyObject & Encodable>(_ v: T, _ k: K) throws { try box.c.keyedEncodeConditional(v, k) }
@_silgen_name("library_s22KeyedEncodingContainerV06nestedC07keyedBy6forKeyAByqd__Gqd__m_xts06CodingH0Rd__lF") public mutating func libraryNested<N: CodingKey>(_ t: N.Type, _ k: K) -> KeyedEncodingContainer<N> { box.c.keyedNestedContainer(N.self, k) }
@_silgen_name("library_s22KeyedEncodingContainerV013nestedUnkeyedC06forKeys0ebC0_px_tF") public mutating func libraryNested(_ k: K) -> any UnkeyedEncodingContainer { box.c.keyedNestedUnkeyedContainer(k) }
@_silgen_name("library_s22KeyedEncodingContainerV12superEncoders0E0_pyF") public mutating func librarySuper() -> any Encoder { box.c.superEncoder() }
@_silgen_name("library_s22KeyedEncodingContainerV12superEncoder6forKeys0E0_px_tF") public mutating func librarySuper(_ k: K) -> any Encoder { box.c.keyedSuperEncoder(k) }
}
final class LibraryDecodingBox<K: CodingKey> {
  var c: any KeyedDecodingContainerProtocol
  init(_ c: __owned any KeyedDecodingContainerProtocol) { self.c = c }
}
extension KeyedDecodingContainer {
@inline(__always) var box: LibraryDecodingBox<K> { alike(self, LibraryDecodingBox<K>.self) }
@_silgen_name("library_s22KeyedDecodingContainerVyAByxGqd__c3KeyQyd__Rszs0abC8ProtocolRd__lufC") public static func libraryMake<C: KeyedDecodingContainerProtocol>(_ c: __owned C) -> KeyedDecodingContainer<K> where C.Key == K { alike(LibraryDecodingBox<K>(c), KeyedDecodingContainer<K>.self) }
@_silgen_name("library_s22KeyedDecodingContainerV10codingPathSays9CodingKey_pGvg") public func libraryPath() -> [any CodingKey] { box.c.codingPath }
@_silgen_name("library_s22KeyedDecodingContainerV7allKeysSayxGvg") public func libraryKeys() -> [K] { box.c.keyedAllKeys() }
@_silgen_name("library_s22KeyedDecodingContainerV8containsySbxF") public func libraryHas(_ k: K) -> Bool { box.c.keyedContains(k) }
@_silgen_name("library_s22KeyedDecodingContainerV9decodeNil6forKeySbx_tKF") public func libraryNil(_ k: K) throws -> Bool { try box.c.keyedDecodeNil(k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2bm_xtKF") public func libraryGet(_ t: Bool.Type, _ k: K) throws -> Bool { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySbSgSbm_xtKF") public func libraryGetIf(_ t: Bool.Type, _ k: K) throws -> Bool? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2Sm_xtKF") public func libraryGet(_ t: String.Type, _ k: K) throws -> String { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySSSgSSm_xtKF") public func libraryGetIf(_ t: String.Type, _ k: K) throws -> String? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2dm_xtKF") public func libraryGet(_ t: Double.Type, _ k: K) throws -> Double { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySdSgSdm_xtKF") public func libraryGetIf(_ t: Double.Type, _ k: K) throws -> Double? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2fm_xtKF") public func libraryGet(_ t: Float.Type, _ k: K) throws -> Float { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySfSgSfm_xtKF") public func libraryGetIf(_ t: Float.Type, _ k: K) throws -> Float? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2im_xtKF") public func libraryGet(_ t: Int.Type, _ k: K) throws -> Int { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySiSgSim_xtKF") public func libraryGetIf(_ t: Int.Type, _ k: K) throws -> Int? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys4Int8VAFm_xtKF") public func libraryGet(_ t: Int8.Type, _ k: K) throws -> Int8 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys4Int8VSgAFm_xtKF") public func libraryGetIf(_ t: Int8.Type, _ k: K) throws -> Int8? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys5Int16VAFm_xtKF") public func libraryGet(_ t: Int16.Type, _ k: K) throws -> Int16 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys5Int16VSgAFm_xtKF") public func libraryGetIf(_ t: Int16.Type, _ k: K) throws -> Int16? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys5Int32VAFm_xtKF") public func libraryGet(_ t: Int32.Type, _ k: K) throws -> Int32 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys5Int32VSgAFm_xtKF") public func libraryGetIf(_ t: Int32.Type, _ k: K) throws -> Int32? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys5Int64VAFm_xtKF") public func libraryGet(_ t: Int64.Type, _ k: K) throws -> Int64 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys5Int64VSgAFm_xtKF") public func libraryGetIf(_ t: Int64.Type, _ k: K) throws -> Int64? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys6Int128VAFm_xtKF") public func libraryGet(_ t: Int128.Type, _ k: K) throws -> Int128 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys6Int128VSgAFm_xtKF") public func libraryGetIf(_ t: Int128.Type, _ k: K) throws -> Int128? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyS2um_xtKF") public func libraryGet(_ t: UInt.Type, _ k: K) throws -> UInt { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeySuSgSum_xtKF") public func libraryGetIf(_ t: UInt.Type, _ k: K) throws -> UInt? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys5UInt8VAFm_xtKF") public func libraryGet(_ t: UInt8.Type, _ k: K) throws -> UInt8 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys5UInt8VSgAFm_xtKF") public func libraryGetIf(_ t: UInt8.Type, _ k: K) throws -> UInt8? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys6UInt16VAFm_xtKF") public func libraryGet(_ t: UInt16.Type, _ k: K) throws -> UInt16 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys6UInt16VSgAFm_xtKF") public func libraryGetIf(_ t: UInt16.Type, _ k: K) throws -> UInt16? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys6UInt32VAFm_xtKF") public func libraryGet(_ t: UInt32.Type, _ k: K) throws -> UInt32 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys6UInt32VSgAFm_xtKF") public func libraryGetIf(_ t: UInt32.Type, _ k: K) throws -> UInt32? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys6UInt64VAFm_xtKF") public func libraryGet(_ t: UInt64.Type, _ k: K) throws -> UInt64 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys6UInt64VSgAFm_xtKF") public func libraryGetIf(_ t: UInt64.Type, _ k: K) throws -> UInt64? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeys7UInt128VAFm_xtKF") public func libraryGet(_ t: UInt128.Type, _ k: K) throws -> UInt128 { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeys7UInt128VSgAFm_xtKF") public func libraryGetIf(_ t: UInt128.Type, _ k: K) throws -> UInt128? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV6decode_6forKeyqd__qd__m_xtKSeRd__lF") public func libraryGet<T: Decodable>(_ t: T.Type, _ k: K) throws -> T { try box.c.keyedDecode(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV15decodeIfPresent_6forKeyqd__Sgqd__m_xtKSeRd__lF") public func libraryGetIf<T: Decodable>(_ t: T.Type, _ k: K) throws -> T? { try box.c.keyedDecodeIfPresent(t, k) }
@_silgen_name("library_s22KeyedDecodingContainerV06nestedC07keyedBy6forKeyAByqd__Gqd__m_xtKs06CodingH0Rd__lF") public func libraryNested<N: CodingKey>(_ t: N.Type, _ k: K) throws -> KeyedDecodingContainer<N> { try box.c.keyedNestedContainer(N.self, k) }
@_silgen_name("library_s22KeyedDecodingContainerV013nestedUnkeyedC06forKeys0ebC0_px_tKF") public func libraryNested(_ k: K) throws -> any UnkeyedDecodingContainer { try box.c.keyedNestedUnkeyedContainer(k) }
@_silgen_name("library_s22KeyedDecodingContainerV12superDecoders0E0_pyKF") public func librarySuper() throws -> any Decoder { try box.c.superDecoder() }
@_silgen_name("library_s22KeyedDecodingContainerV12superDecoder6forKeys0E0_px_tKF") public func librarySuper(_ k: K) throws -> any Decoder { try box.c.keyedSuperDecoder(k) }
}

// What containers do by default.
extension KeyedEncodingContainerProtocol {
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySbSg_0I0QztKF") public mutating func libraryDefault(_ v: Bool?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySSSg_0I0QztKF") public mutating func libraryDefault(_ v: String?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySdSg_0I0QztKF") public mutating func libraryDefault(_ v: Double?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySfSg_0I0QztKF") public mutating func libraryDefault(_ v: Float?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySiSg_0I0QztKF") public mutating func libraryDefault(_ v: Int?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys4Int8VSg_0I0QztKF") public mutating func libraryDefault(_ v: Int8?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys5Int16VSg_0I0QztKF") public mutating func libraryDefault(_ v: Int16?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys5Int32VSg_0I0QztKF") public mutating func libraryDefault(_ v: Int32?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys5Int64VSg_0I0QztKF") public mutating func libraryDefault(_ v: Int64?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys6Int128VSg_0I0QztKF") public mutating func libraryDefault(_ v: Int128?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyySuSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys5UInt8VSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt8?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys6UInt16VSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt16?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys6UInt32VSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt32?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys6UInt64VSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt64?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyys7UInt128VSg_0I0QztKF") public mutating func libraryDefault(_ v: UInt128?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE15encodeIfPresent_6forKeyyqd__Sg_0I0QztKSERd__lF") public mutating func libraryDefault<T: Encodable>(_ v: T?, _ k: Key) throws { if let v { try encode(v, forKey: k) } }
@_silgen_name("library_s30KeyedEncodingContainerProtocolPsE17encodeConditional_6forKeyyqd___0H0QztKRld__CSERd__lF") public mutating func libraryConditional<T: AnyObject & Encodable>(_ v: T, _ k: Key) throws { try encode(v, forKey: k) }
}
extension KeyedDecodingContainerProtocol {
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySbSgSbm_0I0QztKF") public func libraryDefault(_ t: Bool.Type, _ k: Key) throws -> Bool? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySSSgSSm_0I0QztKF") public func libraryDefault(_ t: String.Type, _ k: Key) throws -> String? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySdSgSdm_0I0QztKF") public func libraryDefault(_ t: Double.Type, _ k: Key) throws -> Double? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySfSgSfm_0I0QztKF") public func libraryDefault(_ t: Float.Type, _ k: Key) throws -> Float? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySiSgSim_0I0QztKF") public func libraryDefault(_ t: Int.Type, _ k: Key) throws -> Int? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys4Int8VSgAFm_0I0QztKF") public func libraryDefault(_ t: Int8.Type, _ k: Key) throws -> Int8? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys5Int16VSgAFm_0I0QztKF") public func libraryDefault(_ t: Int16.Type, _ k: Key) throws -> Int16? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys5Int32VSgAFm_0I0QztKF") public func libraryDefault(_ t: Int32.Type, _ k: Key) throws -> Int32? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys5Int64VSgAFm_0I0QztKF") public func libraryDefault(_ t: Int64.Type, _ k: Key) throws -> Int64? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys6Int128VSgAFm_0I0QztKF") public func libraryDefault(_ t: Int128.Type, _ k: Key) throws -> Int128? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeySuSgSum_0I0QztKF") public func libraryDefault(_ t: UInt.Type, _ k: Key) throws -> UInt? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys5UInt8VSgAFm_0I0QztKF") public func libraryDefault(_ t: UInt8.Type, _ k: Key) throws -> UInt8? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys6UInt16VSgAFm_0I0QztKF") public func libraryDefault(_ t: UInt16.Type, _ k: Key) throws -> UInt16? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys6UInt32VSgAFm_0I0QztKF") public func libraryDefault(_ t: UInt32.Type, _ k: Key) throws -> UInt32? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys6UInt64VSgAFm_0I0QztKF") public func libraryDefault(_ t: UInt64.Type, _ k: Key) throws -> UInt64? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeys7UInt128VSgAFm_0I0QztKF") public func libraryDefault(_ t: UInt128.Type, _ k: Key) throws -> UInt128? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
@_silgen_name("library_s30KeyedDecodingContainerProtocolPsE15decodeIfPresent_6forKeyqd__Sgqd__m_0I0QztKSeRd__lF") public func libraryDefault<T: Decodable>(_ t: T.Type, _ k: Key) throws -> T? { try contains(k) && !decodeNil(forKey: k) ? try decode(t, forKey: k) : nil }
}
extension UnkeyedEncodingContainer {
@_silgen_name("library_s24UnkeyedEncodingContainerPsE17encodeConditionalyyqd__KRld__CSERd__lF") public mutating func libraryConditional<T: AnyObject & Encodable>(_ v: T) throws { try encode(v) }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__Sb7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Bool { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__SS7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == String { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__Sd7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Double { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__Sf7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Float { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__Si7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s4Int8V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int8 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s5Int16V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int16 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s5Int32V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int32 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s5Int64V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int64 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s6Int128V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == Int128 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__Su7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s5UInt8V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt8 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s6UInt16V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt16 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s6UInt32V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt32 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s6UInt64V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt64 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__s7UInt128V7ElementRtd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element == UInt128 { for x in s { try encode(x) } }
@_silgen_name("library_s24UnkeyedEncodingContainerPsE6encode10contentsOfyqd___tKSTRd__SE7ElementRpd__lF") public mutating func libraryAll<S: Sequence>(_ s: S) throws where S.Element: Encodable { for x in s { try encode(x) } }
}
extension UnkeyedDecodingContainer {
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySbSgSbmKF") public mutating func libraryDefault(_ t: Bool.Type) throws -> Bool? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySSSgSSmKF") public mutating func libraryDefault(_ t: String.Type) throws -> String? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySdSgSdmKF") public mutating func libraryDefault(_ t: Double.Type) throws -> Double? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySfSgSfmKF") public mutating func libraryDefault(_ t: Float.Type) throws -> Float? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySiSgSimKF") public mutating func libraryDefault(_ t: Int.Type) throws -> Int? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys4Int8VSgAEmKF") public mutating func libraryDefault(_ t: Int8.Type) throws -> Int8? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys5Int16VSgAEmKF") public mutating func libraryDefault(_ t: Int16.Type) throws -> Int16? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys5Int32VSgAEmKF") public mutating func libraryDefault(_ t: Int32.Type) throws -> Int32? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys5Int64VSgAEmKF") public mutating func libraryDefault(_ t: Int64.Type) throws -> Int64? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys6Int128VSgAEmKF") public mutating func libraryDefault(_ t: Int128.Type) throws -> Int128? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentySuSgSumKF") public mutating func libraryDefault(_ t: UInt.Type) throws -> UInt? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys5UInt8VSgAEmKF") public mutating func libraryDefault(_ t: UInt8.Type) throws -> UInt8? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys6UInt16VSgAEmKF") public mutating func libraryDefault(_ t: UInt16.Type) throws -> UInt16? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys6UInt32VSgAEmKF") public mutating func libraryDefault(_ t: UInt32.Type) throws -> UInt32? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys6UInt64VSgAEmKF") public mutating func libraryDefault(_ t: UInt64.Type) throws -> UInt64? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentys7UInt128VSgAEmKF") public mutating func libraryDefault(_ t: UInt128.Type) throws -> UInt128? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
@_silgen_name("library_s24UnkeyedDecodingContainerPsE15decodeIfPresentyqd__Sgqd__mKSeRd__lF") public mutating func libraryDefault<T: Decodable>(_ t: T.Type) throws -> T? { try !isAtEnd && !decodeNil() ? try decode(t) : nil }
}
