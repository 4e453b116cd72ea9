// The properties that patterns name: \p{...} and [:...:]. Names are compared without case, spaces, hyphens and underscores.

let patternCategories: [(String, String, [Unicode.GeneralCategory])] = [
  ("l", "letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]),
  ("m", "mark", [.nonspacingMark, .spacingMark, .enclosingMark]),
  ("n", "number", [.decimalNumber, .letterNumber, .otherNumber]),
  ("s", "symbol", [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
  ("p", "punctuation", [.connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation]),
  ("z", "separator", [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
  ("c", "other", [.control, .format, .surrogate, .privateUse, .unassigned]),
  ("lc", "casedletter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
  ("l&", "l&", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
  ("cc", "control", [.control]), ("cf", "format", [.format]), ("cn", "unassigned", [.unassigned]), ("co", "privateuse", [.privateUse]), ("cs", "surrogate", [.surrogate]),
  ("ll", "lowercaseletter", [.lowercaseLetter]), ("lm", "modifierletter", [.modifierLetter]), ("lo", "otherletter", [.otherLetter]),
  ("lt", "titlecaseletter", [.titlecaseLetter]), ("lu", "uppercaseletter", [.uppercaseLetter]),
  ("mc", "spacingmark", [.spacingMark]), ("me", "enclosingmark", [.enclosingMark]), ("mn", "nonspacingmark", [.nonspacingMark]),
  ("nd", "decimalnumber", [.decimalNumber]), ("nl", "letternumber", [.letterNumber]), ("no", "othernumber", [.otherNumber]),
  ("pc", "connectorpunctuation", [.connectorPunctuation]), ("pd", "dashpunctuation", [.dashPunctuation]), ("pe", "closepunctuation", [.closePunctuation]),
  ("pf", "finalpunctuation", [.finalPunctuation]), ("pi", "initialpunctuation", [.initialPunctuation]), ("po", "otherpunctuation", [.otherPunctuation]),
  ("ps", "openpunctuation", [.openPunctuation]), ("sc", "currencysymbol", [.currencySymbol]), ("sk", "modifiersymbol", [.modifierSymbol]),
  ("sm", "mathsymbol", [.mathSymbol]), ("so", "othersymbol", [.otherSymbol]), ("zl", "lineseparator", [.lineSeparator]),
  ("zp", "paragraphseparator", [.paragraphSeparator]), ("zs", "spaceseparator", [.spaceSeparator]),
]

// What \p{name}, \p{name=value} or [:name:] says.
func propertyNamed(_ text: String, _ inverted: Bool) throws -> PatternProperty {
  let p = try propertyNamed(text)
  return inverted ? .not(p) : p
}

func plainName(_ s: Substring) -> String {
  s.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
}

func propertyNamed(_ text: String) throws -> PatternProperty {
  let parts = text.split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
  let name = plainName(parts[0])
  if parts.count == 2 {
    let value = plainName(parts[1])
    if name == "generalcategory" || name == "gc" {
      guard let c = patternCategories.first(where: { $0.0 == value || $0.1 == value }) else { throw PatternError("unrecognized category '\(parts[1])'") }
      return .category(c.2)
    }
    refuse("a regular expression with the property \(text)")
  }
  if name.isEmpty { throw PatternError("expected property name") }
  if let c = patternCategories.first(where: { $0.0 == name || $0.1 == name }) { return .category(c.2) }
  switch name {
  case "any": return .all
  case "assigned": return .not(.category([.unassigned]))
  case "ascii": return .single { $0.isASCII }
  case "alphabetic", "alpha": return .scalar { $0.properties.isAlphabetic }
  case "uppercase", "upper": return .scalar { $0.properties.isUppercase }
  case "lowercase", "lower": return .scalar { $0.properties.isLowercase }
  case "whitespace", "space", "wspace": return .scalar { $0.properties.isWhitespace }
  case "emoji": return .scalar { $0.properties.isEmoji }
  case "emojipresentation": return .scalar { $0.properties.isEmojiPresentation }
  case "emojimodifier": return .scalar { $0.properties.isEmojiModifier }
  case "hexdigit", "hex": return .scalar { $0.properties.isHexDigit }
  case "asciihexdigit", "ahex": return .scalar { $0.properties.isASCIIHexDigit }
  case "cased": return .scalar { $0.properties.isCased }
  case "dash": return .scalar { $0.properties.isDash }
  case "math": return .scalar { $0.properties.isMath }
  case "ideographic", "ideo": return .scalar { $0.properties.isIdeographic }
  case "idstart", "ids": return .scalar { $0.properties.isIDStart }
  case "idcontinue", "idc": return .scalar { $0.properties.isIDContinue }
  case "xidstart", "xids": return .scalar { $0.properties.isXIDStart }
  case "xidcontinue", "xidc": return .scalar { $0.properties.isXIDContinue }
  case "quotationmark", "qmark": return .scalar { $0.properties.isQuotationMark }
  case "diacritic", "dia": return .scalar { $0.properties.isDiacritic }
  // POSIX
  case "alnum": return .scalar { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  case "blank": return .scalar { $0.properties.generalCategory == .spaceSeparator || $0 == "\t" }
  case "cntrl": return .category([.control])
  case "digit": return .category([.decimalNumber])
  case "punct": return .category(patternCategories[4].2)
  case "graph": return .scalar {
    let p = $0.properties
    return !(p.isWhitespace || p.generalCategory == .control || p.generalCategory == .surrogate || p.generalCategory == .unassigned)
  }
  case "print": return .scalar { $0.properties.generalCategory != .control }
  case "word": return .scalar { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.properties.isJoinControl || $0.properties.isDash }
  case "xdigit": return .scalar { $0.properties.isHexDigit }
  default: refuse("a regular expression with the property \(text)")
  }
}

extension PatternParser {
  // [:name:] in brackets.
  mutating func posix() throws -> PatternMember? {
    let from = at
    at += 1
    let inverted = eat("^")
    var s = ""
    while let c = peek, c.isLetter || c == "_" || c == "=" || c == " " {
      s.append(c)
      at += 1
    }
    guard eat(":]") else {
      at = from
      return nil
    }
    return .property(try propertyNamed(s, inverted))
  }
  mutating func property(_ end: Character, _ inverted: Bool) throws -> PatternProperty {
    let not = eat("^")
    var s = ""
    while let c = peek, c != end {
      s.append(c)
      at += 1
    }
    try expect(end)
    return try propertyNamed(s, inverted != not)
  }
}
