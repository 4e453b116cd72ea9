// UTF8Span: validation with its errors, iterators of scalars and Characters both ways, normal forms and comparison.

func show(_ s: String, _ n: Int? = nil) {
  let bytes = Array(s.utf8)
  bytes.withUnsafeBufferPointer { p in
    do {
      var u = try UTF8Span(validating: Span(_unsafeElements: p))
      print(s.debugDescription, u.count, u.isEmpty, u.isKnownASCII, u.isKnownNFC, u.checkForASCII(), u.checkForNFC(quickCheck: true), u.checkForNFC(quickCheck: false), u.isKnownNFC)
      var it = u.makeUnicodeScalarIterator()
      var line = ""
      while let x = it.next() { line += "\(x.value)@\(it.currentCodeUnitOffset) " }
      print(line, it.next() == nil)
      line = ""
      while let x = it.previous() { line += "\(x.value)@\(it.currentCodeUnitOffset) " }
      print(line, it.previous() == nil)
      print(it.skipForward(), it.skipForward(by: 2), it.currentCodeUnitOffset, it.skipBack(), it.skipBack(by: 5), it.skipForward(by: -1))
      print(it.skipForward(by: 100), it.currentCodeUnitOffset, it.skipBack(by: 1), String(copying: it.prefix()).count, String(copying: it.suffix()).unicodeScalars.count, it.suffix().isKnownASCII)
      if u.count > 2 {
        it.reset(roundingBackwardsFrom: 2); print(it.currentCodeUnitOffset, terminator: " ")
        it.reset(roundingForwardsFrom: 2); print(it.currentCodeUnitOffset, terminator: " ")
        unsafe it.reset(toUnchecked: 0); print(it.currentCodeUnitOffset)
      }
      var ch = u.makeCharacterIterator()
      line = ""
      while let x = ch.next() { line += "\(String(x).unicodeScalars.count):\(x)@\(ch.currentCodeUnitOffset) " }
      print(line, ch.next() == nil, ch.codeUnits.count)
      line = ""
      while let x = ch.previous() { line += "\(x)@\(ch.currentCodeUnitOffset) " }
      print(line, ch.previous() == nil)
      print(ch.skipForward(), ch.skipForward(by: 2), ch.currentCodeUnitOffset, ch.skipBack(), ch.skipBack(by: 5))
      print(ch.skipForward(by: 100), ch.currentCodeUnitOffset, ch.skipBack(by: 1), String(copying: ch.prefix()).count, String(copying: ch.suffix()).count)
      if u.count > 2 {
        ch.reset(roundingBackwardsFrom: 2); print(ch.currentCodeUnitOffset, terminator: " ")
        ch.reset(roundingForwardsFrom: 2); print(ch.currentCodeUnitOffset, terminator: " ")
        unsafe ch.reset(toUnchecked: 0); print(ch.currentCodeUnitOffset)
      }
      var it2 = UTF8Span.UnicodeScalarIterator(u)
      var ch2 = UTF8Span.CharacterIterator(u)
      print(it2.next() == s.unicodeScalars.first, ch2.next() == s.first, u.charactersEqual(to: s), u.unicodeScalarsEqual(to: s.unicodeScalars), u.bytesEqual(to: bytes), u.span.count)
      let e = unsafe UTF8Span(unchecked: Span(_unsafeElements: p))
      print(e.isCanonicallyEquivalent(to: u), e.isCanonicallyLessThan(u), e.isKnownASCII, "e\u{301}".utf8Span.isCanonicallyEquivalent(to: u), "e\u{301}".utf8Span.isCanonicallyLessThan(u), u.isCanonicallyLessThan("é".utf8Span))
    } catch { print("no", error) }
  }
}
for s in ["", "a", "hello", "é", "e\u{301}", "日本語", "👨‍👩‍👧", "a\r\nb", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}x", "q\u{323}\u{307}z", "q\u{307}\u{323}z", "\u{AC00}\u{11A8}", "\u{212B}", "a👍🏽b", "mixed é and e\u{301} \u{F900}"] { show(s) }
func bad(_ bytes: [UInt8]) {
  bytes.withUnsafeBufferPointer { p in
    do throws(UTF8.ValidationError) {
      let u = try UTF8Span(validating: Span(_unsafeElements: p))
      print(bytes, "valid", u.count)
    } catch { print(bytes, error.description, error.kind.description, error.byteOffsets, error.kind == .truncatedScalar, error.kind.rawValue) }
  }
}
bad([]); bad([0x80]); bad([0x61, 0xBF]); bad([0xC0, 0x80]); bad([0xC1, 0xBF]); bad([0xC2]); bad([0xC2, 0x41]); bad([0xE0, 0x9F, 0x80]); bad([0xE0, 0xA0]); bad([0xE1, 0x80]); bad([0xE1, 0x80, 0x41])
bad([0xE1]); bad([0xE1, 0xC0]); bad([0xED, 0xA0, 0x80]); bad([0xED, 0xBF]); bad([0xED, 0x9F, 0xBF]); bad([0xF0, 0x8F, 0x80, 0x80]); bad([0xF0, 0x90]); bad([0xF0, 0x90, 0x80]); bad([0xF1, 0x80, 0x80, 0x80, 0x80])
bad([0xF4, 0x90, 0x80, 0x80]); bad([0xF4, 0x8F, 0xBF, 0xBF]); bad([0xF5, 0x80]); bad([0xFF]); bad([0xFE, 0x80]); bad([0x61, 0x62, 0xF1, 0x41]); bad([0xF0]); bad([0xF0, 0x41]); bad([0xF4]); bad([0xED]); bad([0xE0]); bad([0xE0, 0x41]); bad([0xED, 0x41]); bad([0xF4, 0x41])
bad([0xF0, 0x80]); bad([0xE0, 0x80]); bad([0xF4, 0xBF]); bad([0xF8, 0x88]); bad([0xC0]); bad([0xF1, 0x80, 0x41]); bad([0xF1, 0x80, 0x80, 0x41]); bad([0x41, 0xE0, 0xA0, 0xC0])
bad([0xE0, 0xC0]); bad([0xED,0xC0]); bad([0xF0,0xC0]); bad([0xF4,0xC1]); bad([0xF1,0xC1]); bad([0xE1, 0x7F])
do { let e = UTF8.ValidationError(.overlongEncodingByte, 3..<4); print(e.description, e.kind.description, e == e, e == UTF8.ValidationError(.truncatedScalar, 3..<4)) }
