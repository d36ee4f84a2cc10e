internal import SeedModel

/// Makes UTF-8 of a JSON text, whatever encoding it is written in.
enum JSONTextSource {
  /// So many bytes show the encoding.
  private static let prefixByteCount = 1_024

  /// The text in UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - source: The text's bytes.
  ///   - name: What errors call it.
  ///   - encoding: An encoding that outranks what the bytes show, or nil.
  /// - Returns: The same text in UTF-8.
  /// - Throws: ``InputError`` when the bytes are surely no JSON or the encoding is not known.
  static func open(
    _ source: any ByteSource, name: String, encoding: String?
  ) throws -> any ByteSource {
    let (prefix, whole) = try PrefixedSource.peek(prefixByteCount, from: source)
    guard !prefix.isEmpty else { throw InputError(.emptyFile, at: .init(file: name)) }
    if let other = FormatGuess.nonText(prefix) {
      throw InputError(.notReadable(looksLike: other), at: .init(file: name))
    }
    var found = mark(in: prefix) ?? XMLEncoding(name: firstCharacters(prefix))
    if let encoding { found.override(with: encoding) }
    let unmarked = whole.dropping(found.markCount)
    guard let encodingName = found.name else { return unmarked }
    return try XMLDecodingSource(unmarked, encoding: encodingName, name: name)
  }

  private static func mark(in prefix: [UInt8]) -> XMLEncoding? {
    let found = XMLEncoding.detect(in: prefix)
    return found.markCount > 0 ? found : nil
  }

  /// The encoding in which a text begins with two ASCII characters, as every object and array does
  /// (RFC 4627, section 3).
  private static func firstCharacters(_ prefix: [UInt8]) -> String? {
    switch prefix.prefix(4).map({ $0 == 0 }) {
    case [true, true, true, false]: "UTF-32BE"
    case [false, true, true, true]: "UTF-32LE"
    case [true, false, true, false]: "UTF-16BE"
    case [false, true, false, true]: "UTF-16LE"
    default: nil
    }
  }
}
