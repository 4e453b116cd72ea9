// What programs call of Decimal.

import Foundation

// LibraryStored has the fields of a Decimal: in the flags are the length in words of 16 bits, the minus and whether it is compact.
struct LibraryStored {
  var exponent: Int8
  var flags: UInt8
  var reserved: UInt16
  var w0: UInt32
  var w1: UInt32
  var w2: UInt32
  var w3: UInt32
}

func number(_ d: Decimal) -> LibraryNumber {
  let s = unsafeBitCast(d, to: LibraryStored.self)
  let words = LibraryWide(w0: UInt64(s.w1) << 32 | UInt64(s.w0), w1: UInt64(s.w3) << 32 | UInt64(s.w2))
  return LibraryNumber(negative: s.flags & 8 != 0, exponent: Int(s.exponent), compact: s.flags & 4 != 0, words: words)
}

func decimal(_ x: LibraryNumber) -> Decimal {
  let flags = UInt8(x.words.length) << 4 | (x.negative ? 8 : 0) | (x.compact ? 4 : 0)
  return unsafeBitCast(
    LibraryStored(
      exponent: Int8(x.exponent), flags: flags, reserved: 0, w0: UInt32(truncatingIfNeeded: x.words.w0), w1: UInt32(x.words.w0 >> 32),
      w2: UInt32(truncatingIfNeeded: x.words.w1), w3: UInt32(x.words.w1 >> 32)), to: Decimal.self)
}

func decimal(_ value: Int64) -> Decimal { decimal(number(value.magnitude, value < 0)) }

func told(_ f: LibraryFailure?, _ lost: Bool) -> Decimal.CalculationError {
  switch f {
  case .overflow: .overflow
  case .underflow: .underflow
  case .division: .divideByZero
  case nil: lost ? .lossOfPrecision : .noError
  }
}

extension Decimal {
@_silgen_name("library_20FoundationEssentials7DecimalVACycfC") public static func libraryMake() -> Decimal { decimal(LibraryNumber()) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACSicfC") public static func libraryMake(_ v: Int) -> Decimal { decimal(Int64(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalV14integerLiteralACSi_tcfC") public static func libraryLiteral(_ v: Int) -> Decimal { decimal(Int64(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACs4Int8VcfC") public static func libraryMake(_ v: Int8) -> Decimal { decimal(Int64(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACs5Int16VcfC") public static func libraryMake(_ v: Int16) -> Decimal { decimal(Int64(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACs5Int32VcfC") public static func libraryMake(_ v: Int32) -> Decimal { decimal(Int64(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACs5Int64VcfC") public static func libraryMake(_ v: Int64) -> Decimal { decimal(v) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACs6UInt64VcfC") public static func libraryMake(_ v: UInt64) -> Decimal { decimal(number(v, false)) }
@_silgen_name("library_20FoundationEssentials7DecimalVyACSdcfC") public static func libraryMake(_ v: Double) -> Decimal { decimal(number(v)) }
@_silgen_name("library_20FoundationEssentials7DecimalV6string6localeACSgSSh_AA6LocaleVSghtcfC") public static func libraryRead(_ s: __shared String, _ l: __shared Locale?) -> Decimal? {
    if l != nil { refuse("a Decimal that is read in a locale") }
    return read(s).map(decimal)
  }
@_silgen_name("library_20FoundationEssentials7DecimalV4sign8exponent11significandACs17FloatingPointSignO_SiACtcfC") public static func libraryMake(_ s: FloatingPointSign, _ e: Int, _ d: Decimal) -> Decimal {
    var (r, failed) = scaled(number(d), Int(Int16(clamping: e)))
    if case .underflow = failed { r = LibraryNumber() }
    if s == .minus && !r.words.isZero { r.negative.toggle() }
    return decimal(r)
  }

@_silgen_name("library_20FoundationEssentials7DecimalV11descriptionSSvg") public func libraryText() -> String { text(number(self)) }
@_silgen_name("library_20FoundationEssentials7DecimalV2eeoiySbAC_ACtFZ") public static func libraryEqual(_ a: Decimal, _ b: Decimal) -> Bool { compared(number(a), number(b)) == 0 }
@_silgen_name("library_20FoundationEssentials7DecimalV1loiySbAC_ACtFZ") public static func libraryLess(_ a: Decimal, _ b: Decimal) -> Bool { compared(number(a), number(b)) < 0 }
@_silgen_name("library_20FoundationEssentials7DecimalV7isEqual2toSbAC_tF") public func libraryIsEqual(_ b: Decimal) -> Bool { compared(number(self), number(b)) == 0 }
@_silgen_name("library_20FoundationEssentials7DecimalV6isLess4thanSbAC_tF") public func libraryIsLess(_ b: Decimal) -> Bool { compared(number(self), number(b)) < 0 }
@_silgen_name("library_20FoundationEssentials7DecimalV19isLessThanOrEqualToySbACF") public func libraryIsNotGreater(_ b: Decimal) -> Bool { compared(number(self), number(b)) <= 0 }
@_silgen_name("library_20FoundationEssentials7DecimalV4hash4intoys6HasherVz_tF") public func libraryHash(_ h: inout Hasher) { h.combine(double(number(self))) }
@_silgen_name("library_20FoundationEssentials7DecimalV9hashValueSivg") public func libraryHashValue() -> Int {
    var h = Hasher()
    h.combine(double(number(self)))
    return h.finalize()
  }

@_silgen_name("library_20FoundationEssentials7DecimalV1poiyA2C_ACtFZ") public static func libraryAdd(_ a: Decimal, _ b: Decimal) -> Decimal {
    var lost = false
    return decimal(added(number(a), number(b), &lost).0)
  }
@_silgen_name("library_20FoundationEssentials7DecimalV1soiyA2C_ACtFZ") public static func librarySubtract(_ a: Decimal, _ b: Decimal) -> Decimal {
    var lost = false
    return decimal(subtracted(number(a), number(b), &lost).0)
  }
@_silgen_name("library_20FoundationEssentials7DecimalV1moiyA2C_ACtFZ") public static func libraryMultiply(_ a: Decimal, _ b: Decimal) -> Decimal { decimal(multiplied(number(a), number(b)).0) }
@_silgen_name("library_20FoundationEssentials7DecimalV1doiyA2C_ACtFZ") public static func libraryDivide(_ a: Decimal, _ b: Decimal) -> Decimal { decimal(quotient(number(a), number(b)).0) }
@_silgen_name("library_20FoundationEssentials7DecimalV2peoiyyACz_ACtFZ") public static func libraryAdd(_ a: inout Decimal, to b: Decimal) { a = libraryAdd(a, b) }
@_silgen_name("library_20FoundationEssentials7DecimalV2seoiyyACz_ACtFZ") public static func librarySubtract(_ a: inout Decimal, from b: Decimal) { a = librarySubtract(a, b) }
@_silgen_name("library_20FoundationEssentials7DecimalV2meoiyyACz_ACtFZ") public static func libraryMultiply(_ a: inout Decimal, by b: Decimal) { a = libraryMultiply(a, b) }
@_silgen_name("library_20FoundationEssentials7DecimalV2deoiyyACz_ACtFZ") public static func libraryDivide(_ a: inout Decimal, by b: Decimal) { a = libraryDivide(a, b) }
@_silgen_name("library_20FoundationEssentials7DecimalV6negateyyF") public mutating func libraryNegate() {
    var x = number(self)
    if !x.words.isZero { x.negative.toggle() }
    self = decimal(x)
  }
@_silgen_name("library_20FoundationEssentials7DecimalV8distance2toA2C_tF") public func libraryDistance(_ o: Decimal) -> Decimal { Decimal.librarySubtract(o, self) }
@_silgen_name("library_20FoundationEssentials7DecimalV8advanced2byA2C_tF") public func libraryAdvanced(_ n: Decimal) -> Decimal { Decimal.libraryAdd(self, n) }

@_silgen_name("library_20FoundationEssentials7DecimalV9magnitudeACvg") public func libraryMagnitude() -> Decimal {
    var x = number(self)
    if !x.words.isZero { x.negative = false }
    return decimal(x)
  }
@_silgen_name("library_20FoundationEssentials7DecimalV11significandACvg") public func librarySignificand() -> Decimal {
    let x = number(self)
    return decimal(LibraryNumber(compact: x.compact, words: x.words))
  }
@_silgen_name("library_20FoundationEssentials7DecimalV8exponentSivg") public func libraryExponent() -> Int { number(self).exponent }
@_silgen_name("library_20FoundationEssentials7DecimalV4signs17FloatingPointSignOvg") public func librarySign() -> FloatingPointSign { number(self).negative ? .minus : .plus }
@_silgen_name("library_20FoundationEssentials7DecimalV11isSignMinusSbvg") public func libraryIsMinus() -> Bool { number(self).negative }
@_silgen_name("library_20FoundationEssentials7DecimalV6isZeroSbvg") public func libraryIsZero() -> Bool { number(self).words.isZero && !number(self).negative }
@_silgen_name("library_20FoundationEssentials7DecimalV5isNaNSbvg") public func libraryIsNaN() -> Bool { number(self).isNaN }
@_silgen_name("library_20FoundationEssentials7DecimalV8isFiniteSbvg") public func libraryIsFinite() -> Bool { !number(self).isNaN }
@_silgen_name("library_20FoundationEssentials7DecimalV8isNormalSbvg") public func libraryIsNormal() -> Bool { !number(self).words.isZero }
@_silgen_name("library_20FoundationEssentials7DecimalV3nanACvgZ") public static func libraryNaN() -> Decimal { decimal(.nan) }
@_silgen_name("library_20FoundationEssentials7DecimalV8quietNaNACvgZ") public static func libraryQuietNaN() -> Decimal { decimal(.nan) }
@_silgen_name("library_20FoundationEssentials7DecimalV12_doubleValueSdvg") public func libraryDouble() -> Double { double(number(self)) }
}

typealias LibraryMade = UnsafeMutablePointer<Decimal>

@_silgen_name("library_20FoundationEssentials4_powyAA7DecimalVAD_SitF") public func libraryPower(_ d: Decimal, _ n: Int) -> Decimal { decimal(raised(number(d), n).0) }
@_silgen_name("library_20FoundationEssentials15_NSDecimalRoundyySpyAA7DecimalVG_SPyADGSiAD12RoundingModeOtF") public func libraryRound(_ r: UnsafeMutablePointer<Decimal>, _ d: UnsafePointer<Decimal>, _ scale: Int, _ mode: Decimal.RoundingMode) {
  r.pointee = decimal(rounded(number(d.pointee), scale, mode))
}
func give(_ r: LibraryMade, _ result: (LibraryNumber, LibraryFailure?), _ lost: Bool) -> Decimal.CalculationError {
  r.pointee = decimal(result.0)
  return told(result.1, lost)
}
@_silgen_name("library_20FoundationEssentials13_NSDecimalAddyAA7DecimalV16CalculationErrorOSpyADG_SPyADGAhD12RoundingModeOtF") public func librarySum(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  var lost = false
  let s = added(number(a.pointee), number(b.pointee), &lost)
  return give(r, s, lost)
}
@_silgen_name("library_20FoundationEssentials18_NSDecimalMultiplyyAA7DecimalV16CalculationErrorOSpyADG_SPyADGAhD12RoundingModeOtF") public func libraryProduct(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  give(r, multiplied(number(a.pointee), number(b.pointee)), false)
}
@_silgen_name("library_20FoundationEssentials16_NSDecimalDivideyAA7DecimalV16CalculationErrorOSpyADG_SPyADGAhD12RoundingModeOtF") public func libraryQuotient(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  give(r, quotient(number(a.pointee), number(b.pointee)), false)
}
@_silgen_name("library_20FoundationEssentials15_NSDecimalPoweryAA7DecimalV16CalculationErrorOSpyADG_SPyADGSiAD12RoundingModeOtF") public func libraryRaise(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ n: Int, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  give(r, raised(number(a.pointee), n), false)
}
@_silgen_name("library_20FoundationEssentials17_NSDecimalCompareyAA16ComparisonResultOSPyAA7DecimalVG_AGtF") public func libraryOrder(_ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>) -> ComparisonResult {
  let c = compared(number(a.pointee), number(b.pointee))
  return c == 0 ? .orderedSame : c < 0 ? .orderedAscending : .orderedDescending
}
@_silgen_name("library_20FoundationEssentials18_NSDecimalSubtractyAA7DecimalV16CalculationErrorOSpyADG_SPyADGAhD12RoundingModeOtF") public func libraryDifference(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  var lost = false
  return give(r, subtracted(number(a.pointee), number(b.pointee), &lost), false)
}
// 6.0's _NSDecimalSubtract calls this one.
@_silgen_name("library_20FoundationEssentials19__NSDecimalSubtractyAA7DecimalV16CalculationErrorOSpyADG_SPyADGAhD12RoundingModeOtF") public func libraryDifferenceBelow(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ b: UnsafePointer<Decimal>, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  libraryDifference(r, a, b, m)
}
@_silgen_name("library_20FoundationEssentials29_NSDecimalMultiplyByPowerOf10yAA7DecimalV16CalculationErrorOSpyADG_SPyADGs5Int16VAD12RoundingModeOtF") public func libraryScale(_ r: UnsafeMutablePointer<Decimal>, _ a: UnsafePointer<Decimal>, _ n: Int16, _ m: Decimal.RoundingMode) -> Decimal.CalculationError {
  give(r, scaled(number(a.pointee), Int(n)), false)
}
