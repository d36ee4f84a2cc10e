extension DelimitedFault: CustomStringConvertible {
  /// The message: present tense, lower case, no full stop.
  package var description: String {
    switch self {
    case .onlyEmptyLines: "the file has empty lines only"
    case .emptyName(let column): "column \(column) has no name in the header"
    case .duplicateName(let name, let first, let second):
      "columns \(first) and \(second) have the same name \"\(name)\""
    case .ragged(let found, let expected, let line, let columns, _):
      "the record of line \(line) has \(DelimitedFault.fields(found)), "
        + DelimitedFault.expectation(expected, columns)
    case .unclosedQuote(isAtEnd: true): "the quote that opens here is never closed"
    case .unclosedQuote(isAtEnd: false):
      "the field that opens here is longer than a record may be (16 MiB)"
    case .bareQuote: "a quote stands inside of a field that does not begin with one"
    case .textBehindQuote: "text follows the quote that closes the field"
    case .notUTF8(let byte):
      "the byte 0x\(String(byte, radix: 16, uppercase: true)) is not valid UTF-8 here"
    case .cutCharacter: "the file ends inside a character of UTF-8"
    }
  }

  /// What to do about it.
  package var hint: String {
    switch self {
    case .onlyEmptyLines: "see whether the file is complete"
    case .emptyName:
      "name the column in the header line; --no-header reads that line as a record"
    case .duplicateName:
      "rename one of them in the header line (case does not tell columns apart in SQLite)"
    case .ragged(_, _, _, _, .surplus(let delimiter)):
      "put quotes around a field that has a \(DelimitedFault.spelled(delimiter)) in it, "
        + "or name the right --delimiter"
    case .ragged(_, _, _, _, .missing): "add the missing fields; empty ones count too"
    case .ragged(_, _, _, _, .comment), .bareQuote(_, .comment):
      "there are no comments in CSV; take them out first: grep -v '^#'"
    case .unclosedQuote(isAtEnd: true):
      "close it, or read quotes as they are with --quote none"
    case .unclosedQuote(isAtEnd: false): "see whether its closing quote is missing"
    case .bareQuote(_, .blanks): "take out the blanks between delimiter and quote"
    case .bareQuote(let quote, .value), .textBehindQuote(let quote):
      "a quote inside of a field is doubled, and the field in quotes: \(DelimitedFault.sample(quote))"
        + "; --quote none reads quotes as they are"
    case .notUTF8: "name the right encoding with --encoding, such as windows-1252"
    case .cutCharacter: "get the file again; this one is cut off or in another encoding"
    }
  }

  private static func fields(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }

  private static func expectation(_ count: Int, _ columns: Columns) -> String {
    switch columns {
    case .header(let line): "where the header of line \(line) has \(count)"
    case .firstRecord(let line): "where the first record, of line \(line), has \(count)"
    case .declared: "where \(count) are declared"
    }
  }

  /// `"5"" disk"`, with the quote in use.
  private static func sample(_ quote: UInt8) -> String {
    let quote = String(UnicodeScalar(quote))
    return "\(quote)5\(quote)\(quote) disk\(quote)"
  }

  /// A delimiter in words that can be seen.
  static func spelled(_ delimiter: UInt8) -> String {
    delimiter == 0x09 ? "tab" : "\"\(String(UnicodeScalar(delimiter)))\""
  }
}
