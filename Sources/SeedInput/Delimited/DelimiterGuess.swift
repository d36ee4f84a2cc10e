/// Finds the delimiter of a text in its first line.
struct DelimiterGuess: Equatable {
  /// The delimiter; a comma when the line has none.
  var delimiter: UInt8
  /// Another one that the line has too, when it may be meant.
  var other: UInt8?

  /// What is looked for; of those that are equally frequent the first counts.
  static let candidates: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]  // , ; tab |

  /// Looks at a line up to its end outside of quotes.
  ///
  /// - Parameters:
  ///   - text: The text from the line's start.
  ///   - quote: The character around fields.
  /// - Returns: The guess; nil when the line does not end in the text.
  static func guess(_ text: some Sequence<UInt8>, quote: UInt8) -> DelimiterGuess? {
    var counts = [0, 0, 0, 0]
    var isQuoted = false
    var isFieldStart = true
    for byte in text {
      if isQuoted {
        // A doubled quote closes and opens again.
        isQuoted = byte != quote
        isFieldStart = byte == quote
        continue
      }
      if byte == 0x0A || byte == 0x0D { return DelimiterGuess(counts) }
      isQuoted = byte == quote && isFieldStart
      isFieldStart = false
      if byte != quote, let index = candidates.firstIndex(of: byte) {
        counts[index] += 1
        isFieldStart = true
      }
    }
    return nil
  }

  /// What is guessed where nothing can be seen.
  static var comma: DelimiterGuess { DelimiterGuess([0, 0, 0, 0]) }

  /// The guess from how often each candidate was met.
  private init(_ counts: [Int]) {
    let most = counts.max() ?? 0
    let index = counts.firstIndex(of: most) ?? 0
    delimiter = DelimiterGuess.candidates[index]
    other = counts.indices.filter { $0 != index && counts[$0] > 0 }
      .max { counts[$0] < counts[$1] }
      .map { DelimiterGuess.candidates[$0] }
  }
}
