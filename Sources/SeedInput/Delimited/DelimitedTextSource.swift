internal import SeedModel

/// Makes UTF-8 of delimited text, whatever encoding it is written in.
enum DelimitedTextSource {
  /// How many bytes tell an encoding by their mark.
  private static let markByteCount = 4

  /// The text in UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - name: What errors call it.
  ///   - encoding: An encoding that outranks what the mark says, or nil.
  ///   - hasQuotes: Whether some character is the quote.
  /// - Returns: The same text in UTF-8.
  /// - Throws: ``InputError`` when the bytes are surely no text or the encoding is not known.
  static func open(
    _ source: any ByteSource, name: String, encoding: String?, hasQuotes: Bool
  ) throws -> any ByteSource {
    let (prefix, whole) = try PrefixedSource.peek(FormatDetection.prefixByteCount, from: source)
    if let other = FormatGuess.nonDelimited(prefix, hasQuotes: hasQuotes) {
      throw InputError(.notReadable(looksLike: other), at: SourceLocation(file: name))
    }
    // No more than the mark: there is no declaration to look for.
    var found = XMLEncoding.detect(in: Array(prefix.prefix(markByteCount)))
    if let encoding { found.override(with: encoding) }
    let unmarked = whole.dropping(found.markCount)
    guard let encodingName = found.name else { return unmarked }
    return try XMLDecodingSource(unmarked, encoding: encodingName, name: name)
  }
}
