import SeedBuilder
import SeedFiles
import SeedFormat
import SeedModel
import SeedSQLite

/// The manifest beside a database into which a position was written.
enum PublishedManifest {
  /// No manifest is longer.
  private static let byteLimit = 16 << 20

  /// Brings digest and size of the file up to date, if the manifest is about its content.
  ///
  /// - Throws: ``FileError``, ``PublishError``, ``SQLiteError``.
  static func refresh(besideDatabaseAt path: String, files: FileSystem = .live) throws {
    let place = BuildManifest.path(beside: path)
    guard let bytes = try files.contents(of: place, limit: byteLimit) else { return }
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      // Not a manifest of ours, or of a later version: not ours to change.
      return
    }
    guard case .object(let members) = document, document["format"] == 1,
      let content = document["content_sha256"]?.stringValue,
      try content == stampedContent(ofDatabaseAt: path),
      let digest = try FileDigest.sha256(of: path, files: files),
      digest.hexadecimal != document["sha256"]?.stringValue
    else { return }
    let changed = members.map { member in
      switch member.name {
      case "sha256": JSONValue.Member("sha256", .string(digest.hexadecimal))
      case "bytes": JSONValue.Member("bytes", .integer(digest.byteCount))
      default: member
      }
    }
    let text = Array(JSONValue.object(changed).text.utf8)
    let pending = try PendingFile(for: place, replacing: .anyFile, files: files)
    let result = text.withUnsafeBytes { buffer in
      Result { () throws(PublishError) in try pending.write(buffer) }
    }
    try result.get()
    try pending.publish(isLastStep: false)
  }

  private static func stampedContent(ofDatabaseAt path: String) throws(SQLiteError) -> String? {
    let connection = try Connection(path: path, mode: .readOnly)
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else { return nil }
    return stamp.contentSHA256
  }
}
