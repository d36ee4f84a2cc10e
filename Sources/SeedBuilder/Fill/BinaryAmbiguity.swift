internal import SeedModel

/// Whether the texts of a binary column can be read in two ways: bare hexadecimal digits, in groups of
/// four, are Base64, too, and give other bytes then.
package struct BinaryAmbiguity {
  private var hasValues = false
  private var isEither = true

  /// A column without values.
  package init() {}

  /// Takes a value into account that is not empty.
  package mutating func observe(_ text: UnsafeBufferPointer<UInt8>) {
    hasValues = true
    guard isEither else { return }
    isEither = BinaryText.hexadecimal(text) != nil && Base64.bytes(of: text) != nil
  }

  /// Whether all values are both.
  package var isAmbiguous: Bool { hasValues && isEither }

  /// What to say of the values of a column that is called so.
  package static func message(about column: String) -> String {
    "all values in \(column) are read as hexadecimal digits and could be base64 as well"
  }

  /// What to do about it.
  package static let hint =
    "say which with \"format\": \"hex\" or \"format\": \"base64\" of the column in seed.json"
}
