// Properties writes what the standard library says of all scalars, for vm/native/properties.go: one line for a run of scalars of which it says the
// same, "property first last value" with hexadecimal numbers. Properties that are false and mappings that change nothing are left out.
typealias Properties = Unicode.Scalar.Properties

func runs(_ name: String, _ value: (Properties) -> String?) {
  var first: UInt32 = 0, last: UInt32 = 0, known: String?
  func flush() {
    if let known { print(name, String(first, radix: 16), String(last, radix: 16), known) }
  }
  for n: UInt32 in 0...0x10FFFF {
    guard let scalar = Unicode.Scalar(n) else { continue }
    let v = value(scalar.properties)
    if v != known || n != last + 1 {
      flush()
      first = n
      known = v
    }
    last = n
  }
  flush()
}
func flag(_ name: String, _ value: (Properties) -> Bool) { runs(name) { value($0) ? "" : nil } }
func hex(_ text: String) -> String { text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "+") }
func mapping(_ name: String, _ value: @escaping (Properties) -> String) {
  for n: UInt32 in 0...0x10FFFF {
    guard let scalar = Unicode.Scalar(n) else { continue }
    let v = value(scalar.properties)
    if v != String(scalar) { print(name, String(n, radix: 16), String(n, radix: 16), hex(v)) }
  }
}

flag("isAlphabetic", \.isAlphabetic)
flag("isASCIIHexDigit", \.isASCIIHexDigit)
flag("isBidiControl", \.isBidiControl)
flag("isBidiMirrored", \.isBidiMirrored)
flag("isCased", \.isCased)
flag("isCaseIgnorable", \.isCaseIgnorable)
flag("changesWhenLowercased", \.changesWhenLowercased)
flag("changesWhenUppercased", \.changesWhenUppercased)
flag("changesWhenTitlecased", \.changesWhenTitlecased)
flag("changesWhenCaseFolded", \.changesWhenCaseFolded)
flag("changesWhenCaseMapped", \.changesWhenCaseMapped)
flag("changesWhenNFKCCaseFolded", \.changesWhenNFKCCaseFolded)
flag("isDash", \.isDash)
flag("isDefaultIgnorableCodePoint", \.isDefaultIgnorableCodePoint)
flag("isDeprecated", \.isDeprecated)
flag("isDiacritic", \.isDiacritic)
flag("isEmoji", \.isEmoji)
flag("isEmojiPresentation", \.isEmojiPresentation)
flag("isEmojiModifier", \.isEmojiModifier)
flag("isEmojiModifierBase", \.isEmojiModifierBase)
flag("isExtender", \.isExtender)
flag("isFullCompositionExclusion", \.isFullCompositionExclusion)
flag("isGraphemeBase", \.isGraphemeBase)
flag("isGraphemeExtend", \.isGraphemeExtend)
flag("isHexDigit", \.isHexDigit)
flag("isIDContinue", \.isIDContinue)
flag("isIDStart", \.isIDStart)
flag("isIdeographic", \.isIdeographic)
flag("isIDSBinaryOperator", \.isIDSBinaryOperator)
flag("isIDSTrinaryOperator", \.isIDSTrinaryOperator)
flag("isJoinControl", \.isJoinControl)
flag("isLogicalOrderException", \.isLogicalOrderException)
flag("isLowercase", \.isLowercase)
flag("isMath", \.isMath)
flag("isNoncharacterCodePoint", \.isNoncharacterCodePoint)
flag("isQuotationMark", \.isQuotationMark)
flag("isPatternSyntax", \.isPatternSyntax)
flag("isPatternWhitespace", \.isPatternWhitespace)
flag("isRadical", \.isRadical)
flag("isSentenceTerminal", \.isSentenceTerminal)
flag("isSoftDotted", \.isSoftDotted)
flag("isTerminalPunctuation", \.isTerminalPunctuation)
flag("isUnifiedIdeograph", \.isUnifiedIdeograph)
flag("isUppercase", \.isUppercase)
flag("isVariationSelector", \.isVariationSelector)
flag("isWhitespace", \.isWhitespace)
flag("isXIDContinue", \.isXIDContinue)
flag("isXIDStart", \.isXIDStart)
let categories: [Unicode.GeneralCategory] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
  .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
  .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
  .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse,
  .unassigned]
runs("generalCategory") { p in p.generalCategory == .unassigned ? nil : String(categories.firstIndex(of: p.generalCategory)!, radix: 16) }
runs("canonicalCombiningClass") { $0.canonicalCombiningClass.rawValue == 0 ? nil : String($0.canonicalCombiningClass.rawValue, radix: 16) }
runs("age") { $0.age.map { String($0.major * 16 + $0.minor, radix: 16) } }
let types: [Unicode.NumericType] = [.decimal, .digit, .numeric]
runs("numericType") { $0.numericType.map { String(types.firstIndex(of: $0)!, radix: 16) } }
runs("numericValue") { $0.numericValue.map { String($0.bitPattern, radix: 16) } }
mapping("lowercaseMapping", \.lowercaseMapping)
mapping("uppercaseMapping", \.uppercaseMapping)
mapping("titlecaseMapping", \.titlecaseMapping)
for n: UInt32 in 0...0x10FFFF {
  guard let alias = Unicode.Scalar(n)?.properties.nameAlias else { continue }
  print("nameAlias", String(n, radix: 16), String(n, radix: 16), alias)
}
