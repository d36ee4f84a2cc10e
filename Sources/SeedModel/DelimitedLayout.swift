/// How delimited text (CSV, TSV) is laid out, as far as it is declared.
package struct DelimitedLayout: Sendable, Hashable {
  /// The character between the fields of a line, in ASCII; nil when the header line has to tell.
  package var delimiter: UInt8?
  /// The character around a field that has delimiters or line breaks in it, in ASCII; nil for the
  /// usual `"`, ``noQuote`` when no character is.
  package var quote: UInt8?
  /// The names of the columns when there is no header line; nil when the first line has them.
  ///
  /// An empty list leaves it to the reader to name them: `column1`, `column2` and so on.
  package var columnNames: [String]?

  /// The ``quote`` of text in which a quote is a character like any other.
  package static let noQuote: UInt8 = 0

  /// A layout of which nothing is declared.
  package init(
    delimiter: UInt8? = nil, quote: UInt8? = nil, columnNames: [String]? = nil
  ) {
    self.delimiter = delimiter
    self.quote = quote
    self.columnNames = columnNames
  }
}
