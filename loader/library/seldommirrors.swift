// What a type shows of itself when it is asked directly: what reflecting its values shows, or for views (ownMirrors in vm/native/mirror.go) what
// reflecting asks for.
extension Dictionary {
@_silgen_name("library_SD12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Dictionary.Iterator {
@_silgen_name("library_SD8IteratorV12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}
extension Character {
@_silgen_name("library_SJ12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension ClosedRange {
@_silgen_name("library_SN12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension String {
@_silgen_name("library_SS12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension String.UnicodeScalarView {
@_silgen_name("library_SS17UnicodeScalarViewV12customMirrors0E0Vvg") public func libraryMirror() -> Mirror { Mirror(self, unlabeledChildren: self) }
}
extension String.UTF8View {
@_silgen_name("library_SS8UTF8ViewV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(self, unlabeledChildren: self) }
}
extension String.UTF16View {
@_silgen_name("library_SS9UTF16ViewV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(self, unlabeledChildren: self) }
}
extension Array {
@_silgen_name("library_Sa12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Bool {
@_silgen_name("library_Sb12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Double {
@_silgen_name("library_Sd12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Float {
@_silgen_name("library_Sf12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Set {
@_silgen_name("library_Sh12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Set.Iterator {
@_silgen_name("library_Sh8IteratorV12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}
extension Int {
@_silgen_name("library_Si12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Range {
@_silgen_name("library_Sn12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Optional {
@_silgen_name("library_Sq12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self as Any) }
}
extension Substring {
@_silgen_name("library_Ss12customMirrors0B0Vvg") public func libraryMirror() -> Mirror { String(self).customMirror }
}
extension ArraySlice {
@_silgen_name("library_s10ArraySliceV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension AnyHashable {
@_silgen_name("library_s11AnyHashableV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: ["value": base]) }
}
extension StaticBigInt {
@_silgen_name("library_s12StaticBigIntV12customMirrors0E0Vvg") public func libraryMirror() -> Mirror { Mirror(self, unlabeledChildren: EmptyCollection<Void>()) }
}
extension StaticString {
@_silgen_name("library_s12StaticStringV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { description.customMirror }
}
extension StrideThrough {
@_silgen_name("library_s13StrideThroughV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { let s = unsafeBitCast(self, to: LibraryStride<Element>.self); return Mirror(self, children: ["from": s.start, "through": s.end, "by": s.stride]) }
}
extension CollectionOfOne {
@_silgen_name("library_s15CollectionOfOneV12customMirrors0E0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: ["element": first!]) }
}
extension ContiguousArray {
@_silgen_name("library_s15ContiguousArrayV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Int8 {
@_silgen_name("library_s4Int8V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Int16 {
@_silgen_name("library_s5Int16V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Int32 {
@_silgen_name("library_s5Int32V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Int64 {
@_silgen_name("library_s5Int64V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension UInt8 {
@_silgen_name("library_s5UInt8V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Int128 {
@_silgen_name("library_s6Int128V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension UInt16 {
@_silgen_name("library_s6UInt16V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension UInt32 {
@_silgen_name("library_s6UInt32V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension UInt64 {
@_silgen_name("library_s6UInt64V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension UInt128 {
@_silgen_name("library_s7UInt128V12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension Unicode.Scalar {
@_silgen_name("library_s7UnicodeO6ScalarV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { Mirror(reflecting: self) }
}
extension StrideTo {
@_silgen_name("library_s8StrideToV12customMirrors0D0Vvg") public func libraryMirror() -> Mirror { let s = unsafeBitCast(self, to: LibraryStride<Element>.self); return Mirror(self, children: ["from": s.start, "to": s.end, "by": s.stride]) }
}
extension _Pointer {
@_silgen_name("library_s8_PointerPsE12customMirrors0C0Vvg") public func libraryMirror() -> Mirror { Mirror(self, children: ["pointerValue": UInt64(UInt(bitPattern: self))]) }
}

// LibraryStride has the stored properties of StrideTo and StrideThrough.
struct LibraryStride<E: Strideable> {
  let start: E
  let end: E
  let stride: E.Stride
}
