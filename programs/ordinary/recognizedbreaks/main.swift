// Unicode._CharacterRecognizer over a buffer: where the next Character begins, and what two scalars alone tell.
typealias Recognizer = Unicode._CharacterRecognizer

func breaks(_ text: String) -> [Int] {
  var found: [Int] = [], at = 0
  var recognizer = Recognizer()
  let utf8 = Array(text.utf8)
  utf8.withUnsafeBufferPointer { all in
    while let next = recognizer._firstBreak(inUncheckedUnsafeUTF8Buffer: all, startingAt: at) {
      found.append(next.lowerBound)
      at = next.upperBound
    }
  }
  return found
}

for text in ["", "abc", "e\u{301}x", "a\r\nb", "👨‍👩‍👧‍👦!", "🇩🇪🇫🇷🇮", "क्षि", "각\u{1100}\u{1161}\u{11A8}z", "\u{600}a\u{200D}b", "日本語, ёлка"] {
  print(text.debugDescription, breaks(text), agrees(text))
}

func agrees(_ text: String) -> Bool {
  breaks(text) == text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) }
}

let sample: [Unicode.Scalar] = ["\r", "\n", "a", "\u{2FF}", "\u{300}", "\u{482}", "\u{483}", "\u{61C}", "\u{61D}", "\u{200D}", "\u{2029}", "\u{3042}", "\u{AC00}", "\u{1F600}", "\u{FF9D}", "\u{FF9E}"]
for first in sample {
  print(sample.map { second in
    switch Recognizer.quickBreak(between: first, and: second) {
    case nil: "-"
    case true?: "|"
    case false?: "_"
    }
  }.joined())
}

// Indices are rounded down to a Character of the whole text, or of the part that a Substring is.
for text in ["a\r\nb", "e\u{301}🇩🇪🇫🇷"] {
  func place(_ i: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: i) }
  print(text.utf8.indices.map { place(text._index(roundingDown: $0)) })
  for first in text.unicodeScalars.indices {
    let part = Substring(text.unicodeScalars[first...])
    print(place(first), part.utf8.indices.map { place(part._index(roundingDown: $0)) })
  }
}
