internal import SeedModel

/// What a packed seed says of the plain one, in the extra field of its gzip header.
///
/// A field of the identifier `SD`, as RFC 1952 has it, with a JSON object. Who does not know it
/// skips it, so that `gunzip` unpacks such files as any other; who does need not unpack the file to
/// learn which seed it is.
package struct ArchiveFacts: Sendable, Hashable {
  /// SHA-256 over the plain file.
  package var sha256: String
  /// The size of the plain file.
  package var byteCount: Int64
  /// The seed's name, from its stamp.
  package var name: String?
  /// The seed's version, from its stamp.
  package var version: String?
  /// The digest over schema and rows, from its stamp.
  package var contentSHA256: String?
  /// `PRAGMA user_version`.
  package var userVersion: Int32
  /// `PRAGMA application_id`.
  package var applicationID: Int32

  /// Facts from their parts.
  package init(
    sha256: String, byteCount: Int64, name: String?, version: String?, contentSHA256: String?,
    userVersion: Int32, applicationID: Int32
  ) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.name = name
    self.version = version
    self.contentSHA256 = contentSHA256
    self.userVersion = userVersion
    self.applicationID = applicationID
  }

  /// The facts in the header of a gzip file, of which the first 70,000 bytes are enough.
  package init?(archive start: [UInt8]) {
    let inflation = GzipInflation()
    var output: [UInt8] = [0]
    start.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { _ = inflation.inflate(input, into: $0) }
    }
    guard let field = inflation.extraField else { return nil }
    self.init(extraField: field)
  }

  private static let identifier = Array("SD".utf8)

  /// The facts as an extra field.
  package var extraField: [UInt8] {
    let json: JSONValue = [
      "format": 1, "sha256": .string(sha256), "bytes": .integer(byteCount),
      "name": .string(name), "version": .string(version),
      "content_sha256": .string(contentSHA256), "user_version": .integer(Int64(userVersion)),
      "application_id": .integer(Int64(applicationID)),
    ]
    let bytes = Array(json.text.utf8)
    return Self.identifier + [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
  }

  /// The facts in an extra field; nil if it has none, or none that can be read.
  package init?(extraField: [UInt8]) {
    var rest = extraField[...]
    while rest.count >= 4 {
      let start = rest.startIndex
      let count = Int(rest[start + 2]) | Int(rest[start + 3]) << 8
      let body = rest.dropFirst(4).prefix(count)
      guard body.count == count else { return nil }
      if rest.prefix(2).elementsEqual(Self.identifier) {
        self.init(json: Array(body))
        return
      }
      rest = rest.dropFirst(4 + count)
    }
    return nil
  }

  private init?(json bytes: [UInt8]) {
    guard let document = try? JSONValue(parsing: bytes), document["format"] == 1,
      let sha256 = document["sha256"]?.stringValue,
      let byteCount = document["bytes"]?.integerValue, byteCount > 0,
      let userVersion = Int32(exactly: document["user_version"]?.integerValue ?? 0),
      let applicationID = Int32(exactly: document["application_id"]?.integerValue ?? 0)
    else { return nil }
    self.init(
      sha256: sha256, byteCount: byteCount, name: document["name"]?.stringValue,
      version: document["version"]?.stringValue,
      contentSHA256: document["content_sha256"]?.stringValue, userVersion: userVersion,
      applicationID: applicationID)
  }
}
