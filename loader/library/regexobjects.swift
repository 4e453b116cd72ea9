// NSRegularExpression and NSTextCheckingResult: the functions that programs call, over regexmatch.swift.

import Foundation

@_silgen_name("library_matchresult_new") func newResult(_ groups: Int) -> NSTextCheckingResult

@inline(__always) func place<T>(_ o: AnyObject, _ at: Int, _: T.Type) -> UnsafeMutablePointer<T> { UnsafeMutableRawPointer(Unmanaged.passUnretained(o).toOpaque()).advanced(by: at).assumingMemoryBound(to: T.self) }
@inline(__always) func regex(_ r: NSRegularExpression) -> LibraryRegex { place(r, 16, LibraryRegex.self).pointee }

// A result by its stored properties.
struct LibraryMatch {
  var regex: NSRegularExpression?
  var ranges: [NSRange]?
}
@inline(__always) func match(_ r: NSTextCheckingResult) -> UnsafeMutablePointer<LibraryMatch> { place(r, 16, LibraryMatch.self) }
@_silgen_name("library_regex_free") public func freeRegex(_ r: AnyObject) { place(r, 16, LibraryRegex?.self).deinitialize(count: 1) }
@_silgen_name("library_matchresult_free") public func freeResult(_ r: AnyObject) { place(r, 16, LibraryMatch.self).deinitialize(count: 1) }

func result(_ r: NSRegularExpression, _ ranges: [NSRange]) -> NSTextCheckingResult {
  let o = newResult(ranges.count)
  match(o).initialize(to: LibraryMatch(regex: r, ranges: ranges))
  return o
}
@_silgen_name("library_10Foundation19NSRegularExpressionC7pattern7optionsACSS_AC7OptionsVtKcfc")
public func regexMake(_ pattern: __owned String, _ options: NSRegularExpression.Options, _ r: __owned NSRegularExpression) throws -> NSRegularExpression {
  do {
    place(r, 16, LibraryRegex.self).initialize(to: try LibraryRegex(pattern, options.rawValue))
  } catch {
    place(r, 16, LibraryRegex?.self).initialize(to: nil) // for the deinit of what is thrown away
    throw NSError(domain: "NSCocoaErrorDomain", code: 2048, userInfo: ["NSInvalidValue": pattern])
  }
  return r
}

// Calls body with the matches in a range, until it returns false: the range of the match, those of the groups, and the flags.
func search(_ r: NSRegularExpression, _ string: String, _ options: UInt, _ range: NSRange, _ body: ([NSRange], UInt) -> Bool) {
  let program = regex(r), units = Array(string.utf16)
  if range.location < 0 || range.length < 0 || range.location == NSNotFound || range.location + range.length > units.count { refuse("a range outside the text that an NSRegularExpression searches") }
  let from = range.location, to = from + range.length
  if options & 8 != 0 && (from > 0 || to < units.count) { refuse("withTransparentBounds of an NSRegularExpression in a part of the text") }
  let whole = options & 16 != 0
  let slots = UnsafeMutablePointer<Int>.allocate(capacity: 2 * program.groups + 1), registers = UnsafeMutablePointer<Int>.allocate(capacity: program.registers + 1)
  registers.initialize(repeating: 0, count: program.registers + 1)
  units.withUnsafeBufferPointer { text in
    program.ops.withUnsafeBufferPointer { ops in
      program.sets.withUnsafeBufferPointer { sets in
        let none = UnsafePointer<UInt16>(bitPattern: 2)!, noSet = UnsafePointer<LibraryRegexSet>(bitPattern: 8)!
        var s = LibraryRegexSearch(
          regex: program, text: text.baseAddress ?? none, from: from, to: to, anchorFrom: whole ? 0 : from, anchorTo: whole ? units.count : to, ops: ops.baseAddress!,
          sets: sets.baseAddress ?? noSet, slots: slots, registers: registers, stack: .allocate(capacity: 256))
        let isLine = program.startsLine // which is not looked for inside CR LF
        let firstOp = ops[0], isStart = firstOp.verb == .start, isChar = firstOp.verb == .char && firstOp.a < 0xd800
        var at = from
        search: while at <= to {
          s.hitEnd = false
          s.requiresEnd = false
          var end: Int? = nil
          while true {
            if isChar && options & 4 == 0 { while at < to, text[at] != UInt16(firstOp.a) { at += 1 } }
            end = isLine && at > s.anchorFrom && at < to && text[at - 1] == 13 && text[at] == 10 ? nil : s.match(at)
            if end != nil || options & 4 != 0 || at >= to || isStart && at > s.anchorFrom { break }
            at += s.scalar(at).1
          }
          guard let end else { break }
          var all = [NSRange(location: at, length: end - at)]
          for g in 0..<program.groups {
            all.append(slots[2 * g] < 0 ? NSRange(location: NSNotFound, length: 0) : NSRange(location: slots[2 * g], length: slots[2 * g + 1] - slots[2 * g]))
          }
          if !body(all, (s.hitEnd ? 4 : 0) | (s.requiresEnd ? 8 : 0)) { break search }
          if end == at {
            if options & 4 != 0 || at >= to { break }
            at += s.scalar(at).1
          } else {
            at = end
          }
        }
        s.stack.deallocate()
      }
    }
  }
  slots.deallocate()
  registers.deallocate()
}

extension NSRegularExpression {
@_silgen_name("library_10Foundation19NSRegularExpressionC7patternSSvg") public func libraryPattern() -> String { regex(self).pattern }
@_silgen_name("library_10Foundation19NSRegularExpressionC7optionsAC7OptionsVvg") public func libraryOptions() -> NSRegularExpression.Options { NSRegularExpression.Options(rawValue: regex(self).options) }
@_silgen_name("library_10Foundation19NSRegularExpressionC21numberOfCaptureGroupsSivg") public func libraryGroups() -> Int { regex(self).groups }
@_silgen_name("library_10Foundation19NSRegularExpressionC7isEqualySbypSgF") public func libraryIsEqual(_ other: Any?) -> Bool {
  guard let o = other as? NSRegularExpression else { return false }
  return self === o || regex(self).pattern == regex(o).pattern && regex(self).options == regex(o).options
}
@_silgen_name("library_10Foundation19NSRegularExpressionC16enumerateMatches2in7options5range5usingySS_AC15MatchingOptionsVAA8_NSRangeVyAA20NSTextCheckingResultCSg_AC0J5FlagsVSpyAA8ObjCBoolVGtctF")
public func libraryEach(
  _ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange,
  _ block: @escaping (NSTextCheckingResult?, NSRegularExpression.MatchingFlags, UnsafeMutablePointer<ObjCBool>) -> Void
) {
  if options.rawValue & 3 != 0 { refuse("enumerateMatches that reports progress or completion") }
  search(self, string, options.rawValue, range) { ranges, flags in
    var stop = ObjCBool(false)
    block(result(self, ranges), NSRegularExpression.MatchingFlags(rawValue: flags), &stop)
    return !stop.boolValue
  }
}
@_silgen_name("library_10Foundation19NSRegularExpressionC7matches2in7options5rangeSayAA20NSTextCheckingResultCGSS_AC15MatchingOptionsVAA8_NSRangeVtF")
public func libraryAll(_ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange) -> [NSTextCheckingResult] {
  var all: [NSTextCheckingResult] = []
  search(self, string, options.rawValue, range) { ranges, _ in
    all.append(result(self, ranges))
    return true
  }
  return all
}
@_silgen_name("library_10Foundation19NSRegularExpressionC15numberOfMatches2in7options5rangeSiSS_AC15MatchingOptionsVAA8_NSRangeVtF")
public func libraryCount(_ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange) -> Int {
  var n = 0
  search(self, string, options.rawValue, range) { _, _ in
    n += 1
    return true
  }
  return n
}
@_silgen_name("library_10Foundation19NSRegularExpressionC10firstMatch2in7options5rangeAA20NSTextCheckingResultCSgSS_AC15MatchingOptionsVAA8_NSRangeVtF")
public func libraryFirst(_ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange) -> NSTextCheckingResult? {
  var first: NSTextCheckingResult? = nil
  search(self, string, options.rawValue, range) { ranges, _ in
    first = result(self, ranges)
    return false
  }
  return first
}
@_silgen_name("library_10Foundation19NSRegularExpressionC17rangeOfFirstMatch2in7options0D0AA8_NSRangeVSS_AC15MatchingOptionsVAItF")
public func libraryFirstRange(_ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange) -> NSRange {
  libraryFirst(string, options, range)?.libraryRange(0) ?? NSRange(location: NSNotFound, length: 0)
}
@_silgen_name("library_10Foundation19NSRegularExpressionC14escapedPattern3forS2S_tFZ") public class func libraryEscape(_ s: String) -> String { escaped(s) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15escapedTemplate3forS2S_tFZ") public class func libraryEscapeTemplate(_ s: String) -> String { escaped(s) }

// Between the matches stands the text from the start of the whole string on, whatever the range was.
@_silgen_name("library_10Foundation19NSRegularExpressionC24stringByReplacingMatches2in7options5range12withTemplateS2S_AC15MatchingOptionsVAA8_NSRangeVSStF")
public func libraryReplace(_ string: String, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange, _ template: String) -> String {
  let units = Array(string.utf16)
  var out = "", end = 0
  search(self, string, options.rawValue, range) { ranges, _ in
    if ranges[0].location > end { out += exact(units, end, ranges[0].location) }
    out += replacement(units, ranges, 0, template)
    end = ranges[0].location + ranges[0].length
    return true
  }
  if units.count > end { out += exact(units, end, units.count) }
  return out
}
@_silgen_name("library_10Foundation19NSRegularExpressionC14replaceMatches2in7options5range12withTemplateSiAA15NSMutableStringC_AC15MatchingOptionsVAA8_NSRangeVSStF")
public func libraryReplaceIn(_ string: NSMutableString, _ options: NSRegularExpression.MatchingOptions, _ range: NSRange, _ template: String) -> Int {
  let s = string.substring(from: 0), n = libraryCount(s, options, range)
  if n > 0 { string.setString(libraryReplace(s, options, range, template)) }
  return n
}
@_silgen_name("library_10Foundation19NSRegularExpressionC17replacementString3for2in6offset8templateSSAA20NSTextCheckingResultC_SSSiSStF")
public func libraryReplacement(_ r: NSTextCheckingResult, _ string: String, _ offset: Int, _ template: String) -> String { replacement(Array(string.utf16), r.allRanges, offset, template) }
}
func exact(_ units: [UInt16], _ from: Int, _ to: Int) -> String {
  if from < units.count && units[from] & 0xfc00 == 0xdc00 || to < units.count && to > from && units[to] & 0xfc00 == 0xdc00 { refuse("a match of an NSRegularExpression that ends inside a character") }
  return String(decoding: units[from..<to], as: UTF16.self)
}
func escaped(_ s: String) -> String {
  var out = ""
  for u in s.unicodeScalars {
    switch u {
    case "*", "?", "+", "[", "(", ")", "{", "}", "^", "$", "|", "\\", ".": out += "\\"
    default: break
    }
    out.unicodeScalars.append(u)
  }
  return out
}
// $n is what group n matched; a number has as many digits as the last group's at most. A backslash stands before what is taken as it is.
func replacement(_ units: [UInt16], _ ranges: [NSRange], _ offset: Int, _ template: String) -> String {
  let text = Array(template.utf16)
  var digits = 1, size = 10
  while size < ranges.count && digits < 20 {
    digits += 1
    size *= 10
  }
  var out: [UInt16] = [], at = 0
  while at < text.count {
    if text[at] == 0x5c {
      at += 1
      if at < text.count { out.append(text[at]) }
      at += 1
      continue
    }
    var end = at + 1, n = 0
    if text[at] == 0x24 {
      while end < text.count, end < at + 1 + digits, text[end] >= 0x30, text[end] <= 0x39 {
        n = n * 10 + Int(text[end] - 0x30)
        end += 1
      }
    }
    if end == at + 1 {
      out.append(text[at])
    } else if n < ranges.count, ranges[n].location != NSNotFound, ranges[n].length > 0 {
      let from = ranges[n].location + offset
      if from < 0 || from + ranges[n].length > units.count { refuse("a replacement from outside the text") }
      out += units[from..<from + ranges[n].length]
    }
    at = end
  }
  return String(decoding: out, as: UTF16.self)
}

extension NSTextCheckingResult {
var allRanges: [NSRange] { match(self).pointee.ranges ?? [] }
func libraryRange(_ n: Int) -> NSRange {
  let all = allRanges
  if n < 0 || n >= all.count { fatalError("Index out of range") }
  return all[n]
}
@_silgen_name("library_match_type") public func libraryType() -> NSTextCheckingResult.CheckingType { .regularExpression }
@_silgen_name("library_match_range") public func libraryWhole() -> NSRange { libraryRange(0) }
@_silgen_name("library_match_rangeAt") public func libraryRangeAt(_ n: Int) -> NSRange { libraryRange(n) }
@_silgen_name("library_match_ranges") public func libraryRanges() -> Int { allRanges.count }
@_silgen_name("library_match_regex") public func libraryRegex() -> NSRegularExpression? { match(self).pointee.regex }
@_silgen_name("library_match_rangeNamed") public func libraryRange(_ name: String) -> NSRange {
  guard let r = match(self).pointee.regex, let n = regex(r).names[name] else { return NSRange(location: NSNotFound, length: 0) }
  return libraryRange(n)
}
@_silgen_name("library_10Foundation20NSTextCheckingResultC15adjustingRanges6offsetACSi_tF") public func libraryMoved(_ offset: Int) -> NSTextCheckingResult {
  result(match(self).pointee.regex!, allRanges.map { r in
    if r.location == NSNotFound { return r }
    if r.location + offset < 0 { refuse("adjustingRanges to before the text") }
    return NSRange(location: r.location + offset, length: r.length)
  })
}
}

// Where the options are, as far as a program has not folded them.
nonisolated(unsafe) var bits: (UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (1, 2, 4, 8, 16, 32, 64)
nonisolated(unsafe) var regularExpressionType: UInt64 = 1 << 10
func bit(_ n: Int) -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &bits) { UnsafeMutableRawPointer($0) + 8 * n } }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV15caseInsensitiveAEvau") public func optionsCaseInsensitive() -> UnsafeMutableRawPointer { bit(0) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV26allowCommentsAndWhitespaceAEvau") public func optionsAllowCommentsAndWhitespace() -> UnsafeMutableRawPointer { bit(1) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV20ignoreMetacharactersAEvau") public func optionsIgnoreMetacharacters() -> UnsafeMutableRawPointer { bit(2) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV24dotMatchesLineSeparatorsAEvau") public func optionsDotMatchesLineSeparators() -> UnsafeMutableRawPointer { bit(3) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV17anchorsMatchLinesAEvau") public func optionsAnchorsMatchLines() -> UnsafeMutableRawPointer { bit(4) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV21useUnixLineSeparatorsAEvau") public func optionsUseUnixLineSeparators() -> UnsafeMutableRawPointer { bit(5) }
@_silgen_name("library_10Foundation19NSRegularExpressionC7OptionsV24useUnicodeWordBoundariesAEvau") public func optionsUseUnicodeWordBoundaries() -> UnsafeMutableRawPointer { bit(6) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15MatchingOptionsV14reportProgressAEvau") public func matchingOptionsReportProgress() -> UnsafeMutableRawPointer { bit(0) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15MatchingOptionsV16reportCompletionAEvau") public func matchingOptionsReportCompletion() -> UnsafeMutableRawPointer { bit(1) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15MatchingOptionsV8anchoredAEvau") public func matchingOptionsAnchored() -> UnsafeMutableRawPointer { bit(2) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15MatchingOptionsV21withTransparentBoundsAEvau") public func matchingOptionsWithTransparentBounds() -> UnsafeMutableRawPointer { bit(3) }
@_silgen_name("library_10Foundation19NSRegularExpressionC15MatchingOptionsV22withoutAnchoringBoundsAEvau") public func matchingOptionsWithoutAnchoringBounds() -> UnsafeMutableRawPointer { bit(4) }
@_silgen_name("library_10Foundation19NSRegularExpressionC13MatchingFlagsV8progressAEvau") public func matchingFlagsProgress() -> UnsafeMutableRawPointer { bit(0) }
@_silgen_name("library_10Foundation19NSRegularExpressionC13MatchingFlagsV9completedAEvau") public func matchingFlagsCompleted() -> UnsafeMutableRawPointer { bit(1) }
@_silgen_name("library_10Foundation19NSRegularExpressionC13MatchingFlagsV6hitEndAEvau") public func matchingFlagsHitEnd() -> UnsafeMutableRawPointer { bit(2) }
@_silgen_name("library_10Foundation19NSRegularExpressionC13MatchingFlagsV11requiredEndAEvau") public func matchingFlagsRequiredEnd() -> UnsafeMutableRawPointer { bit(3) }
@_silgen_name("library_10Foundation19NSRegularExpressionC13MatchingFlagsV13internalErrorAEvau") public func matchingFlagsInternalError() -> UnsafeMutableRawPointer { bit(4) }
@_silgen_name("library_10Foundation20NSTextCheckingResultC0C4TypeV17regularExpressionAEvau") public func regularExpressionTypeAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &regularExpressionType) { UnsafeMutableRawPointer($0) } }
