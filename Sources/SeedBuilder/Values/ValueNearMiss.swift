package import SeedModel

/// The value that made a column TEXT after others had agreed on something better.
///
/// Kept so that a warning can say why: a single misspelt date is a likelier mistake than a
/// column of texts that begins with a thousand dates.
package struct ValueNearMiss: Sendable, Hashable {
  /// The type of the column before the value; `text` when only its day and month were ambiguous.
  package var type: ColumnType
  /// How many non-empty values had agreed on it.
  package var precedingCount: Int
  /// The start of the value, at most ``maximumByteCount`` bytes.
  package var value: String

  /// How much of a value is worth showing.
  package static let maximumByteCount = 80
}
