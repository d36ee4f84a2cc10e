package import SeedModel

/// What the encoding is worth that a server names beside a document, by the standard of its format.
package enum ServerCharset {
  /// What is made of it.
  package struct Choice: Equatable {
    /// The encoding to read in; nil leaves that to the document.
    package var encoding: String?
    /// What server and document do not agree on, and what to do about it.
    package var doubt: Doubt?
  }

  /// A disagreement, in words.
  package struct Doubt: Equatable {
    package var message: String
    package var hint: String
  }

  /// How many bytes of a document are looked at.
  package static let prefixByteCount = XMLEncoding.prefixByteCount

  /// Weighs what the server says against what the document shows.
  ///
  /// A byte order mark outranks the server, and that outranks the declaration of an XML document
  /// (RFC 7303, section 3). JSON is UTF-8 whatever a server says (RFC 8259, section 11). Delimited
  /// text has nothing but the mark.
  ///
  /// - Parameters:
  ///   - charset: The encoding that the server names.
  ///   - format: The document's format.
  ///   - prefix: Its first bytes, not packed.
  /// - Returns: The encoding to read in, and what is doubtful.
  package static func choose(_ charset: String, format: InputFormat, prefix: [UInt8]) -> Choice {
    guard DocumentReader.knowsEncoding(charset) else {
      return Choice(
        doubt: doubt(
          "the server names the encoding \"\(charset)\", which is not known and not used", nil))
    }
    let found = XMLEncoding.detect(in: prefix)
    let declared = XMLEncoding.declaration(in: prefix)?.name
    let isWide = found.name.map { name in ["UTF-16", "UTF-32"].contains { name.hasPrefix($0) } }
    if found.markCount > 0 || isWide == true && declared == nil {
      let name = found.name ?? "UTF-8"
      guard !isSame(charset, name) else { return Choice() }
      return Choice(
        doubt: doubt(
          "the server says that this is \(charset), and its first bytes that it is \(name), "
            + "which is taken", charset))
    }
    switch format {
    case .json, .ndjson:
      guard !isSame(charset, "UTF-8"), !isSame(charset, "US-ASCII") else { return Choice() }
      return Choice(
        doubt: doubt(
          "the server says that this is \(charset), and JSON is UTF-8 whatever a server says",
          charset))
    case .csv, .tsv: return Choice(encoding: charset)
    case .plist where prefix.starts(with: Array("bplist".utf8)): return Choice()
    case .xml, .plist:
      guard let declared, !isSame(charset, declared) else { return Choice(encoding: charset) }
      return Choice(
        encoding: charset,
        doubt: doubt(
          "the server says that this is \(charset), which is taken, and the document declares "
            + "\(declared)", declared))
    }
  }

  private static func doubt(_ message: String, _ other: String?) -> Doubt {
    Doubt(
      message: message,
      hint: other.map { "say --encoding \($0), or \"encoding\" in seed.json, if that is right" }
        ?? "say which it is with --encoding, or \"encoding\" in seed.json")
  }

  /// Whether two names stand for one encoding; `UTF-16` and `UTF-32` leave the order open.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    let (first, second) = (plain(first), plain(second))
    if first == second { return true }
    return ["UTF16", "UTF32"].contains { wide in
      first.hasPrefix(wide) && second.hasPrefix(wide) && (first == wide || second == wide)
    }
  }

  private static func plain(_ name: String) -> String {
    let letters = String(name.uppercased().filter { $0 != "-" && $0 != "_" })
    return aliases[letters] ?? letters
  }

  private static let aliases = ["LATIN1": "ISO88591", "ASCII": "USASCII", "CP1252": "WINDOWS1252"]
}
