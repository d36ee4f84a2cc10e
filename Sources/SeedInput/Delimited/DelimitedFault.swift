/// What can be wrong with delimited text.
package enum DelimitedFault: Sendable, Equatable {
  // The header
  /// There are no lines but empty ones.
  case onlyEmptyLines
  /// A column without a name, by its number.
  case emptyName(column: Int)
  /// Two columns, by number, whose names differ in no more than the case of letters.
  case duplicateName(String, first: Int, second: Int)
  // Records
  /// A record with more or fewer fields than there are columns.
  case ragged(found: Int, expected: Int, line: Int, Columns, cause: RaggedCause)
  // Quotes
  /// A quote that is not closed before the end, or before the longest record ends.
  case unclosedQuote(isAtEnd: Bool)
  /// A quote in a field that does not begin with one.
  case bareQuote(quote: UInt8, cause: BareQuoteCause)
  /// Something other than a delimiter or a line end behind a closing quote.
  case textBehindQuote(quote: UInt8)
  // Characters
  /// A byte that is not UTF-8.
  case notUTF8(UInt8)
  /// The text ends inside a character.
  case cutCharacter

  /// What says how many columns there are.
  package enum Columns: Sendable, Equatable {
    case header(line: Int)
    /// Without a header, the first record.
    case firstRecord(line: Int)
    case declared
  }

  /// What probably is the cause of a quote inside of a field.
  package enum BareQuoteCause: Sendable, Equatable {
    /// It belongs to the value.
    case value
    /// Blanks stand between a delimiter and the quote.
    case blanks
    /// The line looks like a comment.
    case comment
  }

  /// What probably is the cause of too many or too few fields.
  package enum RaggedCause: Sendable, Equatable {
    /// The record has more fields, and this is what divides them.
    case surplus(delimiter: UInt8)
    case missing
    /// The line looks like a comment.
    case comment
  }
}
