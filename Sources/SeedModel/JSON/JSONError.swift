/// Why a text is no JSON document, and where.
package struct JSONError: Error, Sendable, Equatable {
  /// What is wrong; the wording is in `JSONError+Description.swift`.
  package enum Reason: Sendable, Equatable {
    /// A byte that is no UTF-8; nil when the whole text is in another encoding.
    case notUTF8(byte: UInt8?)
    case empty
    case comment
    case unexpected(found: String, expected: String)
    case trailingComma
    case unclosed(String)
    case otherQuote
    case bareName(String)
    case unknownWord(String, meant: String?)
    case malformedNumber(String)
    case hugeNumber(String)
    case controlCharacter(Unicode.Scalar)
    case unknownEscape(String)
    case loneSurrogate
    case tooDeep(limit: Int)
    case duplicateKey(String, line: Int)
    /// What the document says is not what it should, in words.
    case meaning(String)
  }

  /// What is wrong.
  package var reason: Reason
  /// Where; without a line when it is about the text as a whole.
  package var location: SourceLocation
  /// The line of the place.
  package var excerpt: SourceExcerpt?

  /// Creates an error.
  package init(_ reason: Reason, at location: SourceLocation, excerpt: SourceExcerpt? = nil) {
    self.reason = reason
    self.location = location
    self.excerpt = excerpt
  }
}
