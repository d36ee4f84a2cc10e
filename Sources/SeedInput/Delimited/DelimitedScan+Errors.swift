internal import SeedModel

extension DelimitedScan.End {
  /// What is wrong where a scan has stopped.
  ///
  /// - Precondition: It is neither the end of a record nor that of the bytes.
  func reason(
    at cursor: UnsafePointer<UInt8>, in text: DelimitedText, _ quote: UInt8
  ) -> InputError.Reason {
    switch self {
    case .unclosedQuote: .delimited(.unclosedQuote(isAtEnd: true))
    case .textBehindQuote: .delimited(.textBehindQuote(quote: quote))
    case .bareQuote, .record, .emptyLine, .incomplete:
      .delimited(.bareQuote(quote: quote, cause: bareQuoteCause(cursor, start: text.start)))
    }
  }

  private func bareQuoteCause(
    _ cursor: UnsafePointer<UInt8>, start: UnsafePointer<UInt8>
  ) -> DelimitedFault.BareQuoteCause {
    if start[0] == UInt8(ascii: "#") { return .comment }
    return isBehindBlanks(cursor, start: start) ? .blanks : .value
  }

  /// Whether nothing but blanks, and at least one, stands between a delimiter and the cursor.
  private func isBehindBlanks(
    _ cursor: UnsafePointer<UInt8>, start: UnsafePointer<UInt8>
  ) -> Bool {
    var position = cursor
    while position > start, position[-1] == 0x20 { position -= 1 }
    guard position < cursor else { return false }
    return position == start || DelimiterGuess.candidates.contains(position[-1])
  }
}

extension DelimitedScan {
  /// Where the record ends that was scanned last, before its line end.
  func recordEnd(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var position = cursor
    if position > start, position[-1] == 0x0A { position -= 1 }
    if position > start, position[-1] == 0x0D { position -= 1 }
    return position
  }
}
