/// How a query writes values as SQL literals.
package enum SQLLiteral {
  /// An expression for the literal of a value: `quote()`, and of a text with NUL characters all of it.
  ///
  /// `quote()` ends a text at its first NUL, so that two of them would be one.
  ///
  /// - Parameter value: An expression that is evaluated several times.
  /// - Returns: The expression; for texts without NUL its value is that of `quote()`.
  package static func literal(of value: String) -> String {
    """
    CASE WHEN typeof(\(value)) = 'text' AND instr(\(value), char(0)) \
    THEN 'CAST(X''' || hex(\(value)) || ''' AS TEXT)' ELSE quote(\(value)) END
    """
  }

  /// Longer literals are cut off in what is told.
  private static let shownCount = 60

  /// An expression for the literals of several values as an error tells them: `'a', 7`.
  static func shown(_ values: [String]) -> String {
    values.map { "substr(\(literal(of: $0)), 1, \(shownCount))" }.joined(separator: " || ', ' || ")
  }
}
