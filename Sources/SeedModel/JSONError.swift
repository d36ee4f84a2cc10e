/// Why a text is no JSON document, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in words.
  package var message: String
  /// The byte at which it is wrong, counted from 0.
  package var offset: Int

  /// Creates an error.
  package init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// The message and the place.
  package var description: String { "\(message) at byte \(offset)" }
}
