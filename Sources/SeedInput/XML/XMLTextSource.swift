internal import SeedModel

/// Makes UTF-8 of a document, whatever encoding it is written in.
enum XMLTextSource {
  /// The document in UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - source: The document.
  ///   - name: What errors call it.
  ///   - encoding: An encoding that outranks what the document says, or nil.
  /// - Returns: The same text in UTF-8.
  /// - Throws: ``InputError`` when the bytes are surely no XML or the encoding is not known.
  static func open(
    _ source: any ByteSource, name: String, encoding: String?
  ) throws -> any ByteSource {
    let (prefix, whole) = try PrefixedSource.peek(XMLEncoding.prefixByteCount, from: source)
    guard !prefix.isEmpty else { throw InputError(.empty, at: .init(file: name)) }
    if let other = FormatGuess.nonXML(prefix) {
      throw InputError(.notXML(looksLike: other), at: .init(file: name, line: 1, column: 1))
    }
    var found = XMLEncoding.detect(in: prefix)
    if let encoding { found.override(with: encoding) }
    if let declared = found.contradictedDeclaration {
      throw failure(.wrongEncoding(declared: declared), about: declared, in: prefix, name: name)
    }
    let unmarked = whole.dropping(found.markCount)
    guard let encodingName = found.name else { return LineEndSource(unmarked) }
    guard XMLDecodingSource.knows(encodingName) else {
      throw failure(
        .unknownEncoding(encodingName), about: encodingName, in: prefix, name: name)
    }
    return LineEndSource(
      try XMLDecodingSource(unmarked, encoding: encodingName, name: name))
  }

  /// An error at the place where the XML declaration names the encoding.
  private static func failure(
    _ reason: InputError.Reason, about encoding: String, in prefix: [UInt8], name: String
  ) -> InputError {
    let context = XMLErrorContext(
      bytes: prefix, index: 0, hasStart: true, hasEnd: false, startLine: 1, startColumn: 1,
      file: name)
    let place = context.place(of: XMLEncoding.declaration(in: prefix)?.index ?? 0)
    return InputError(reason, at: place.location, excerpt: place.excerpt)
  }
}
